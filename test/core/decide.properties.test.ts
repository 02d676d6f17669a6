import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foresee } from '../../lambda/core/actions/actions.ts';
import type { Action, Decision } from '../../lambda/core/actions/decision.ts';
import { assess } from '../../lambda/core/group/assess.ts';
import { surgeCount } from '../../lambda/core/group/surge.ts';
import type { GroupAssessment } from '../../lambda/core/model/assessment.ts';
import type { ContainerInstance } from '../../lambda/core/model/cluster.ts';
import type { Group } from '../../lambda/core/model/group.ts';
import type { Observation } from '../../lambda/core/model/observation.ts';
import { instanceIdsOf } from '../../lambda/core/model/registrations.ts';
import { plan } from '../../lambda/core/plan/plan.ts';
import { describeDecision } from '../../lambda/core/text/decision.ts';
import { times } from '../sample/sampled.ts';
import { type AnyGroup, cases, casesBy } from './any-group.ts';
import { decideAll, ROLL, TARGET } from './builders.ts';

/** The same for every property, as to make them takes longer than to look at them. */
const SAMPLES = fc.sample(cases, { numRuns: times(2_000, 400), seed: 1 });

/**
 * Checks a property of decisions over many observations, and that at least some of them did what it is about.
 */
function holds(
  property: (one: AnyGroup) => boolean,
  atLeast: (one: AnyGroup) => boolean,
  samples = SAMPLES,
): void {
  const isTrue = samples.every((one) => isSo(property, one));
  // A failure is shown in as few words as possible.
  if (!isTrue) fc.assert(fc.property(cases, property), { numRuns: 20_000, seed: 1 });
  expect(isTrue).toBe(true);
  expect(samples.filter(atLeast).length).toBeGreaterThan(times(20, 2));
}

function isSo(property: (one: AnyGroup) => boolean, one: AnyGroup): boolean {
  try {
    return property(one);
  } catch {
    return false;
  }
}

const has =
  (...kinds: Action['kind'][]) =>
  ({ actions }: AnyGroup) =>
    actions.some(({ kind }) => kinds.includes(kind));

/** The instances that an action ends, or sets about to end; what is in a warm pool serves nobody. */
function touched({ warmPool }: Group, actions: readonly Action[]): string[] {
  const pooled = warmPool.map(({ instanceId }) => instanceId);
  return actions.flatMap((action) => {
    if (action.kind === 'drain') return action.containerInstances.map(({ instanceId }) => instanceId);
    if (action.kind === 'deregister') return [action.containerInstance.instanceId];
    if (action.kind !== 'terminate' && action.kind !== 'terminate-members') return [];
    return action.instanceIds.filter((id) => !pooled.includes(id));
  });
}

const isMember = (group: Group, id: string) => group.members.some(({ instanceId }) => instanceId === id);
const member = (group: Group, id: string) => group.members.find(({ instanceId }) => instanceId === id);
const instance = (group: Group, id: string) => group.instances.find(({ instanceId }) => instanceId === id);
const registrations = (observation: Observation, id: string) =>
  observation.containerInstances.filter(({ instanceId }) => instanceId === id);
/** What may have tasks. */
const hosts = (observation: Observation, id: string) =>
  registrations(observation, id).filter(({ status }) => status === 'ACTIVE' || status === 'DRAINING');
const tasksOn = (observation: Observation, arn: string) =>
  (observation.details?.tasks ?? []).filter((task) => task.containerInstanceArn === arn);
/** Another registration of the same instance is the connected one. */
const isForsaken = (observation: Observation, { arn, instanceId, agentConnected }: ContainerInstance) =>
  !agentConnected &&
  hosts(observation, instanceId).some((other) => other.arn !== arn && other.agentConnected);
const drained = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.kind === 'drain' ? action.containerInstances : []));

/**
 * The instances that this makes drain: one that drains already may register again, and that drains with it.
 */
const begun = (observation: Observation, actions: readonly Action[]) =>
  new Set(
    instanceIdsOf(drained(actions)).filter((id) =>
      registrations(observation, id).every(({ status }) => status !== 'DRAINING'),
    ),
  );

