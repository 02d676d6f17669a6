import { MILESTONES, type Told } from '../core/model/told.ts';
import { imageIdsIn, wordsIn, writeWords } from './tag-values.ts';
import { dateIn } from './times.ts';

/** As many images as fit beside the longest code. */
const MOST_IMAGES = 3;

/**
 * Writes what has been told of a roll:
 * `2026-11-23T05:00:00.000Z begun turns=1 blocked=no-room batch=2026-11-23T05:04:00.000Z ami-01d`. The roll's
 * beginning, or its notice, comes first, so that a note of an earlier roll counts for nothing.
 */
export function writeTold(
  key: string,
  startedAt: Date,
  { milestones, batchSince, stop, turns, from }: Told,
): Readonly<Record<string, string>> {
  return writeWords(key, 1, [
    startedAt.toISOString(),
    ...milestones,
    ...(turns > 0 ? [`turns=${turns}`] : []),
    ...(stop === undefined ? [] : [`${stop.kind}=${stop.code}`]),
    ...(batchSince === undefined ? [] : [`batch=${batchSince.toISOString()}`]),
    ...from.slice(0, MOST_IMAGES),
  ]);
}

/** Reads the opened tag; undefined if it is none of this roll. */
export function readTold(text: string | undefined, startedAt: Date | undefined): Told | undefined {
  const [begun, ...words] = wordsIn(text);
  if (startedAt === undefined || dateIn(begun)?.getTime() !== startedAt.getTime()) return undefined;
  const values = new Map(words.map((word) => [word.split('=', 1)[0] ?? '', word.replace(/^[^=]*=?/, '')]));
  const batchSince = dateIn(values.get('batch'));
  const kind = (['held', 'blocked'] as const).find((each) => values.has(each));
  return {
    milestones: MILESTONES.filter((each) => words.includes(each)),
    turns: Number(values.get('turns')) || 0,
    from: imageIdsIn(text),
    ...(batchSince && { batchSince }),
    ...(kind && { stop: { kind, code: values.get(kind) ?? '' } }),
  };
}
