import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../lambda/core/decide.ts';
import type { Action, Decision } from '../../lambda/core/decision.ts';
import { foresee } from '../../lambda/core/foresee.ts';
import type { Group, Observation } from '../../lambda/core/model.ts';
import { planSteps } from '../../lambda/core/plan.ts';
import type { Settings } from '../../lambda/core/settings.ts';
import { NEWER, OLD, observe, ROLL, type Sketch, service, TARGET } from './builders.ts';

/** Any instance that AWS could show. */
const anySketch = (id: number): fc.Arbitrary<Sketch> =>
  fc.record({
    id: fc.constant(`i-${id}`),
    image: fc.constantFrom(OLD, OLD, TARGET, TARGET, NEWER),
    member: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('InService', null) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('Pending', 'Standby', 'Terminating', 'Terminating:Wait', 'Detaching'),
      },
    ),
    healthy: fc.boolean(),
    ecs: fc.constantFrom('ACTIVE', 'ACTIVE', 'DRAINING', 'DRAINING', 'REGISTERING', 'DEREGISTERING', null),
    agentConnected: fc.boolean(),
    alive: fc.boolean(),
    age: fc.constantFrom(10, 300, 1_000, 90_000),
    marked: fc.option(fc.constantFrom(5, 400, 2_000), { nil: undefined }),
    turn: fc.option(fc.constantFrom(5, 400, 2_000), { nil: undefined }),
    tasks: fc.array(fc.constantFrom('service:api', 'service:logs', 'family:batch'), { maxLength: 2 }),
    pending: fc.constantFrom(0, 0, 0, 1),
    running: fc.integer({ min: 0, max: 9 }),
  });

/** Instances as they stand in the middle of a roll that goes well: without them hardly any roll would get on. */
const orderly: readonly Partial<Sketch>[] = [
  { image: OLD },
  { image: TARGET },
  { image: OLD, member: null, marked: 400 },
  { image: OLD, member: null, marked: 400, turn: 60 },
  { image: OLD, member: null, marked: 400, turn: 60, ecs: 'DRAINING' },
  { image: OLD, member: null, marked: 400, turn: 60, ecs: 'DRAINING', tasks: ['service:logs'] },
  { image: OLD, member: null, marked: 400, turn: 60, ecs: null },
];

/** Groups of which few, or all, instances are as they should be. */
const sketches = fc
  .tuple(
    fc.integer({ min: 0, max: 30 }),
    fc.constantFrom(0, 1, 1, 20),
    fc.subarray([...orderly], { minLength: 1 }),
  )
  .chain(([count, disorder, kinds]) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.oneof(
          { weight: disorder, arbitrary: anySketch(index + 1) },
          {
            weight: 10,
            arbitrary: fc.constantFrom(...kinds).map((kind): Sketch => ({ id: `i-${index + 1}`, ...kind })),
          },
        ),
      ),
    ),
  );

const settings: fc.Arbitrary<Settings> = fc.record({
  clusters: fc.constant(['web']),
  image: fc.constantFrom<Settings['image']>({ kind: 'auto' }, { kind: 'id', imageId: TARGET.imageId }),
  maxSurge: fc.oneof(
    fc.record({ kind: fc.constant('count' as const), count: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 1, max: 100 }) }),
  ),
  drainConcurrency: fc.integer({ min: 1, max: 4 }),
  pollSeconds: fc.constant(10),
  stableSeconds: fc.constantFrom(0, 30),
  readyTimeoutSeconds: fc.constant(900),
  drainTimeoutSeconds: fc.constant(1800),
  keepLaunchSpecs: fc.integer({ min: 0, max: 2 }),
});

const scene = fc.record({
  services: fc.constantFrom(
    [service('api'), service('logs', { daemon: true })],
    [service('api', { runningCount: 1 }), service('logs', { daemon: true })],
    [service('api', { deploying: true })],
  ),
  settled: fc.option(fc.constantFrom(0, 29, 30, 500), { nil: undefined }),
  /** How many members more than it has the group should have. */
  lacking: fc.constantFrom(0, 0, 0, 0, 1, -1),
});

