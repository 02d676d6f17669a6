import { isProtected } from './drain/give-up-stuck-drain.ts';
import { hidesTasks, lingering, losableOn } from './group/steadiness.ts';
import type { ContainerInstance, Task } from './model/cluster.ts';
import type { Observation } from './model/observation.ts';
import { isHost, registrationsOf } from './model/registrations.ts';
import type { ChatNotification } from './model/roll-event.ts';
import { serviceIn } from './model/task-group.ts';
import { isOver, secondsBetween } from './model/time.ts';
import { allFaults } from './reasons/faults.ts';
import { chatOf, cut } from './text/events.ts';

/** An instance that its group ends, held by terminate hooks: which of them isn't to be seen. */
export interface EndingInstance {
  readonly instanceId: string;
  readonly group: string;
  /** Its group doesn't end it, but replaces its root volume. */
  readonly replacesRootVolume?: true;
  /** When its group began to end it; absent while no activity tells. */
  readonly since?: Date;
  /** It has stopped, or EC2 knows it no more. */
  readonly gone: boolean;
  /** Since when no agent of it has been connected, as far as this invocation has watched. */
  readonly awaySince?: Date;
}

/** What was seen of those that end, at one moment. */
export interface EndingsSeen {
  readonly now: Date;
  /** Of each cluster, with the container instances of those that end and their tasks. */
  readonly clusters: readonly Observation[];
  /** A cluster couldn't be read, so that nobody is known to be in none. */
  readonly isPartial: boolean;
}

export type TerminationStep =
  /** Our hook lets go of it. */
  | { readonly kind: 'release'; readonly because: keyof typeof RELEASES; readonly left: readonly Task[] }
  | { readonly kind: 'drain'; readonly containerInstances: readonly ContainerInstance[] }
  /** `isSoon`: something may be due within minutes. */
  | { readonly kind: 'keep'; readonly left: readonly Task[]; readonly isSoon: boolean };

/** Nothing reports tasks of an agent that is away. One reconnects several times an hour. */
const AWAY_SECONDS = 600;

/** Until the next tick finds it, whoever waits for that. */
const SOON_SECONDS = 300;

const RELEASES = {
  gone: 'it has stopped, or is gone',
  unregistered: 'it is in none of the clusters',
  empty: 'nothing is left on it',
  late: 'its time is over',
  away: `its agent has been away for ${AWAY_SECONDS / 60} min`,
} as const;

/**
 * What is next for an instance that ends. It drains at once, unless a task there is protected: AWS doesn't
 * say whether ECS spares that, so it gets half of the time before.
 */
export function nextStep(ending: EndingInstance, seen: EndingsSeen, timeoutSeconds: number): TerminationStep {
  const { instanceId, since, gone, awaySince } = ending;
  const { now, clusters, isPartial } = seen;
  const hosts = clusters.flatMap((each) => registrationsOf(each, instanceId).filter(isHost));
  const left = clusters.flatMap((each) => losableOn(each, instanceId));
  const release = (because: keyof typeof RELEASES) => ({ kind: 'release', because, left }) as const;
  const hasLasted = (seconds: number) => since !== undefined && isOver(since, seconds, now);
  if (gone) return release('gone');
  if (hosts.length === 0 && !isPartial) return release('unregistered');
  if (hasLasted(timeoutSeconds)) return release('late');
  const active = hosts.filter(({ status }) => status === 'ACTIVE');
  const isSpared = left.some((task) => isProtected(task, now)) && !hasLasted(timeoutSeconds / 2);
  if (active.length > 0 && !isSpared) return { kind: 'drain', containerInstances: active };
  const isUnsure = isPartial || clusters.some((each) => hidesTasks(each, instanceId));
  if (active.length === 0 && left.length === 0 && !isUnsure) return release('empty');
  if (awaySince !== undefined && isOver(awaySince, AWAY_SECONDS, now)) return release('away');
  const isSoon =
    isUnsure ||
    awaySince !== undefined ||
    hasLasted(timeoutSeconds - SOON_SECONDS) ||
    left.some((task) => task.stopping || (serviceIn(task.group) !== undefined && !isProtected(task, now)));
  return { kind: 'keep', left, isSoon };
}

/** A step in words, without its subject. */
export function describeStep(
  { instanceId, since, replacesRootVolume }: Omit<EndingInstance, 'group' | 'gone'>,
  step: TerminationStep,
  { now, clusters }: EndingsSeen,
  timeoutSeconds: number,
): string {
  if (step.kind === 'drain')
    return `drains ${instanceId}, ${replacesRootVolume ? 'whose root volume its group replaces' : 'which its group ends'}`;
  const faults = clusters.flatMap((each) => lingering(each, instanceId, true));
  const left = faults.length === 0 ? '' : `, with ${allFaults(faults)}`;
  if (step.kind === 'release') return `lets go of ${instanceId}, as ${RELEASES[step.because]}${left}`;
  if (since === undefined)
    return (
      `keeps ${instanceId}${left}; no activity of its group tells since when, so that its hook's own time is ` +
      'its last limit'
    );
  const minutes = Math.max(0, Math.ceil((timeoutSeconds - secondsBetween(since, now)) / 60));
  return `keeps ${instanceId}${left}; ${minutes} min are left`;
}

/** What became of an instance that our hook let go of. */
export interface EndedInstance extends EndingInstance {
  readonly step: Extract<TerminationStep, { kind: 'release' }>;
  readonly at: Date;
  readonly cluster: string;
  /** In words. */
  readonly says: string;
}

/** What goes to the event bus: an instance was drained, or its time was too short for some tasks. */
export interface TerminationEvent {
  readonly version: '1';
  /** The same however often it is published. */
  readonly id: string;
  readonly kind: 'drained' | 'timed-out';
  readonly at: string;
  readonly cluster: string;
  readonly group: string;
  readonly instanceId: string;
  /** Seconds from when its group began to end it; absent if that isn't known. */
  readonly seconds?: number;
  /** Those that it took along, by their ARNs. */
  readonly tasks: readonly string[];
  /** One line for a person. */
  readonly text: string;
  readonly chat: ChatNotification;
}

/** An event may have 256 KB. */
const MOST_TASKS = 100;
const LONGEST_TEXT = 4000;

/** @returns undefined for what had gone already, which nobody could help */
export function terminationEvent({
  step,
  instanceId,
  group,
  cluster,
  since,
  at,
  says,
}: EndedInstance): TerminationEvent | undefined {
  if (step.because === 'gone' || step.because === 'unregistered') return undefined;
  const kind = step.because === 'empty' ? 'drained' : 'timed-out';
  const id = [cluster, group, instanceId, since?.toISOString() ?? 'unknown', kind].join('/');
  const text = cut(`${cluster}/${group}: ${says}`, LONGEST_TEXT);
  return {
    version: '1',
    id,
    kind,
    at: at.toISOString(),
    cluster,
    group,
    instanceId,
    ...(since && { seconds: Math.round(secondsBetween(since, at)) }),
    tasks: step.left.slice(0, MOST_TASKS).map(({ arn }) => arn),
    text,
    chat: chatOf({
      id,
      sign: kind === 'drained' ? ':white_check_mark:' : ':warning:',
      eventType: terminationDetailType(kind),
      place: `${cluster}/${group}`,
      text,
      threadId: `${cluster}/${group}/terminations`,
    }),
  };
}

/** Its detail type on the bus. */
export function terminationDetailType(kind: TerminationEvent['kind']): string {
  return kind === 'drained' ? 'Termination drained' : 'Termination timed out';
}
