import { vi } from 'vitest';
import * as z from 'zod';

/** A line of the log that CloudWatch makes metrics of. */
const LINE = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.tuple([
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
      }),
    ]),
  }),
});

export type EmfLine = z.infer<typeof LINE>;

/** What is written to the standard output meanwhile. */
export async function emfOf(write: () => unknown): Promise<EmfLine[]> {
  const texts: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  try {
    await write();
  } finally {
    spy.mockRestore();
  }
  return texts.map((text) => LINE.parse(JSON.parse(text)));
}

/** The metrics in a line, by name. */
export function valuesIn(line: EmfLine): Record<string, unknown> {
  return Object.fromEntries(line._aws.CloudWatchMetrics[0].Metrics.map(({ Name }) => [Name, line[Name]]));
}

export function dimensionsIn(line: EmfLine): readonly (readonly string[])[] {
  return line._aws.CloudWatchMetrics[0].Dimensions;
}