interface Case {
  readonly observation: Observation;
  readonly group: Group;
  readonly settings: Settings;
  readonly decision: Decision;
  readonly actions: readonly Action[];
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(sketches, scene, settings)
  .map(([instances, { lacking, ...rest }, settings]) => {
    const members = instances.filter(({ member }) => member !== null).length;
    const observation = observe(instances, { ...rest, desiredCapacity: Math.max(0, members + lacking) });
    const [decided] = decide(observation, settings, ROLL);
    if (decided === undefined) throw new Error('nothing was decided');
    const { group, decision } = decided;
    return { observation, group, settings, decision, actions: 'actions' in decision ? decision.actions : [] };
  });

/** Checks a property of decisions over many observations, and that at least some of them did what it is about. */
function holds(property: (one: Case) => boolean, atLeast: (one: Case) => boolean): void {
  let relevant = 0;
  fc.assert(
    fc.property(cases, (one) => {
      if (atLeast(one)) relevant++;
      return property(one);
    }),
    { numRuns: 2_000, seed: 1 },
  );
  expect(relevant).toBeGreaterThan(20);
}

const has =
  (...kinds: Action['kind'][]) =>
  ({ actions }: Case) =>
    actions.some(({ kind }) => kinds.includes(kind));

/** The instances that an action ends, or sets about to end. */
function touched(actions: readonly Action[]): string[] {
  return actions.flatMap((action) => {
    if (action.kind === 'drain') return action.containerInstances.map(({ instanceId }) => instanceId);
    if (action.kind === 'deregister') return [action.containerInstance.instanceId];
    return action.kind === 'terminate' ? action.instanceIds : [];
  });
}

const isMember = (group: Group, id: string) => group.members.some(({ instanceId }) => instanceId === id);
const instance = (group: Group, id: string) => group.instances.find(({ instanceId }) => instanceId === id);
const registered = (observation: Observation, id: string) =>
  observation.containerInstances.find(({ instanceId }) => instanceId === id);
const tasksOn = (observation: Observation, id: string) =>
  observation.tasks.filter((task) => task.containerInstanceArn === registered(observation, id)?.arn);
const drained = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.kind === 'drain' ? action.containerInstances : []));

