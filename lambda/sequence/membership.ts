import type { Aws } from '../aws/clients.ts';
import { explain, FailureAnswered, tryRead } from '../aws/errors.ts';
import { publishUnsealed } from '../aws/events.ts';
import { rare } from '../aws/rare.ts';
import type { SequenceTable } from '../aws/sequence-table.ts';
import type { Clock } from '../clock.ts';
import { MEMBERSHIP_ENVIRONMENT, PARTITIONS } from '../contract.ts';
import type { GroupDecision } from '../core/group-decision.ts';
import type { Permit } from '../core/model/permit.ts';
import type { Settings } from '../core/model/settings.ts';
import type { GroupResult } from '../core/result.ts';
import type { Allowance, MemberName, MemberStatus } from '../core/sequence/model.ts';
import { OUTSIDE_SEQUENCE, outsideSequenceEvent } from '../core/sequence/tell.ts';
import type { Command } from '../event.ts';
import type { SequenceMember } from '../invocation.ts';
import { allowanceIn, ItemUnreadable, sortKeyOf, statusIn, statusItem } from './items.ts';
import { memberStatus } from './member-status.ts';

/** What one invocation has to do with the sequence that its stack is a member of. */
export interface Membership extends SequenceMember {
  /** Says how the stack stands, once an invocation has looked at all of it. */
  speak(results: readonly GroupResult[]): Promise<void>;
}

export interface MembershipGiven {
  readonly aws: Aws;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly command: Pick<Command, 'action' | 'clusters' | 'outsideSequence'>;
  /** The function's own: it has the member's account and Region. */
  readonly functionArn: string;
  readonly warn: (text: string) => void;
}

/** A table that doesn't answer isn't asked at each look. */
const ASK_AGAIN_SECONDS = 60;

export async function membershipOf(
  given: MembershipGiven,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Membership> {
  const { aws, settings, clock, command, functionArn, warn } = given;
  const { table: arn, stack: name, acceptRevert } = MEMBERSHIP_ENVIRONMENT;
  const [, , , region = '', account = ''] = functionArn.split(':');
  const member = { account, region, stack: environment[name] ?? '' };
  const acceptsRevert = environment[acceptRevert] === 'true';
  const { sequenceTable } = await rare.sequenceTables();
  const table = sequenceTable(aws, environment[arn] ?? '');
  const heard = new Map<string, GroupDecision>();
  let generation: number | undefined;
  let before: Allowance['lines'] | undefined;
  let failed: { readonly at: Date; readonly permit: Permit } | undefined;
  if (command.outsideSequence && command.action === 'roll') await tellOutside(given, member);
  return {
    async permit() {
      if (command.outsideSequence) return undefined;
      const now = clock.now();
      if (failed && now.getTime() - failed.at.getTime() < ASK_AGAIN_SECONDS * 1000) return failed.permit;
      const answered = await tryRead(orUnreadable(allowanceOf(table, member)));
      const read = answered.kind === 'unread' && before ? { ...answered, before } : answered;
      if (read.kind === 'unread') {
        failed = { at: now, permit: read };
        warn(`the table of the sequence can't be read, so that nothing new begins: ${read.because}`);
      } else {
        failed = undefined;
        generation = read.answer.generation;
        before = read.answer.lines;
      }
      return read.kind === 'unread' ? read : permitIn(read.answer, acceptsRevert);
    },
    heard(decided) {
      for (const each of decided)
        heard.set(`${each.assessment.observation.cluster}/${each.assessment.group.name}`, each);
    },
    async speak(results) {
      // Of clusters that it wasn't asked about it would say nothing.
      if (command.action !== 'roll' || command.clusters.length < settings.clusters.length) return;
      if (command.outsideSequence) return;
      try {
        const previous = await previousOf(table, member);
        const status = memberStatus({
          member,
          now: clock.now(),
          generation: generation ?? previous?.generation ?? 0,
          acceptsRevert,
          decided: [...heard.values()],
          unknown: results.flatMap(({ state, reason }) => (state === 'failed' ? [reason] : [])),
          previous,
        });
        await table.write(statusItem(status));
      } catch (error) {
        warn(`the sequence can't be told how this stack stands: ${explain(error)}`);
      }
    },
  };
}

const keyOf = (partition: (account: string) => string, member: MemberName) => ({
  pk: partition(member.account),
  sk: sortKeyOf(member),
});

async function allowanceOf(table: SequenceTable, member: MemberName): Promise<Allowance> {
  const item = await table.read(keyOf(PARTITIONS.allowed, member));
  return item === undefined ? { generation: 0, lines: new Map() } : allowanceIn(item);
}

/** What a stranger has spoilt is no fault of ours: it is told as what AWS refuses is. */
async function orUnreadable<Answer>(read: Promise<Answer>): Promise<Answer> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof ItemUnreadable ? new FailureAnswered(error.message) : error;
  }
}

/** One that can't be read is as good as none. */
async function previousOf(table: SequenceTable, member: MemberName): Promise<MemberStatus | undefined> {
  const item = await table.read(keyOf(PARTITIONS.status, member));
  try {
    return item && statusIn(item);
  } catch (error) {
    if (!(error instanceof ItemUnreadable)) throw error;
    return undefined;
  }
}

/** Who accepts no revert stays where it is. */
function permitIn({ lines }: Allowance, acceptsRevert: boolean): Permit {
  const own = [...lines].filter(([, { isBack }]) => !isBack || acceptsRevert);
  return { kind: 'read', lines: new Map(own) };
}

/** Tells of the roll before it begins: whoever kills it then has been told all the same. */
async function tellOutside({ aws, settings, clock, command, warn }: MembershipGiven, member: MemberName) {
  const { eventBus } = settings;
  if (eventBus === undefined) return;
  try {
    const event = outsideSequenceEvent(member, command.clusters, clock.now());
    await publishUnsealed(aws, eventBus, [event], () => OUTSIDE_SEQUENCE);
  } catch (error) {
    warn(`the event bus could not be told of a roll outside the sequence: ${explain(error)}`);
  }
}
