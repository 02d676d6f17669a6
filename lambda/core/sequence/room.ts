import type { LineState } from './model.ts';
import { openSlots } from './slots.ts';

/**
 * What is remembered is one item of the table, and DynamoDB takes none of more than 400 KB. Anybody in an
 * account of a member may tell of ever new lines, releases and stacks: what is remembered of them has an end.
 * What is over is for orders that have been taken, and stacks that are left out.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const MOST_BYTES = 300_000;

/** Maps as lists of their entries, and times as texts. */
export function textOf(value: object): string {
  return JSON.stringify(value, (_, each) =>
    each instanceof Map ? [...each].map(([key, value]) => ({ key, value })) : each,
  );
}

/**
 * The first of these lines, and of the others those that still have room. One that has none forgets who had a
 * slot in vain.
 */
export function withinRoom(all: readonly (readonly [string, LineState])[]): ReadonlyMap<string, LineState> {
  const kept = new Map<string, LineState>();
  let left = MOST_BYTES;
  for (const [name, line] of all) {
    const fitting = [line, withoutPassedOver(line)].find((each) => bytesOf(name, each) <= left);
    if (fitting === undefined) continue;
    left -= bytesOf(name, fitting);
    kept.set(name, fitting);
  }
  return kept;
}

const bytesOf = (key: string, value: LineState) =>
  new TextEncoder().encode(textOf({ key, value })).length + 1;

function withoutPassedOver(line: LineState): LineState {
  const stages = [...line.stages].map(
    ([name, stage]) => [name, { ...stage, slots: openSlots(stage.slots) }] as const,
  );
  return { ...line, stages: new Map(stages) };
}