describe('whatever is observed', () => {
  test('only instances that are tagged, alive and in no group are drained, deregistered or terminated', () => {
    holds(
      ({ group, actions }) =>
        touched(actions).every(
          (id) => !isMember(group, id) && instance(group, id)?.mark && instance(group, id)?.alive,
        ),
      has('drain', 'deregister', 'terminate'),
    );
  });

  test('only outdated members that are InService or Standby are detached, tagged before, twenty at a time', () => {
    holds(({ group, actions }) => {
      const marked = new Set(group.instances.filter(({ mark }) => mark).map(({ instanceId }) => instanceId));
      return actions.every((action) => {
        if (action.kind === 'mark-instances') for (const id of action.instanceIds) marked.add(id);
        if (action.kind !== 'detach-instances') return true;
        return (
          action.instanceIds.length <= 20 &&
          action.instanceIds.every((id) => {
            const member = group.members.find(({ instanceId }) => instanceId === id);
            const outdated = instance(group, id)?.imageId !== TARGET.imageId;
            return marked.has(id) && outdated && /^(InService|Standby)$/.test(member?.lifecycleState ?? '');
          })
        );
      });
    }, has('detach-instances'));
  });

  test('a batch is no larger than the surge, and none is chosen while a tagged one lives', () => {
    holds(
      ({ group, settings: { maxSurge }, actions }) =>
        actions.every((action) => {
          if (action.kind !== 'mark-instances' || action.mark.drainStartedAt) return true;
          const most =
            maxSurge.kind === 'count'
              ? maxSurge.count
              : Math.max(1, Math.ceil((group.members.length * maxSurge.percent) / 100));
          const detachedLives = group.instances.some(
            ({ alive, mark, instanceId }) => alive && mark && !isMember(group, instanceId),
          );
          return action.instanceIds.length <= most && !detachedLives;
        }),
      (one) => one.actions.some((action) => action.kind === 'mark-instances' && !action.mark.drainStartedAt),
    );
  });

  test('no more drain at once than may', () => {
    holds(({ observation, group, settings, actions }) => {
      const ended = new Set(touched(actions.filter(({ kind }) => kind !== 'drain')));
      const before = observation.containerInstances.filter(
        ({ instanceId, status }) =>
          status === 'DRAINING' &&
          !ended.has(instanceId) &&
          !isMember(group, instanceId) &&
          instance(group, instanceId)?.mark &&
          instance(group, instanceId)?.alive,
      ).length;
      const added = drained(actions).length;
      return added === 0 || before + added <= settings.drainConcurrency;
    }, has('drain'));
  });

  test('an instance drains only when the group is whole, and its turn was seen', () => {
    holds(
      ({ observation, group, actions }) =>
        drained(actions).length === 0 ||
        (drained(actions).every(({ instanceId }) => instance(group, instanceId)?.mark?.drainStartedAt) &&
          group.members
            .filter(({ instanceId, lifecycleState }) => {
              const stays = !/^(Terminating|Detach|Standby)/.test(lifecycleState);
              return stays && instance(group, instanceId)?.imageId === TARGET.imageId;
            })
            .every(({ instanceId, lifecycleState, healthy }) => {
              const seen = registered(observation, instanceId);
              return (
                lifecycleState === 'InService' && healthy && seen?.status === 'ACTIVE' && seen.agentConnected
              );
            })),
      has('drain'),
    );
  });

  test('nothing that is registered ends with a task on it, daemons aside, or before the services were steady', () => {
    holds(({ observation, group, settings, actions }) => {
      const since = group.watch.settledSince;
      const steady = since && observation.now.getTime() - since.getTime() >= settings.stableSeconds * 1000;
      return touched(actions.filter(({ kind }) => kind !== 'drain')).every((id) => {
        if (registered(observation, id) === undefined) return true;
        return steady && tasksOn(observation, id).every((task) => task.group === 'service:logs');
      });
    }, has('terminate'));
  });

  test('nothing is deregistered with a task on it, of whatever kind', () => {
    holds(
      ({ observation, actions }) =>
        actions.every(
          (action) =>
            action.kind !== 'deregister' ||
            tasksOn(observation, action.containerInstance.instanceId).length === 0,
        ),
      has('deregister'),
    );
  });

  test('it does not matter in which order AWS answers', () => {
    holds(
      ({ observation, settings, decision }) => {
        const [group] = observation.groups;
        if (group === undefined) return false;
        const reversed = {
          ...observation,
          containerInstances: [...observation.containerInstances].reverse(),
          groups: [
            { ...group, members: [...group.members].reverse(), instances: [...group.instances].reverse() },
          ],
        };
        const again = decide(reversed, settings, ROLL)[0]?.decision;
        const actions = (one: Decision | undefined) => (one && 'actions' in one ? one.actions : []);
        expect(actions(again)).toEqual(actions(decision));
        return again?.kind === decision.kind;
      },
      has('detach-instances', 'drain', 'terminate'),
    );
  });

  test('an action that is repeated changes nothing more', () => {
    holds(
      ({ observation, group, actions }) => {
        for (const action of actions.filter(({ kind }) => kind !== 'detach-instances')) {
          const once = foresee({ ...observation, groups: [group] }, action);
          expect(foresee(once, action)).toEqual(once);
        }
        return true;
      },
      has('drain', 'terminate', 'mark-instances'),
    );
  });

  test('every decision has its reason, and a plan comes to an end', () => {
    holds(
      ({ observation, group, settings, decision }) =>
        decision.reason.length > 0 && planSteps(group, observation, settings, ROLL).length > 0,
      ({ decision }) => decision.kind === 'wait',
    );
  });
});
