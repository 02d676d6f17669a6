import type { Floor } from '../core/model/roll.ts';
import { NONE } from './tag-values.ts';

/** `2 44`: the owner has the minimum size at 2, and we at 44; `2 44 50 since 2026-11-22T05:10:00.000Z` with all there is. */
export function writeFloor(floor: Floor | undefined): string {
  if (floor === undefined) return NONE;
  const since = floor.restsSince === undefined ? [] : ['since', floor.restsSince.toISOString()];
  return [floor.owner, ...floor.ours, ...since].join(' ');
}

const FLOOR = /^(?<owner>\d+)(?<ours>(?: \d+)+)(?: since (?<since>\S+))?$/;

/** A tag that somebody has spoilt tells of nothing: then the minimum size stays as it is. */
export function readFloor(text = ''): Floor | undefined {
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
