import type { RaisedMinSize } from '../core/model/roll.ts';
import { NONE } from './tag-values.ts';

/** `2 44`: the owner's minimum size is 2, ours is 44. In full: `2 44 50 since 2026-11-22T05:10:00.000Z`. */
export function writeMinSize(raisedMinSize: RaisedMinSize | undefined): string {
  if (raisedMinSize === undefined) return NONE;
  const since =
    raisedMinSize.restsSince === undefined ? [] : ['since', raisedMinSize.restsSince.toISOString()];
  return [raisedMinSize.owner, ...raisedMinSize.ours, ...since].join(' ');
}

const MIN_SIZE = /^(?<owner>\d+)(?<ours>(?: \d+)+)(?: since (?<since>\S+))?$/;

/** Undefined for a malformed tag: then the minimum size stays as it is. */
export function readMinSize(text = ''): RaisedMinSize | undefined {
  const { owner, ours = '', since } = MIN_SIZE.exec(text)?.groups ?? {};
  if (owner === undefined) return undefined;
  const restsSince = new Date(since ?? '');
  const isTime = !Number.isNaN(restsSince.getTime());
  return {
    owner: Number(owner),
    ours: ours.trim().split(' ').map(Number),
    ...(isTime && { restsSince }),
  };
}
