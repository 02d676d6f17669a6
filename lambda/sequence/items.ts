import * as z from 'zod/mini';
import type { TableItem } from '../aws/sequence-table.ts';
import { PARTITIONS } from '../contract.ts';
import type { Allowance, MemberName, MemberStatus } from '../core/sequence/model.ts';
import { textOf } from '../core/sequence/room.ts';
import { cut } from '../core/text/events.ts';

export const sortKeyOf = ({ region, stack }: Pick<MemberName, 'region' | 'stack'>) => `${region}#${stack}`;

/** Longer texts than any of ours are somebody's mistake, or worse. */
const MOST_CHARACTERS = 100_000;
const MOST_LINES = 50;

/** What is wrong with an item may be more than what is in it. */
const LONGEST_WHY = 300;

export const time = z.pipe(
  z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)),
  // The thirteenth month has this form, too; nothing is before or after it.
  z.pipe(
    z.transform((text: string) => new Date(text)),
    z.date(),
  ),
);
export const name = z.string().check(z.minLength(1), z.maxLength(256), z.regex(/^[^\p{Cc}\p{Cf}]*$/u));
export const sentence = z.string().check(z.maxLength(1000));
export const truth = z.literal(true);

type Entries<Value> = readonly { readonly key: string; readonly value: Value }[];

/** A map as a list of its entries. zod's records would cost every cold start 3 KB. */
export function mapOf<T extends z.ZodMiniType>(value: T) {
  return z.pipe(
    z.array(z.object({ key: name, value })).check(z.maxLength(MOST_LINES * 100)),
    z.transform(
      (entries): ReadonlyMap<string, z.output<T>> =>
        new Map((entries as unknown as Entries<z.output<T>>).map(({ key, value }) => [key, value])),
    ),
  );
}

/**
 * EC2 takes no longer name of an image, and no other characters; members look for it by a filter, which takes
 * `*` and `?` for any.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateImage.html
 */
const release = z.string().check(z.regex(/^[\w()[\] ./'@-]{1,128}$/));

const LINE_STATUS = z.object({
  newest: z.optional(release),
  runs: z.optional(z.object({ oldest: release, newest: release })),
  rolling: z.optional(release),
  beginsAt: z.optional(time),
  hindered: z.optional(sentence),
  readyFrom: z.optional(release),
  failed: z.optional(z.object({ release, at: time, why: sentence })),
});

const STATUS = z.object({
  spokeAt: time,
  generation: z.number().check(z.minimum(0)),
  alarmSince: z.optional(time),
  acceptsRevert: z.optional(truth),
  lines: mapOf(LINE_STATUS).check(z.refine((lines) => lines.size <= MOST_LINES)),
});

const ALLOWED = z.object({ release, isBack: z.optional(truth), stops: z.optional(truth) });
const ALLOWANCE = z.object({ lines: mapOf(ALLOWED) });

export const MEMBER = z.object({
  account: z.string().check(z.regex(/^\d{12}$/)),
  region: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
  stack: z.string().check(z.regex(/^[A-Za-z][\w-]{0,127}$/)),
});
/** An item that none of ours would have written. */
export class ItemUnreadable extends Error {
  override readonly name = 'ItemUnreadable';
}

/** @throws ItemUnreadable */
export function parse<T extends z.ZodMiniType>(shape: T, { pk, sk, body }: TableItem): z.output<T> {
  if (body.length > MOST_CHARACTERS * (pk === PARTITIONS.sequence ? 4 : 1))
    throw new ItemUnreadable(`${pk} ${sk}: ${body.length} characters are too many`);
  try {
    return z.parse(shape, JSON.parse(body));
  } catch (error) {
    const why = cut(String(error instanceof Error ? error.message : error), LONGEST_WHY);
    throw new ItemUnreadable(`${pk} ${sk}: ${why}`);
  }
}

export const expiryAfter = (at: Date, days: number) => Math.floor(at.getTime() / 1000) + days * 86_400;

/** A stack that is gone, and says no more, is forgotten by itself. */
const STATUS_LASTS_DAYS = 30;

export function statusItem({ member, acceptsRevert, ...rest }: MemberStatus): TableItem {
  const { spokeAt } = rest;
  const expires = expiryAfter(spokeAt, STATUS_LASTS_DAYS);
  const pk = PARTITIONS.status(member.account);
  return {
    pk,
    sk: sortKeyOf(member),
    version: spokeAt.getTime(),
    body: textOf({ ...rest, ...(acceptsRevert && { acceptsRevert }) }),
    expires,
  };
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
  const { acceptsRevert = false, ...rest } = parse(STATUS, item);
  return { member: memberIn(item), acceptsRevert, ...rest };
}

export function allowanceItem(member: MemberName, { generation, lines }: Allowance): TableItem {
  const pk = PARTITIONS.allowed(member.account);
  return { pk, sk: sortKeyOf(member), version: generation, body: textOf({ lines }) };
}

/** @throws ItemUnreadable */
export function allowanceIn(item: TableItem): Allowance {
  return { generation: item.version, ...parse(ALLOWANCE, item) };
}
