import * as z from 'zod/mini';
import type { TableItem } from '../aws/sequence-table.ts';
import { PARTITIONS } from '../contract.ts';
import type { SequenceOrder, SequenceState } from '../core/sequence/model.ts';
import { textOf } from '../core/sequence/room.ts';
import { expiryAfter, MEMBER, mapOf, name, parse, sentence, time, truth } from './items.ts';

/** What only the sequence and its orders need: members never load this. */

/**
 * Sorts before the orders: no snapshot is read, and an order that another pass takes meanwhile must be found
 * either in what is remembered, or by a version that is no longer there.
 */
export const STATE_KEY_IN_TABLE = 'memory';

/** Orders sort by their times. */
export const orderKeyOf = ({ at, id }: Pick<SequenceOrder, 'at' | 'id'>) => `order#${at.toISOString()}#${id}`;

const STAGE_STATE = z.object({
  release: z.optional(name),
  since: z.optional(time),
  isBack: z.optional(truth),
  forgivenAt: z.optional(time),
  completedAt: z.optional(time),
  skipsSoak: z.optional(truth),
  asked: z.optional(name),
  approved: z.optional(name),
  tryingSince: z.optional(time),
  starvedAt: z.optional(time),
  qualified: z.optional(name),
  before: z.optional(name),
  slots: mapOf(
    z.object({
      since: time,
      withdrawnBy: z.optional(z.int()),
      why: z.optional(sentence),
      passedOver: z.optional(sentence),
    }),
  ),
});

const STATE = z.object({
  lines: mapOf(
    z.object({
      known: z.array(z.object({ name, since: time, isExpedited: z.optional(truth) })),
      halts: z.array(z.object({ release: name, at: time, why: sentence, isNow: z.optional(truth) })),
      stages: mapOf(STAGE_STATE),
    }),
  ),
  leftOut: z.array(name),
  taken: z.array(name),
});

const ORDERED = { id: name, by: name, at: time };
const IN_LINE = { ...ORDERED, line: z.optional(name) };
const ORDER = z.discriminatedUnion('kind', [
  z.object({ ...ORDERED, kind: z.literal('leave-out'), member: MEMBER }),
  z.object({ ...ORDERED, kind: z.literal('take-in'), member: MEMBER }),
  z.object({ ...IN_LINE, kind: z.literal('halt'), release: z.optional(name), isNow: z.optional(truth) }),
  z.object({ ...IN_LINE, kind: z.literal('resume'), release: name }),
  z.object({ ...IN_LINE, kind: z.literal('expedite'), release: name }),
  z.object({ ...IN_LINE, kind: z.literal('skip-soak'), stage: name }),
  z.object({ ...IN_LINE, kind: z.literal('approve'), stage: name, release: name }),
  z.object({ ...IN_LINE, kind: z.literal('revert'), stage: name, release: name }),
]);

export function stateItem(state: SequenceState, version: number): TableItem {
  return { pk: PARTITIONS.sequence, sk: STATE_KEY_IN_TABLE, version, body: textOf(state) };
}

/** @throws ItemUnreadable */
export function stateIn(item: TableItem): SequenceState {
  return parse(STATE, item);
}

const ORDER_LASTS_DAYS = 30;

export function orderItem(order: SequenceOrder): TableItem {
  const expires = expiryAfter(order.at, ORDER_LASTS_DAYS);
  return { pk: PARTITIONS.sequence, sk: orderKeyOf(order), version: 1, body: textOf(order), expires };
}

/** @throws ItemUnreadable */
export function orderIn(item: TableItem): SequenceOrder {
  return parse(ORDER, item);
}
