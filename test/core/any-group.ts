import fc from 'fast-check';
import type { Action, Decision } from '../../lambda/core/actions/decision.ts';
import { type Strategy, strategyOf } from '../../lambda/core/group/strategy.ts';
import type { Movable } from '../../lambda/core/model/cluster.ts';
import type { Group } from '../../lambda/core/model/group.ts';
import type { Launch, LaunchPlace, LaunchSource } from '../../lambda/core/model/launch.ts';
import type { Observation } from '../../lambda/core/model/observation.ts';
import type { TemporaryChanges } from '../../lambda/core/model/roll.ts';
import { type Settings, settingsOf } from '../../lambda/core/model/settings.ts';
import {
  decideAll,
  launching,
  NEWER,
  OLD,
  observe,
  PLACE,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
  TARGET,
} from './builders.ts';

const anyStatus = fc.constantFrom(
  'ACTIVE',
  'ACTIVE',
  'DRAINING',
  'DRAINING',
  'REGISTERING',
  'REGISTRATION_FAILED',
  'DEREGISTERING',
  null,
);

/** A second registration of an instance. */
const anyTwin = fc.record({
  ecs: anyStatus,
  agentConnected: fc.boolean(),
  stopping: fc.boolean(),
  tasks: fc.array(fc.constantFrom('service:api', 'service:logs', 'family:batch'), { maxLength: 2 }),
});

const ROOM = { cpu: 2048, memory: 4096 };

/** Where nothing else is the matter, two of these may move at once. */
const MOVABLE: Movable = { service: 'api', needs: { cpu: 256, memory: 512 }, exclusive: false };

/** Any instance that AWS could show. */
const anySketch = (id: string): fc.Arbitrary<Sketch> =>
  fc.record({
    id: fc.constant(id),
    image: fc.constantFrom(OLD, OLD, TARGET, TARGET, NEWER),
    member: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('InService', null) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('Pending', 'Standby', 'Terminating', 'Terminating:Wait', 'Detaching'),
      },
    ),
    healthy: fc.boolean(),
    ecs: anyStatus,
    agentConnected: fc.boolean(),
    alive: fc.boolean(),
    age: fc.constantFrom(10, 300, 1_000, 90_000),
    marked: fc.option(fc.constantFrom(5, 400, 2_000), { nil: undefined }),
    turn: fc.option(fc.constantFrom(5, 400, 2_000), { nil: undefined }),
    tasks: fc.array(fc.constantFrom('service:api', 'service:logs', 'family:batch'), { maxLength: 2 }),
    pending: fc.constantFrom(0, 0, 0, 1),
    running: fc.integer({ min: 0, max: 9 }),
    weight: fc.constantFrom(1, 1, 1, 2),
    excluded: fc.constantFrom(false, false, false, true),
    serving: fc.constantFrom(true, true, true, false),
    twin: fc.option(anyTwin, { nil: undefined, freq: 3 }),
    registered: fc.option(fc.constantFrom(10, 90_000), { nil: undefined }),
    remaining: rarely(fc.constant(undefined), ROOM),
    moves: fc.constantFrom<Sketch['moves'][]>(undefined, [], [MOVABLE], [MOVABLE, MOVABLE]),
  });

const drained = { image: OLD, member: null, marked: 400, turn: 60, ecs: 'DRAINING' } as const;

/** Instances as they are in the middle of a smooth roll: without them hardly any roll would get anywhere. */
const orderly: readonly Partial<Sketch>[] = [
  { image: OLD },
  { image: TARGET, remaining: ROOM },
  { image: OLD, member: null, marked: 400, moves: [MOVABLE] },
  { image: OLD, member: null, marked: 400, turn: 60, moves: [MOVABLE] },
  { image: OLD, member: null, marked: 400, turn: 60, moves: [] },
  { image: OLD, member: null, marked: 400, turn: 60, ecs: 'DRAINING' },
  { image: OLD, member: null, marked: 400, turn: 60, ecs: 'DRAINING', tasks: ['service:logs'] },
  { image: OLD, member: null, marked: 400, turn: 60, ecs: null },
  { image: OLD, marked: 400 },
  { image: OLD, marked: 400, turn: 60, ecs: 'DRAINING' },
  { ...drained, twin: { ecs: 'DRAINING', agentConnected: false, stopping: true, tasks: ['service:api'] } },
  { ...drained, twin: { ecs: 'DRAINING', agentConnected: false, tasks: ['service:api'] } },
  { ...drained, twin: { ecs: 'ACTIVE', agentConnected: false } },
];

