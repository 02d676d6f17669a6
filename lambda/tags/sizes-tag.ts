import { type AddedSizes, type Departures, NOTHING_ADDED, type SizeChange } from '../core/model/roll.ts';
import type { Sizes } from '../core/reasons/steps.ts';

/**
 * `+2/+0 over 6/8`: we added 2 to the desired capacity, on top of 6, and nothing to the maximum size, which
 * is 8. If the group ends its members itself, `since 2026-11-21T00:05:00.000Z less 1` follows; `uneven by 1`,
 * once it was made larger for its zones; then a change under way, such as `8/8 to 6/8 of 2 marked`, or
 * `6/8 to 8/8 of 0 marked attaching`.
 */
export function writeAddedSizes(
  { desiredCapacity, maxSize, over, departures, change }: AddedSizes,
  unevenBy = 0,
): string {
  return [
    `+${desiredCapacity}/+${maxSize}`,
    ...(over === undefined ? [] : [`over ${writeSizes(over)}`]),
    ...(departures === undefined ? [] : [writeDepartures(departures)]),
    ...(unevenBy === 0 ? [] : [`uneven by ${unevenBy}`]),
    ...(change === undefined
      ? []
      : [
          `${writeSizes(change.from)} to ${writeSizes(change.to)} of ${change.marked} marked${change.attaches ? ' attaching' : ''}`,
        ]),
  ].join(' ');
}

function writeSizes({ desiredCapacity, maxSize }: Sizes): string {
  return `${desiredCapacity}/${maxSize}`;
}

function writeDepartures({ since, count }: Departures): string {
  return `since ${since.toISOString()} less ${count}`;
}

const ADDED_SIZES = new RegExp(
  [
    /^\+(?<desired>\d+)\/\+(?<max>\d+)/,
    /(?: over (?<overDesired>\d+)\/(?<overMax>\d+))?/,
    /(?: since (?<since>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) less (?<count>\d+))?/,
    /(?: uneven by (?<uneven>\d+))?/,
    /(?: (?<change>\d.*))?$/,
  ]
    .map(({ source }) => source)
    .join(''),
);
const CHANGE = /^(\d+)\/(\d+) to (\d+)\/(\d+) of (\d+) marked( attaching)?$/;

/**
 * A malformed tag means that nothing is ours: then the sizes stay as they are. So does one that doesn't say
 * what we added to, as we always write that.
 */
export function readAddedSizes(text = ''): AddedSizes {
  const { desired, max, overDesired, overMax, since, count, change } = ADDED_SIZES.exec(text)?.groups ?? {};
  const read = change === undefined ? undefined : readChange(change);
  if (change !== undefined && read === undefined) return NOTHING_ADDED;
  const isAny = Number(desired ?? 0) + Number(max ?? 0) > 0;
  if (isAny && overDesired === undefined) return NOTHING_ADDED;
  return {
    desiredCapacity: Number(desired ?? 0),
    maxSize: Number(max ?? 0),
    ...(overDesired !== undefined && {
      over: { desiredCapacity: Number(overDesired), maxSize: Number(overMax) },
    }),
    ...(since !== undefined &&
      !Number.isNaN(Date.parse(since)) && { departures: { since: new Date(since), count: Number(count) } }),
    ...(read && { change: read }),
  };
}

export function readUnevenBy(text = ''): number {
  return Number(ADDED_SIZES.exec(text)?.groups?.uneven ?? 0);
}

function readChange(text: string): SizeChange | undefined {
  const read = CHANGE.exec(text);
  if (read === null) return undefined;
  const [fromDesired = 0, fromMax = 0, toDesired = 0, toMax = 0, marked = 0] = read.slice(1, 6).map(Number);
  return {
    from: { desiredCapacity: fromDesired, maxSize: fromMax },
    to: { desiredCapacity: toDesired, maxSize: toMax },
    marked,
    ...(read[6] !== undefined && { attaches: true }),
  };
}
