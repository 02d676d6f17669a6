import { describeDetachments } from '../aws/autoscaling-activities.ts';
import type { Aws } from '../aws/clients.ts';
import { detachableSince, disproves, LAG_SECONDS, proves } from '../core/group/detachment-proof.ts';
import type { Detached } from '../core/model/assessment.ts';
import type { Detachment } from '../core/model/group.ts';
import { earlier, isOver, later, secondsBetween } from '../core/model/time.ts';

/** How long we wait before asking Auto Scaling again about a detachment it hasn't shown. */
const AGAIN_SECONDS = 30;

/** What an invocation knows about detachments, by group and then by instance. */
export interface Detachments {
  of(group: string): ReadonlyMap<string, Detachment>;
  /** Notes that this invocation has detached them itself. */
  note(group: string, instanceIds: readonly string[], at: Date): void;
  /**
   * Asks Auto Scaling for the unknown ones, all in one Describe, and again for a while; for those without
   * marks once.
   *
   * @returns those that were detached and have had no marks since
   */
  learn(
    aws: Aws,
    group: Pick<DetachmentQuery, 'name' | 'createdAt'>,
    marked: readonly Detached[],
    now: Date,
    unmarked?: readonly PerhapsDetached[],
  ): Promise<string[]>;
}

/** Marked, or taken to be. */
export type PerhapsDetached = Pick<Detached, 'instanceId' | 'mark'>;

interface DetachmentQuery {
  readonly name: string;
  readonly createdAt: Date;
  readonly known: Map<string, Detachment>;
}

export function detachments(): Detachments {
  const byGroup = new Map<string, Map<string, Detachment>>();
  const askedAt = new Map<string, Date>();
  const askedOnce = new Set<string>();
  const knownOf = (group: string) => {
    const known = byGroup.get(group) ?? new Map<string, Detachment>();
    byGroup.set(group, known);
    return known;
  };
  return {
    of: knownOf,
    note(group, instanceIds, at) {
      for (const instanceId of instanceIds) knownOf(group).set(instanceId, { kind: 'told', at });
    },
    async learn(aws, { name, createdAt }, marked, now, unmarked = []) {
      const known = knownOf(name);
      const keyOf = ({ instanceId }: PerhapsDetached) => `${name} ${instanceId}`;
      for (const each of marked) askedOnce.delete(keyOf(each));
      const missing = marked.filter(({ instanceId, mark }) => !settles(known.get(instanceId), mark));
      const others = unmarked.filter((each) => !known.has(each.instanceId) && !askedOnce.has(keyOf(each)));
      if (others.length > 0 || missing.some((each) => isDue(each, known, askedAt.get(name), now))) {
        await ask(aws, { name, createdAt, known }, [...missing, ...others], now);
        askedAt.set(name, now);
      }
      for (const each of others) {
        askedOnce.add(keyOf(each));
        // Once it has a mark, its activity has all the time that it may take to show.
        if (known.get(each.instanceId)?.kind === 'missed') known.delete(each.instanceId);
      }
      const isLate = (each: PerhapsDetached) =>
        askedOnce.has(keyOf(each)) && proves(known.get(each.instanceId), each.mark);
      return unmarked.filter(isLate).map(({ instanceId }) => instanceId);
    },
  };
}

function settles(detachment: Detachment | undefined, mark: Detached['mark']): boolean {
  return proves(detachment, mark) || disproves(detachment, mark);
}

/** Due at once the first time, then every so often for as long as the activity may lag. */
function isDue(
  { instanceId }: PerhapsDetached,
  known: ReadonlyMap<string, Detachment>,
  askedAt: Date | undefined,
  now: Date,
): boolean {
  const detachment = known.get(instanceId);
  if (detachment?.kind !== 'missed' || askedAt === undefined) return true;
  return !isOver(detachment.since, LAG_SECONDS, now) && secondsBetween(askedAt, now) >= AGAIN_SECONDS;
}

async function ask(
  aws: Aws,
  { name, createdAt, known }: DetachmentQuery,
  missing: readonly PerhapsDetached[],
  now: Date,
) {
  const since = missing.map((each) => soughtSince(each, known)).reduce(earlier);
  // There was an earlier group of the same name.
  const deletedToo = missing.some(({ mark }) => mark.detachStartedAt < createdAt);
  const ids = missing.map(({ instanceId }) => instanceId);
  const told = await describeDetachments(aws, name, ids, since, deletedToo);
  for (const { instanceId, mark } of missing) {
    const at = told.get(instanceId);
    const before = known.get(instanceId);
    const detachment: Detachment | undefined = at && { kind: 'told', at };
    if (detachment !== undefined && settles(detachment, mark)) known.set(instanceId, detachment);
    else if (before?.kind !== 'missed') known.set(instanceId, { kind: 'missed', since: now });
  }
}

/** A detachment whose activity lags happened shortly before we first asked. */
function soughtSince({ instanceId, mark }: PerhapsDetached, known: ReadonlyMap<string, Detachment>): Date {
  const detachment = known.get(instanceId);
  const since = detachableSince(mark);
  if (detachment?.kind !== 'missed') return since;
  return later(since, new Date(detachment.since.getTime() - LAG_SECONDS * 1000));
}
