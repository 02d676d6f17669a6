import * as z from 'zod/mini';
import type { TableItem } from '../aws/sequence-table.ts';
import { PARTITIONS } from '../contract.ts';
import type {
  Allowance,
  MemberName,
  MemberStatus,
  SequenceOrder,
  SequenceState,
} from '../core/sequence/model.ts';

export const STATE_KEY_IN_TABLE = 'state';

export const sortKeyOf = ({ region, stack }: Pick<MemberName, 'region' | 'stack'>) => `${region}#${stack}`;

/** Orders sort by their times. */
export const orderKeyOf = ({ at, id }: Pick<SequenceOrder, 'at' | 'id'>) => `order#${at.toISOString()}#${id}`;

/** Longer texts than any of ours are somebody's mistake, or worse. */
const MOST_CHARACTERS = 100_000;
const MOST_LINES = 50;

const time = z.pipe(
  z.iso.datetime(),
  z.transform((text: string) => new Date(text)),
);
const name = z.string().check(z.minLength(1), z.maxLength(256), z.regex(/^[^\p{Cc}\p{Cf}]*$/u));
const sentence = z.string().check(z.maxLength(1000));
const truth = z.literal(true);

/** A map as an object: JSON has no other. */
function mapOf<T extends z.ZodMiniType>(value: T) {
  return z.pipe(
    z.record(name, value).check(z.refine((record) => Object.keys(record).length <= MOST_LINES * 100)),
    z.transform((record): ReadonlyMap<string, z.output<T>> => new Map(Object.entries(record))),
  );
}

const LINE_STATUS = z.object({
  newest: z.optional(name),
  runs: z.optional(z.object({ oldest: name, newest: name })),
  rolling: z.optional(name),
  hindered: z.optional(sentence),
  failed: z.optional(z.object({ release: name, at: time, why: sentence })),
});

const STATUS = z.object({
  spokeAt: time,
  generation: z.int().check(z.minimum(0)),
  alarmSince: z.optional(time),
  acceptsRevert: z.boolean(),
  lines: mapOf(LINE_STATUS).check(z.refine((lines) => lines.size <= MOST_LINES)),
});

const ALLOWED = z.object({ release: name, isBack: z.optional(truth), stops: z.optional(truth) });
const ALLOWANCE = z.object({ lines: mapOf(ALLOWED) });

const STAGE_STATE = z.object({
  release: z.optional(name),
  since: z.optional(time),
  isBack: z.optional(truth),
  forgivenAt: z.optional(time),
  completedAt: z.optional(time),
  skipsSoak: z.optional(truth),
  asked: z.optional(name),
  approved: z.optional(name),
  starvedAt: z.optional(time),
  qualified: z.optional(name),
  before: z.optional(name),
  slots: mapOf(z.object({ since: time, withdrawnBy: z.optional(z.int()) })),
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

const MEMBER = z.object({
  account: z.string().check(z.regex(/^\d{12}$/)),
  region: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
  stack: z.string().check(z.regex(/^[A-Za-z][\w-]{0,127}$/)),
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

/** An item that none of ours would have written. */
export class ItemUnreadable extends Error {
  override readonly name = 'ItemUnreadable';
}

/** @throws ItemUnreadable */
function parse<T extends z.ZodMiniType>(shape: T, { pk, sk, body }: TableItem): z.output<T> {
  if (body.length > MOST_CHARACTERS * (pk === PARTITIONS.sequence ? 4 : 1))
    throw new ItemUnreadable(`${pk} ${sk}: ${body.length} characters are too many`);
  try {
    return z.parse(shape, JSON.parse(body));
  } catch (error) {
    throw new ItemUnreadable(`${pk} ${sk}: ${error instanceof Error ? error.message : error}`);
  }
}

const expiryAfter = (at: Date, days: number) => Math.floor(at.getTime() / 1000) + days * 86_400;

/** Maps as objects, and times as texts. */
function textOf(value: object): string {
  return JSON.stringify(value, (_, each) => (each instanceof Map ? Object.fromEntries(each) : each));
}

/** A stack that is gone, and says no more, is forgotten by itself. */
const STATUS_LASTS_DAYS = 30;

export function statusItem({ member, ...rest }: MemberStatus): TableItem {
  const { spokeAt } = rest;
  const expires = expiryAfter(spokeAt, STATUS_LASTS_DAYS);
  const pk = PARTITIONS.status(member.account);
  return { pk, sk: sortKeyOf(member), version: spokeAt.getTime(), body: textOf(rest), expires };
}

/**
 * Whose an item is, its keys say: the account in them is all that its writer can't choose.
 *
 * @throws ItemUnreadable
 */
export function memberIn({ pk, sk }: Pick<TableItem, 'pk' | 'sk'>): MemberName {
  const [, account] = pk.split('#');
  const [region = '', stack = '', ...more] = sk.split('#');
  const member = z.safeParse(MEMBER, { account, region, stack });
  if (more.length > 0 || !member.success) throw new ItemUnreadable(`${pk} ${sk}: no Region and stack`);
  return member.data;
}

/**
 * What a member says of itself.
 *
 * @throws ItemUnreadable
 */
export function statusIn(item: TableItem): MemberStatus {
  return { member: memberIn(item), ...parse(STATUS, item) };
}

export function allowanceItem(member: MemberName, { generation, lines }: Allowance): TableItem {
  const pk = PARTITIONS.allowed(member.account);
  return { pk, sk: sortKeyOf(member), version: generation, body: textOf({ lines }) };
}

/** @throws ItemUnreadable */
export function allowanceIn(item: TableItem): Allowance {
  return { generation: item.version, ...parse(ALLOWANCE, item) };
}

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