/** Ids of those that drain already and that this doesn't end. */
function drainingStill({ observation, group, strategy, actions }: AnyGroup): string[] {
  const others = actions.filter(({ kind }) => kind !== 'drain');
  const ended = new Set(touched(group, others));
  const draining = observation.containerInstances.filter(
    ({ instanceId, status }) =>
      status === 'DRAINING' &&
      !ended.has(instanceId) &&
      (!isMember(group, instanceId) || (strategy === 'in-place' && stays(group, instanceId))) &&
      instance(group, instanceId)?.mark &&
      instance(group, instanceId)?.alive &&
      !instance(group, instanceId)?.excluded,
  );
  return instanceIdsOf(draining);
}

/**
 * The members that are chosen to be replaced. What is in a warm pool, or more than was wanted, is no batch.
 */
function batchIn({ group, actions }: AnyGroup): readonly string[] {
  const givesBack = (group.roll?.changes.addedSizes.desiredCapacity ?? 0) > 0;
  if (givesBack) return [];
  const chosen = actions.flatMap((action) =>
    action.kind === 'mark-instances' && !action.mark.drainStartedAt ? action.instanceIds : [],
  );
  // A member that was chosen long ago is marked anew as it leaves.
  const marked = new Set(group.instances.flatMap(({ instanceId, mark }) => (mark ? [instanceId] : [])));
  return chosen.filter((instanceId) => !isPooled(group, instanceId) && !marked.has(instanceId));
}

function mostIn({ group, strategy, settings: { maxSurge, drainConcurrency } }: AnyGroup): number {
  if (strategy === 'in-place') return drainConcurrency === 'auto' ? 1 : drainConcurrency;
  if (maxSurge.kind !== 'percent') return surgeCount(maxSurge, group.members.length);
  return Math.max(1, Math.ceil((group.members.length * maxSurge.percent) / 100));
}

/** What is marked before an action of a decision, by it or earlier. */
function markedBefore({ group, actions }: AnyGroup, action: Action): Set<string> {
  const marked = group.instances.filter(({ mark }) => mark).map(({ instanceId }) => instanceId);
  const before = actions.slice(0, actions.indexOf(action));
  const chosen = before.flatMap((each) => (each.kind === 'mark-instances' ? each.instanceIds : []));
  return new Set([...marked, ...chosen]);
}

/** Runs the target: it is outdated by its launch spec or its age, if at all. */
const isOutdated = ({ group, settings }: AnyGroup, id: string) =>
  settings.drift.length > 1 || instance(group, id)?.imageId !== TARGET.imageId;

