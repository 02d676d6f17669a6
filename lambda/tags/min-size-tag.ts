import type { RaisedMinSize } from '../core/model/roll.ts';
import { NONE } from './tag-values.ts';

/** `2 44`: the owner has the minimum size at 2, and we at 44; `2 44 50 since 2026-11-22T05:10:00.000Z` with all there is. */
export function writeMinSize(raisedMinSize: RaisedMinSize | undefined): string {
  if (raisedMinSize === undefined) return NONE;
  const since =
    raisedMinSize.restsSince === undefined ? [] : ['since', raisedMinSize.restsSince.toISOString()];
  return [raisedMinSize.owner, ...raisedMinSize.ours, ...since].join(' ');
}

const FLOOR = /^(?<owner>\d+)(?<ours>(?: \d+)+)(?: since (?<since>\S+))?$/;

/** A tag that somebody has spoilt tells of nothing: then the minimum size stays as it is. */
export function readMinSize(text = ''): RaisedMinSize | undefined {
  const { owner, ours = '', since } = FLOOR.exec(text)?.groups ?? {};
  if (owner === undefined) return undefined;
  const restsSince = new Date(since ?? '');
  const isTime = !Number.isNaN(restsSince.getTime());
  return {
    owner: Number(owner),
    ours: ours.trim().split(' ').map(Number),
    ...(isTime && { restsSince }),
  };
}