/** Groups of which few, or all, instances are healthy. */
const sketches = fc
  .tuple(
    fc.integer({ min: 0, max: 30 }),
    fc.constantFrom(0, 1, 1, 20),
    fc.oneof(
      { weight: 3, arbitrary: fc.subarray([...orderly], { minLength: 1 }) },
      { weight: 1, arbitrary: fc.constant(orderly.slice(0, 2)) },
    ),
  )
  .chain(([count, disorder, kinds]) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.oneof(
          { weight: disorder, arbitrary: anySketch(`i-${index + 1}`) },
          {
            weight: 10,
            arbitrary: fc.constantFrom(...kinds).map((kind): Sketch => ({ id: `i-${index + 1}`, ...kind })),
          },
        ),
      ),
    ),
  );

/** A warm-pool instance is not a member yet, and mostly not registered. */
const warm = fc.array(
  fc
    .tuple(fc.nat(), fc.constantFrom('Warmed:Stopped', 'Warmed:Running', 'Warmed:Terminating'), fc.boolean())
    .chain(([id, member, excluded]) =>
      anySketch(`i-warm-${id}`).map((sketch) => ({ ...sketch, member, excluded, ecs: null, tasks: [] })),
    ),
  { maxLength: 3 },
);

const template = (templateId: string, reference: '$Latest' | '$Default' | 'number'): LaunchPlace => ({
  kind: 'launch-template',
  templateId,
  reference,
  version: 3,
});
const aliased: LaunchPlace = {
  kind: 'launch-template',
  templateId: 'lt-1',
  reference: 'number',
  version: 3,
  alias: 'resolve:ssm:/image',
};
const override: LaunchPlace = {
  kind: 'override',
  templateId: 'lt-1',
  version: 3,
  instanceTypes: ['m5.large'],
};
const source = (place: LaunchPlace): fc.Arbitrary<LaunchSource> =>
  fc.record({ place: fc.constant(place), imageId: image, target: fc.constant(TARGET) });
const image = fc.constantFrom(OLD.imageId, TARGET.imageId, TARGET.imageId);

const launch: fc.Arbitrary<Launch> = fc.oneof(
  { weight: 15, arbitrary: fc.constant(launching(PLACE, TARGET)) },
  {
    weight: 4,
    arbitrary: fc
      .oneof(
        source(PLACE),
        source(template('lt-1', 'number')),
        source(template('lt-1', '$Default')),
        source(template('lt-1', '$Latest')),
      )
      .map((one) => ({ sources: [one], mixed: false })),
  },
  { weight: 1, arbitrary: source(aliased).map((one) => ({ sources: [one], mixed: false })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(source(template('lt-1', 'number')), source(template('lt-2', '$Default')), source(override))
      .map((sources) => ({ sources, mixed: true })),
  },
);

const PROCESSES = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'];

const changes: fc.Arbitrary<TemporaryChanges> = fc.record({
  suspended: fc.subarray(PROCESSES),
  addedSizes: fc
    .record({ desiredCapacity: fc.constantFrom(0, 0, 1, 3), maxSize: fc.constantFrom(0, 0, 1, 2) })
    .chain((addedSizes) =>
      fc.oneof(
        { weight: 5, arbitrary: fc.constant(addedSizes) },
        {
          weight: 1,
          arbitrary: fc
            .record({ from: fc.nat(9), to: fc.nat(9), marked: fc.nat(4) })
            .map(({ from, to, marked }) => ({
              ...addedSizes,
              change: {
                from: { desiredCapacity: from, maxSize: 9 },
                to: { desiredCapacity: to, maxSize: 9 },
                marked,
              },
            })),
        },
      ),
    ),
});

export const settings: fc.Arbitrary<Settings> = fc
  .record({
    image: fc.constantFrom<Settings['image']>({ kind: 'auto' }, { kind: 'id', imageId: TARGET.imageId }),
    drift: fc.constantFrom<Settings['drift']>(
      ['image'],
      ['image'],
      ['image', 'age'],
      ['image', 'launch-spec'],
    ),
    maxInstanceAgeDays: fc.constant(1),
    maxSurge: fc.oneof(
      fc.record({ kind: fc.constant('count' as const), count: fc.integer({ min: 0, max: 40 }) }),
      fc.record({ kind: fc.constant('count' as const), count: fc.constant(0) }),
      fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 1, max: 100 }) }),
    ),
    raiseMaxSize: fc.boolean(),
    standby: fc.constantFrom<Settings['standby']>('skip', 'replace'),
    sharedTemplates: fc.constantFrom<Settings['sharedTemplates']>('block', 'update'),
    drainConcurrency: fc.constantFrom<Settings['drainConcurrency']>(1, 2, 3, 4, 'auto', 'auto'),
    stableSeconds: fc.constantFrom(0, 30),
    keepLaunchSpecs: fc.integer({ min: 0, max: 2 }),
  })
  .map((some) => ({ ...SETTINGS, ...some }));