describe('whatever is observed', () => {
  test('only instances that are tagged, alive and not left out are drained, deregistered or terminated', () => {
    holds(
      ({ group, actions }) =>
        touched(group, actions).every((id) => {
          const { mark, alive, excluded } = instance(group, id) ?? {};
          return mark && alive && !excluded;
        }),
      has('drain', 'deregister', 'terminate', 'terminate-members'),
    );
  });

  test('members are drained and terminated only without a surge, and then through their group', () => {
    holds(
      ({ group, strategy, actions }) =>
        touched(group, actions).every((id) => !isMember(group, id) || strategy === 'in-place') &&
        actions.every(
          (action) => action.kind !== 'terminate' || action.instanceIds.every((id) => !isMember(group, id)),
        ) &&
        actions.every(
          (action) =>
            action.kind !== 'terminate-members' || action.instanceIds.every((id) => isMember(group, id)),
        ),
      (one) => one.strategy === 'in-place' && has('drain', 'terminate-members')(one),
    );
  });

  test('what is left out, or in a skipped Standby, is never tagged, detached or terminated', () => {
    holds(
      ({ group, settings, actions }) =>
        actions.every((action) => {
          if (!('instanceIds' in action) || action.kind === 'unmark-instances') return true;
          return action.instanceIds.every((id) => {
            const standsBy = settings.standby === 'skip' && member(group, id)?.lifecycleState === 'Standby';
            return !instance(group, id)?.excluded && !standsBy;
          });
        }),
      ({ group }) => group.instances.some(({ excluded }) => excluded),
    );
  });

  test('only outdated members in InService or Standby are detached, tagged before, twenty at a time', () => {
    holds((one) => {
      const { group, actions } = one;
      const givesBack = (group.roll?.changes.addedSizes.desiredCapacity ?? 0) > 0;
      return actions.every((action) => {
        if (action.kind !== 'detach-instances') return true;
        const marked = markedBefore(one, action);
        return (
          action.instanceIds.length <= 20 &&
          action.instanceIds.every((id) => {
            const state = member(group, id)?.lifecycleState ?? '';
            return (
              marked.has(id) && (isOutdated(one, id) || givesBack) && /^(InService|Standby)$/.test(state)
            );
          })
        );
      });
    }, has('detach-instances'));
  });

  test('a member that gets requests is detached only if that makes the group smaller', () => {
    holds(
      ({ group, strategy, actions }) =>
        actions.every(
          (action) =>
            action.kind !== 'detach-instances' ||
            action.decrement ||
            strategy === 'detach' ||
            action.instanceIds.every((id) => member(group, id)?.lifecycleState === 'Standby'),
        ),
      (one) => one.strategy === 'scale-out' && has('detach-instances')(one),
    );
  });

  test('a batch is no larger than the surge, and none is chosen while a tagged member lives', () => {
    holds(
      (one) => {
        const { group } = one;
        const batch = batchIn(one);
        const detachedLives = group.instances.some(
          ({ alive, mark, instanceId }) =>
            alive && mark && !isMember(group, instanceId) && !isPooled(group, instanceId),
        );
        return batch.length === 0 || (batch.length <= mostIn(one) && !detachedLives);
      },
      (one) => batchIn(one).length > 0,
    );
  });

  test('no more drain at once than allowed', () => {
    holds((one) => {
      const { observation, settings, actions } = one;
      const added = begun(observation, actions);
      const { drainConcurrency } = settings;
      if (added.size === 0 || drainConcurrency === 'auto') return true;
      return drainingStill(one).length + added.size <= drainConcurrency;
    }, has('drain'));
  });

  test('by auto, instances with tasks of one service drain or are chosen together only if it can spare them', () => {
    const together = (one: AnyGroup) => {
      const began = [...begun(one.observation, one.actions)];
      const chosen = one.actions.flatMap((action) =>
        action.kind === 'mark-instances' && action.mark.drainStartedAt ? action.instanceIds : [],
      );
      return [began.length > 0 ? [...began, ...drainingStill(one)] : [], chosen].filter(
        (ids) => ids.length > 1,
      );
    };
    const isSpared = ({ observation }: AnyGroup, ids: readonly string[]) => {
      const { movable, services = [] } = observation.details ?? {};
      const onEach = ids.map((id) => registrations(observation, id).flatMap(({ arn }) => movable?.get(arn)));
      return services.every(({ name, desiredCount }) => {
        const counts = onEach.map((each) => each.filter((task) => task?.service === name).length);
        const moving = counts.reduce((sum, count) => sum + count, 0);
        return Math.max(...counts) === moving || moving <= desiredCount / 4;
      });
    };
    holds(
      (one) => together(one).every((ids) => isSpared(one, ids)),
      (one) => together(one).length > 0,
      fc.sample(casesBy({ drainConcurrency: 'auto' }), { numRuns: times(5_000, 1_000), seed: 1 }),
    );
  });

  test('an instance drains only when the group is whole, and its turn was seen', () => {
    holds(
      ({ observation, group, settings, actions }) =>
        begun(observation, actions).size === 0 ||
        (drained(actions).every(({ instanceId }) => instance(group, instanceId)?.mark?.drainStartedAt) &&
          group.members
            .filter(({ instanceId }) => {
              const { imageId, excluded } = instance(group, instanceId) ?? {};
              return stays(group, instanceId) && imageId === TARGET.imageId && !excluded;
            })
            // One that is outdated by another cause may be about to drain itself.
            .filter(() => settings.drift.length === 1)
            .every(({ instanceId, lifecycleState, healthy }) => {
              const seen = registrations(observation, instanceId);
              const takesTasks = seen.some((each) => each.status === 'ACTIVE' && each.agentConnected);
              return lifecycleState === 'InService' && healthy && takesTasks;
            })),
      has('drain'),
    );
  });

  test('nothing registered ends with a task on it, daemons aside, or before the services were steady', () => {
    holds(
      ({ observation, group, settings, actions }) => {
        const since = group.watch.servedSince;
        const steady = since && observation.now.getTime() - since.getTime() >= settings.stableSeconds * 1000;
        const ending = actions.filter(({ kind }) => kind !== 'drain');
        return touched(group, ending).every((id) => {
          const all = hosts(observation, id);
          if (all.length === 0) return true;
          return (
            steady &&
            all.every((each) => each.status === 'DRAINING') &&
            all.every((each) =>
              tasksOn(observation, each.arn).every(
                ({ group: of, stopping }) =>
                  of === 'service:logs' || (stopping && isForsaken(observation, each)),
              ),
            )
          );
        });
      },
      has('terminate', 'terminate-members'),
    );
  });

  test('nothing begins to drain while fewer members than desired take tasks, not counting those that leave', () => {
    holds(
      ({ observation, group, actions }) => {
        if (begun(observation, actions).size === 0 || group.roll?.course.kind === 'rollback') return true;
        const counts = ({ instanceId, lifecycleState }: Group['members'][number]) => {
          const { mark, alive } = instance(group, instanceId) ?? {};
          if (mark !== undefined) return alive;
          const takesTasks = registrations(observation, instanceId).some(
            (each) => each.status === 'ACTIVE' && each.agentConnected,
          );
          return alive && lifecycleState === 'InService' && takesTasks;
        };
        const weights = group.members.filter(counts).map(({ weight }) => weight);
        return weights.reduce((sum, weight) => sum + weight, 0) >= group.desiredCapacity;
      },
      ({ observation, actions }) => begun(observation, actions).size > 0,
    );
  });

  test('all registrations of an instance begin to drain at once', () => {
    holds(
      ({ observation, actions }) =>
        drained(actions).every(({ instanceId }) =>
          hosts(observation, instanceId).every(
            (each) => each.status === 'DRAINING' || drained(actions).some(({ arn }) => arn === each.arn),
          ),
        ),
      ({ observation, actions }) =>
        drained(actions).some(({ instanceId }) => hosts(observation, instanceId).length > 1),
    );
  });

  test('only ACTIVE instances are set DRAINING, and only DRAINING ones back', () => {
    holds(
      ({ actions }) =>
        actions.every(
          (action) =>
            !('containerInstances' in action) ||
            action.containerInstances.every(
              ({ status }) => status === (action.kind === 'drain' ? 'ACTIVE' : 'DRAINING'),
            ),
        ),
      has('drain', 'activate'),
    );
  });

  test('nothing is deregistered with a task on it, of whatever kind', () => {
    holds(
      ({ observation, actions }) =>
        actions.every(
          (action) =>
            action.kind !== 'deregister' ||
            action.mayStay === true ||
            tasksOn(observation, action.containerInstance.arn).length === 0,
        ),
      has('deregister'),
    );
  });

  test('sizes change only as recorded before, and never to terminate a member', () => {
    holds(({ group, actions }) => {
      let { changes } = group.roll ?? {};
      return actions.every((action) => {
        if (action.kind === 'record-changes') changes = action.changes;
        if (action.kind !== 'set-sizes') return true;
        const { to } = changes?.addedSizes.change ?? {};
        const { desiredCapacity = to?.desiredCapacity, maxSize = to?.maxSize } = action;
        const isMeant = desiredCapacity === to?.desiredCapacity && maxSize === to?.maxSize;
        return isMeant && (desiredCapacity ?? 0) >= group.desiredCapacity;
      });
    }, has('set-sizes'));
  });

  test('a detach makes a group smaller only if that was recorded before', () => {
    holds(
      ({ actions }) =>
        actions.every(
          (action, index) =>
            action.kind !== 'detach-instances' ||
            !action.decrement ||
            actions
              .slice(0, index)
              .some((each) => each.kind === 'record-changes' && each.changes.addedSizes.change),
        ),
      ({ actions }) => actions.some((each) => each.kind === 'detach-instances' && each.decrement),
    );
  });

  test('only running processes are suspended, on record, and only recorded ones are resumed', () => {
    holds(
      ({ group, actions }) => {
        let { changes } = group.roll ?? {};
        return actions.every((action) => {
          if (action.kind === 'record-changes') changes = action.changes;
          if (action.kind !== 'suspend-processes' && action.kind !== 'resume-processes') return true;
          const runs = (name: string) => !group.suspendedProcesses.includes(name);
          return action.processes.every(
            // A run that was killed may have resumed it already.
            (name) => changes?.suspended.includes(name) && (action.kind === 'resume-processes' || runs(name)),
          );
        });
      },
      has('suspend-processes', 'resume-processes'),
    );
  });

  test('nothing stays suspended or changed when a roll ends', () => {
    holds(
      ({ group, decision }) =>
        decision.kind !== 'finish' ||
        (group.roll?.changes.suspended.length === 0 &&
          group.roll.changes.addedSizes.desiredCapacity === 0 &&
          group.roll.changes.addedSizes.maxSize === 0 &&
          group.roll.changes.addedSizes.change === undefined),
      ({ decision }) => decision.kind === 'finish',
    );
  });

  test('what an alias points to is never written, nor what another group would launch through it', () => {
    holds(
      ({ group, actions }) =>
        'obstacle' in group.launch ||
        group.launch.sources.every(({ place }) => !('alias' in place)) ||
        actions.every(({ kind }) => !/launch|version|policy/.test(kind)),
      ({ group }) =>
        'sources' in group.launch &&
        group.launch.sources.some(({ place, imageId }) => 'alias' in place && imageId !== TARGET.imageId),
    );
  });

  test('the order in which AWS answers does not matter', () => {
    holds(
      ({ observation, settings, decision }) => {
        const [group] = observation.groups;
        if (group === undefined) return false;
        const reversed = {
          ...observation,
          containerInstances: [...observation.containerInstances].reverse(),
          groups: [
            {
              ...group,
              members: [...group.members].reverse(),
              warmPool: [...group.warmPool].reverse(),
              instances: [...group.instances].reverse(),
            },
          ],
        };
        const again = decideAll(reversed, settings, ROLL)[0]?.decision;
        const actions = (one: Decision | undefined) => (one && 'actions' in one ? one.actions : []);
        expect(actions(again)).toEqual(actions(decision));
        return again?.kind === decision.kind;
      },
      has('detach-instances', 'drain', 'terminate', 'terminate-members', 'set-sizes'),
    );
  });

  test('repeating an action changes nothing more', () => {
    const counts = ['detach-instances', 'terminate-members', 'create-launch-template-version'];
    holds(
      ({ observation, group, actions }) => {
        for (const action of actions.filter(({ kind }) => !counts.includes(kind))) {
          const once = foresee({ ...observation, groups: [group] }, action);
          const [{ suspendedProcesses }] = once.groups;
          const again = foresee(once, action);
          expect({
            ...again.groups[0],
            suspendedProcesses: [...new Set(again.groups[0].suspendedProcesses)],
          }).toEqual({
            ...once.groups[0],
            suspendedProcesses: [...new Set(suspendedProcesses)],
          });
          expect(again.containerInstances).toEqual(once.containerInstances);
        }
        return true;
      },
      has('drain', 'terminate', 'mark-instances', 'set-sizes', 'suspend-processes'),
    );
  });

  test("no detail changes a group's assessment, so the assessment says which details are read", () => {
    holds(
      ({ observation, group, settings }) => {
        const { details: _, ...facts } = observation;
        const { details: __, ...bare } = group;
        const known = (assessment: GroupAssessment) => ({
          ...assessment,
          group: undefined,
          observation: undefined,
        });
        expect(known(assess(bare, facts, settings))).toEqual(known(assess(group, observation, settings)));
        return true;
      },
      ({ actions }) => actions.length > 0,
    );
  });

  test('every decision has its reason, and a plan comes to an end', () => {
    holds(
      ({ observation, group, settings, decision }) =>
        describeDecision(decision).length > 0 &&
        (plan(assess(group, observation, settings), ROLL).steps.length > 0 || decision.kind !== 'wait'),
      ({ decision }) => decision.kind === 'wait',
      SAMPLES.slice(0, times(700, 100)),
    );
  });
});

function isPooled({ warmPool }: Group, id: string): boolean {
  return warmPool.some(({ instanceId }) => instanceId === id);
}

function stays(group: Group, id: string): boolean {
  return !/^(Terminating|Detach|Standby)/.test(member(group, id)?.lifecycleState ?? 'Terminating');
}
