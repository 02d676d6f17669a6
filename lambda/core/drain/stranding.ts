import type { Action, Decision } from '../actions/decision.ts';
import { servicesOf } from '../group/concerned-services.ts';
import { isMarked } from '../group/marked.ts';
import { mayLeave, spareInstances } from '../group/spare.ts';
import type { Assessment, Detached } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Request } from '../model/request.ts';
import type { Fault } from '../reasons/faults.ts';
import type { Candidate } from './phase.ts';

/**
 * Keeps instances serving whose tasks would find no other place. They are tagged as if their drain had been
 * given up, so that the others can continue.
 *
 * @returns undefined if there are none
 */
export function keepStrandedServing(
  assessment: Assessment,
  candidates: readonly Candidate[],
): Decision | undefined {
  const { observation } = assessment;
  // A replacement that is still on its way may have room for them.
  if (!mayLeave(assessment, spareInstances(assessment))) return undefined;
  const next = candidates.filter(({ phase }) => phase === 'next');
  const stranding = next.filter(({ instance }) => observation.details?.stranded?.has(instance.instanceId));
  if (stranding.length === 0) return undefined;
  const ids = stranding.map(({ instance }) => instance.instanceId);
  const bad = imageFaults(ids, observation);
  if (bad.length > 0) return { kind: 'blocked', reason: { code: 'image-lacks', faults: bad }, failing: true };
  const reason = { code: 'drain-spared', instanceIds: ids, faults: whyStranded(ids, observation) } as const;
  const actions = stranding.map(({ instance: { instanceId, mark } }): Action => {
    return {
      kind: 'mark-instances',
      instanceIds: [instanceId],
      mark: { ...mark, drainGivenUpAt: observation.now },
    };
  });
  return { kind: 'act', reason, actions };
}

/** Why the tasks on these instances would find no other place. */
export function whyStranded(
  instanceIds: readonly string[],
  { details: { stranded } = {} }: Observation,
): Fault[] {
  return instanceIds.flatMap((id) => (stranded?.get(id) ?? []).map(({ why }) => why));
}

function imageFaults(instanceIds: readonly string[], { details: { stranded } = {} }: Observation): Fault[] {
  const all = instanceIds.flatMap((id) => stranded?.get(id) ?? []);
  return all.filter(({ byImage }) => byImage).map(({ why }) => why);
}

/**
 * Names of the services that have run short since a drain began: below their desired count, or, if a service
 * was ill before, below what it ran when the roll began. They were all steady when the drain began.
 */
export function servicesRunShort(observation: Observation, group: Group): string[] {
  const tolerated = group.roll?.unsteady ?? [];
  return servicesOf(group, observation)
    .filter(({ name, daemon, runningCount, desiredCount }) => {
      const before = tolerated.find((each) => each.name === name)?.runningCount ?? desiredCount;
      return !daemon && runningCount < Math.min(before, desiredCount);
    })
    .map(({ name }) => name);
}

/**
 * Gives instances whose drain was given up another turn because somebody asked for it: we can't see whether
 * the cause is fixed. Drains given up after the request stay given up.
 *
 * @returns undefined if nobody asked, or none was given up before
 */
export function retryGivenUp(
  group: Group,
  { retryBefore }: Pick<Request, 'retryBefore'>,
  { now }: Observation,
): Decision | undefined {
  if (retryBefore === undefined) return undefined;
  const givenUp = group.instances.filter(isMarked).filter((each) => wasGivenUpBefore(each, retryBefore));
  if (givenUp.length === 0) return undefined;
  return {
    kind: 'act',
    reason: { code: 'drain-retried', instanceIds: givenUp.map(({ instanceId }) => instanceId) },
    actions: givenUp.map(({ instanceId, mark: { detachStartedAt } }): Action => {
      const mark = { group: group.name, detachStartedAt, drainStartedAt: now };
      return { kind: 'mark-instances', instanceIds: [instanceId], mark };
    }),
  };
}

function wasGivenUpBefore({ mark: { drainGivenUpAt } }: Detached, time: Date): boolean {
  return drainGivenUpAt !== undefined && drainGivenUpAt < time;
}