function rarely<Some, Other>(some: fc.Arbitrary<Some>, mostly: Other): fc.Arbitrary<Some | Other> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(mostly) }, { weight: 1, arbitrary: some });
}

const scene = fc.record({
  services: rarely(
    fc.constantFrom(
      [service('api', { runningCount: 1 }), service('logs', { daemon: true })],
      [service('api', { deploying: true })],
    ),
    [
      service('api', { desiredCount: 8, runningCount: 8, maximumPercent: 200 }),
      service('logs', { daemon: true }),
    ],
  ),
  settled: fc.option(fc.constantFrom(0, 29, 30, 500, 500), { nil: undefined }),
  /** How much more than it has the group should have. */
  lacking: fc.constantFrom(0, 0, 0, 0, 1, -1),
  room: fc.constantFrom(0, 1, 5, 50, 50),
  spareCapacity: fc.constantFrom(0, 1, 50, 50),
  served: fc.boolean(),
  changes: rarely(changes, undefined),
  /** The group has been made larger by as much as is marked. */
  isLarger: fc.boolean(),
  hasBegun: rarely(fc.constant(false), true),
  suspended: rarely(fc.subarray(PROCESSES), PROCESSES),
  launch,
  warm: rarely(warm, []),
});

/** An observation of one group, and what is decided about it. */
export interface AnyGroup {
  readonly observation: Observation;
  readonly group: Group;
  readonly settings: Settings;
  readonly strategy: Strategy;
  readonly decision: Decision;
  readonly actions: readonly Action[];
}

export const cases = casesBy({});

/** @param fixed settings that are the same in all of them */
export function casesBy(fixed: Partial<Settings>): fc.Arbitrary<AnyGroup> {
  return fc
    .tuple(
      sketches,
      scene,
      settings.map((some) => ({ ...some, ...fixed })),
    )
    .map(
      ([
        instances,
        { lacking, room, spareCapacity, served, changes, isLarger, hasBegun, suspended, ...rest },
        settings,
      ]) => {
        const desiredCapacity = Math.max(0, weightOf(instances) + lacking);
        const ours =
          served && isLarger ? weightOf(instances.filter(({ marked }) => marked !== undefined)) : 0;
        const whole: Scene = {
          ...rest,
          desiredCapacity,
          maxSize: desiredCapacity + room,
          minSize: Math.max(0, desiredCapacity - spareCapacity),
          trafficSources: served ? [{ kind: 'target-group', arn: 'arn:tg/web/1' }] : [],
          suspendedProcesses: suspended,
          roll: hasBegun
            ? { changes: changes ?? { suspended: [], addedSizes: { desiredCapacity: ours, maxSize: 0 } } }
            : null,
        };
        const observation = observe(instances, whole);
        const [decided] = decideAll(observation, settings, ROLL);
        if (decided === undefined) throw new Error('nothing was decided');
        const {
          assessment: { group },
          decision,
        } = decided;
        const strategy = strategyOf(group, settingsOf(group, settings));
        const actions = 'actions' in decision ? decision.actions : [];
        return { observation, group, settings, strategy, decision, actions };
      },
    );
}

/** Of the desired capacity. */
function weightOf(sketches: readonly Sketch[]): number {
  const members = sketches.filter(
    ({ member }) => member === undefined || /InService|Pending/.test(member ?? ''),
  );
  return members.reduce((sum, { weight = 1 }) => sum + weight, 0);
}
