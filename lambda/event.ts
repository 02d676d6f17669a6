import * as z from 'zod/mini';
import { ACTIONS, CONTINUE_EVENT, type CommandAction } from './contract.ts';
import type { GroupQuestion } from './core/reasons/words.ts';
import { clusterName, isForeign } from './settings/parse-settings.ts';

/** What an invocation is asked to do. */
export interface Command {
  readonly action: CommandAction;
  /** The clusters to look at: all configured ones, or some of them. */
  readonly clusters: readonly string[];
  readonly force: boolean;
  /** Rolls whatever the sequence says that the stack is a member of. */
  readonly outsideSequence?: true;
  /** What somebody approves or refuses; only with these actions. */
  readonly answers?: GroupQuestion;
  /** A person or program asked for this directly, not a schedule or notification. */
  readonly asked: boolean;
  /** What invoked the function, for the log. */
  readonly origin: string;
  /** Image ids mentioned in a notification, for the log only. */
  readonly mentionedImageIds: readonly string[];
}

/** An event that makes no sense to us. `faults` has one sentence for each thing wrong with it. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The event is refused and nothing was changed: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html */
const SCHEDULED_EVENT = z.looseObject({
  source: z.literal('aws.events'),
  'detail-type': z.literal('Scheduled Event'),
});

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sns.html */
const SNS_EVENT = z.looseObject({
  Records: z
    .array(
      z.looseObject({
        EventSource: z.literal('aws:sns'),
        Sns: z.looseObject({ TopicArn: z.string(), Message: z.string() }),
      }),
    )
    .check(z.minLength(1)),
});

/**
 * Reads an event. A schedule's or notification's means: roll every configured cluster. Anything else must
 * be a direct invocation. The content of a notification is never acted on.
 *
 * @param functionArn the function's own ARN: a cluster in another account or Region isn't configured, even
 *   if it has the same name
 * @throws EventError with every fault at once
 */
export function parseEvent(event: unknown, configured: readonly string[], functionArn: string): Command {
  const rollAll = { action: 'roll', clusters: configured, force: false, asked: false } as const;
  if (z.safeParse(SCHEDULED_EVENT, event).success) {
    return { ...rollAll, origin: 'schedule', mentionedImageIds: [] };
  }
  const notification = z.safeParse(SNS_EVENT, event);
  if (notification.success) {
    const records = notification.data.Records.map(({ Sns }) => Sns);
    const origin = `notification of ${records.map(({ TopicArn }) => TopicArn).join(', ')}`;
    const ids = records.flatMap(({ Message }) => Message.match(/\bami-[0-9a-f]{8,17}\b/g) ?? []);
    return { ...rollAll, origin, mentionedImageIds: [...new Set(ids)] };
  }
  return parseDirect(event, configured, functionArn);
}

function parseDirect(event: unknown, configured: readonly string[], functionArn: string): Command {
  const parsed = z.safeParse(directSchema(configured, functionArn), event);
  if (!parsed.success) throw new EventError(parsed.error.issues.flatMap((issue) => faultsOf(issue, event)));
  const { action, clusters, force, outsideSequence } = parsed.data;
  const answers = answersIn(parsed.data);
  if (force && action !== 'roll' && action !== 'plan') {
    throw new EventError([`force works with the actions roll and plan, not with ${action}`]);
  }
  if (outsideSequence && action !== 'roll' && action !== 'plan') {
    throw new EventError([`outsideSequence works with the actions roll and plan, not with ${action}`]);
  }
  const names = clusters?.flatMap((cluster) => clusterName(cluster) ?? []) ?? configured;
  return {
    action,
    clusters: [...new Set(names)],
    force: force ?? false,
    ...(outsideSequence && { outsideSequence }),
    ...(answers && { answers }),
    asked: action !== CONTINUE_EVENT.action,
    origin: 'direct invocation',
    mentionedImageIds: [],
  };
}

/** @throws EventError unless an answer says which group's question it is for, and nothing else does */
function answersIn({ action, group, question }: Answering): GroupQuestion | undefined {
  const answers = action === 'approve' || action === 'refuse';
  if (answers && group !== undefined && question !== undefined) return { group, question };
  const amiss = Object.entries({ group, question }).filter(([, value]) => (value === undefined) === answers);
  if (amiss.length === 0) return undefined;
  throw new EventError(
    amiss.map(([key]) =>
      answers
        ? `${key} was missing; it may be ${MAY_BE[key as keyof typeof MAY_BE]}`
        : `${key} works with the actions approve and refuse, not with ${action}`,
    ),
  );
}

type Answering = Pick<Command, 'action'> & Partial<Record<keyof GroupQuestion, string | undefined>>;

function directSchema(configured: readonly string[], functionArn: string) {
  const isConfigured = (cluster: string): boolean =>
    configured.includes(clusterName(cluster) ?? '') && !isForeign(cluster, functionArn);
  return z.strictObject({
    action: z.enum(ACTIONS),
    clusters: z.optional(z.array(z.string().check(z.refine(isConfigured))).check(z.minLength(1))),
    force: z.optional(z.literal(true)),
    outsideSequence: z.optional(z.literal(true)),
    group: z.optional(z.string().check(z.minLength(1))),
    question: z.optional(z.string().check(z.regex(/^[0-9a-f]{8}$/))),
    // A dashboard adds who looks at it, and how.
    widgetContext: z.optional(z.unknown()),
  });
}

/** Says what the value was and what it may be. */
function faultsOf(issue: z.core.$ZodIssue, event: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(
      (key) => `${key} isn't a key of an event; there are ${Object.keys(MAY_BE).join(', ')}`,
    );
  }
  const [key, index] = issue.path;
  const was = JSON.stringify(valueAt(event, issue.path)) ?? 'missing';
  if (key === undefined)
    return [`the event was ${was}; it may be an object with ${Object.keys(MAY_BE).join(', ')}`];
  const name = index === undefined ? String(key) : `${String(key)}[${String(index)}]`;
  return [`${name} was ${was}; it may be ${MAY_BE[key as keyof typeof MAY_BE]}`];
}

const MAY_BE = {
  action: ACTIONS.join(', '),
  clusters: 'a list with some of the clusters that the function is configured with',
  force: 'true or left out',
  outsideSequence: 'true or left out',
  group: 'the group that asks',
  question: 'what the roll asked by, such as 9c1f02ab',
} as const;

function valueAt(event: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    event,
  );
}
