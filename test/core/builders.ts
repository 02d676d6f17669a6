import { describeAction } from '../../lambda/core/actions/actions.ts';
import type { Decision } from '../../lambda/core/actions/decision.ts';
import { decide } from '../../lambda/core/decide.ts';
import { assess, assessCluster, canRoll } from '../../lambda/core/group/assess.ts';
import { NOT_WATCHED } from '../../lambda/core/group/steadiness.ts';
import type { GroupDecision } from '../../lambda/core/group-decision.ts';
import { withPrevious } from '../../lambda/core/launch-spec/previous.ts';
import type { Assessment } from '../../lambda/core/model/assessment.ts';
import type {
  ContainerInstance,
  Crash,
  Host,
  Movable,
  Service,
  Task,
  UnhealthyTask,
} from '../../lambda/core/model/cluster.ts';
import type {
  Group,
  GroupDetails,
  Instance,
  Member,
  TargetHealth,
  TrafficSource,
  Watch,
} from '../../lambda/core/model/group.ts';
import type { Image, Launch, LaunchedFrom, LaunchPlace } from '../../lambda/core/model/launch.ts';
import type { LifecycleHook } from '../../lambda/core/model/lifecycle-hook.ts';
import type { Alarm, Observation } from '../../lambda/core/model/observation.ts';
import type {
  Resources,
  ServicePlacement,
  TaskDefinition,
  Traits,
} from '../../lambda/core/model/placement.ts';
import type { Request } from '../../lambda/core/model/request.ts';
import { NO_CHANGES, type Roll } from '../../lambda/core/model/roll.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { describeDecision } from '../../lambda/core/text/decision.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';

export const NOW = new Date('2026-11-21T12:00:00Z');

/** A time so many seconds before `NOW`. */
export const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

/** A watch that has seen an instance lack something since then; the group a member, if its id is empty. */
export const unready = (since: Date, instanceId = 'i-9') =>
  ({ draining: [], goodbyes: [], unreadySince: new Map([[instanceId, since]]) }) as const satisfies Watch;

const image = (imageId: string, day: string): Image => ({
  imageId,
  name: `al2023-ami-ecs-hvm-2023.0.${day.replaceAll('-', '')}-kernel-6.1-x86_64`,
  ownerId: '591542846629',
  createdAt: new Date(day),
  rootDeviceName: '/dev/xvda',
  devices: [],
  architecture: 'x86_64',
  state: 'available',
});
export const OLD = image('ami-01d', '2026-10-01');
export const TARGET = image('ami-7a2', '2026-11-01');
export const NEWER = image('ami-3e3', '2026-11-20');

/** The defaults, but without a trial, which is a matter of its own. */
export const SETTINGS: Settings = { ...parseSettings({ CLUSTERS: 'web' }), canary: 0 };
export const ROLL: Request = { begin: true };
export const CONTINUE: Request = { begin: false };

/** One instance as the three services describe it; `observe` below splits it up. */
export interface Sketch {
  readonly id: string;
  readonly image?: Image;
  /** Its state as a member of the group; null for one that is no member. */
  readonly member?: string | null;
  readonly healthy?: boolean;
  /** Its status in the cluster; null if it isn't registered. */
  readonly ecs?: string | null;
  readonly agentConnected?: boolean;
  readonly isImpaired?: boolean;
  readonly alive?: boolean;
  /** Seconds since its launch. */
  readonly age?: number;
  /** Seconds since it was marked, and since its turn came. */
  readonly marked?: number;
  readonly turn?: number;
  /** Seconds since its drain was given up. */
  readonly givenUp?: number;
  /** The groups of the tasks that are left on it. */
  readonly tasks?: readonly string[];
  /** The groups of the tasks that run on it while it is next to drain. */
  readonly serves?: readonly string[];
  /** Seconds for which these are protected still. */
  readonly protectedFor?: number;
  /** Tasks that are told to stop, and take their time. */
  readonly stopping?: boolean;
  /** Seconds since they began to stop, if ECS says. */
  readonly stoppingFor?: number;
  /** Of its tasks: requests to them are running out. */
  readonly deactivating?: boolean;
  readonly stopTimeoutSeconds?: number;
  /** How many seconds ago a task last left it. */
  readonly left?: number;
  readonly pending?: number;
  readonly running?: number;
  readonly weight?: number;
  /** Its Availability Zone. */
  readonly zone?: string;
  readonly type?: string;
  readonly launchedFrom?: LaunchedFrom;
  readonly excluded?: boolean;
  /** It is a Spot Instance. */
  readonly spot?: true;
  /** It runs outside the zones of its group. */
  readonly outside?: boolean;
  /** Whether each of the group's traffic sources finds it healthy. */
  readonly serving?: boolean;
  /** It is registered a second time, under an ARN of its own. */
  readonly twin?: Pick<
    Sketch,
    'ecs' | 'agentConnected' | 'tasks' | 'serves' | 'protectedFor' | 'stopping' | 'pending' | 'running'
  >;
  /** What it offers to tasks. */
  readonly traits?: Traits;
  /** Seconds since it was registered. */
  readonly registered?: number;
  /** What would move off it, if that was read. */
  readonly moves?: readonly Movable[];
  /** What its tasks leave of its resources. */
  readonly remaining?: Resources;
}

/** An old member, in service. */
export const old = (id: string, rest: Partial<Sketch> = {}): Sketch => ({
  id,
  image: OLD,
  age: 86_400,
  ...rest,
});

/** A member that runs the target, in service, and has got a task; none that ECS counts once it drains. */
export const fresh = (id: string, rest: Partial<Sketch> = {}): Sketch => ({
  id,
  image: TARGET,
  age: 300,
  running: rest.ecs === 'DRAINING' ? 0 : 1,
  ...rest,
});

/** An old instance that is marked and detached. */
export const detached = (id: string, rest: Partial<Sketch> = {}): Sketch =>
  old(id, { member: null, marked: 400, ...rest });

export const service = (name: string, rest: Partial<Service> = {}): Service => ({
  name,
  daemon: false,
  desiredCount: 2,
  runningCount: 2,
  pendingCount: 0,
  deploying: false,
  minimumHealthyPercent: 100,
  maximumPercent: 200,
  ...rest,
});

/** A service that asks for a place. */
export const tied = (placement: Partial<ServicePlacement>, rest: Partial<Service> = {}): Service =>
  service('api', {
    placement: {
      taskDefinition: 'api:1',
      expressions: [],
      distinctInstance: false,
      capacityProviders: [],
      ...placement,
    },
    ...rest,
  });

/** A task definition that asks for nothing. */
export const DEFINITION: TaskDefinition = {
  expressions: [],
  attributes: [],
  resources: {},
  bindsHostPorts: false,
};

/** A task that stopped by a fault on an instance. */
export const crashOn = (
  instanceId: string,
  rest: Partial<Crash> & { readonly since?: number } = {},
): Crash => {
  const { since = 60, ...others } = rest;
  return {
    taskArn: `arn:task/web/crashed-on-${instanceId}-${since}`,
    containerInstanceArn: arnOf(instanceId),
    group: 'service:api',
    at: ago(since),
    reason: 'Essential container in task exited',
    ...others,
  };
};

/** An alarm that has been in ALARM for so many seconds. */
export const alarmSince = (seconds: number, rest: Partial<Alarm> = {}): Alarm => ({
  name: 'errors',
  inAlarm: true,
  since: ago(seconds),
  ...rest,
});

/** The place that the group launches from, unless a scene says otherwise. */
export const PLACE: LaunchPlace = {
  kind: 'launch-configuration',
  name: 'web-lc',
  uuid: '22222222-0000-4000-8000-000000000000',
};

/** A group that launches from one place. */
export const launching = (place: LaunchPlace, image = OLD, target = TARGET): Launch => ({
  sources: [{ place, imageId: image.imageId, target }],
  mixed: false,
});

export interface Scene
  extends Partial<Omit<Group, 'instances' | 'members' | 'warmPool' | 'roll' | 'watch' | 'details'>>,
    GroupDetails {
  /** The group's tags, merged over those of a roll that has begun; null if it hasn't. */
  readonly roll?: Partial<Roll> | null;
  readonly watch?: Partial<Watch>;
  readonly warm?: readonly Sketch[];
  readonly services?: readonly Service[];
  /** Names of services that had tasks on an instance when it began to drain. */
  readonly servicesOn?: Readonly<Record<string, readonly string[]>>;
  /** How long tasks of a group took last to stop. */
  readonly stopSeconds?: Readonly<Record<string, number>>;
  readonly crashes?: readonly Crash[];
  readonly unhealthy?: readonly UnhealthyTask[];
  readonly alarms?: readonly Alarm[];
  /** Seconds for which the services have been watched to be settled. */
  readonly settled?: number;
}

const GROUP = { name: 'web-ecs', uuid: '11111111-0000-4000-8000-000000000000' } as const;

/**
 * A group in the middle of its roll onto the target, its launch spec done, unless the scene says otherwise.
 */
export function observe(sketches: readonly Sketch[], scene: Scene = {}): Observation {
  const {
    services,
    servicesOn = {},
    stopSeconds = {},
    crashes = [],
    unhealthy,
    alarms = [],
    settled,
    watch,
    warm = [],
    ...others
  } = scene;
  const { roll = {}, ...group } = factsIn(others);
  const members = sketches.flatMap(memberOf);
  const whole: Group = {
    ...GROUP,
    minSize: 0,
    maxSize: members.length,
    desiredCapacity: members.length,
    members,
    warmPool: warm.flatMap(memberOf),
    instances: [...sketches, ...warm].map(instanceOf),
    // As its owner has set it, so that a scene begins after that step.
    suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'ReplaceUnhealthy'],
    trafficSources: [],
    roll: roll === null ? undefined : { ...ROLLOUT, ...notedOf(scene.launch), ...roll },
    overrides: {},
    excluded: false,
    launch: launching(PLACE, TARGET),
    watch: { ...NOT_WATCHED, ...(settled !== undefined && { servedSince: ago(settled) }), ...watch },
    ...group,
    details: {
      targetHealth: (scene.trafficSources ?? []).map((source) => ({ source, byInstance: health(sketches) })),
      ownLaunchSpecs: [],
      ...detailsIn(others),
    },
  };
  return {
    now: NOW,
    cluster: 'web',
    containerInstances: [...sketches, ...warm].flatMap((each) => [
      ...containerInstanceOf(each),
      ...twinOf(each)
        .flatMap(containerInstanceOf)
        .map((twin) => ({ ...twin, instanceId: each.id })),
    ]),
    details: {
      services: services ?? [service('api')],
      tasks: [...sketches, ...warm].flatMap((each) => [each, ...twinOf(each)]).flatMap(tasksOf),
      tasksInTurn: sketches
        .flatMap((each) => [each, ...twinOf(each)])
        .flatMap((each) => tasksOf({ ...each, tasks: each.serves })),
      servicesOn: new Map(Object.entries(servicesOn).map(([id, names]) => [arnOf(id), new Set(names)])),
      stopSeconds: new Map(Object.entries(stopSeconds)),
      leftAt: new Map(
        sketches.flatMap(({ id, left }) => (left === undefined ? [] : [[arnOf(id), ago(left)]])),
      ),
      movable: new Map(sketches.flatMap(({ id, moves }) => (moves ? [[arnOf(id), moves]] : []))),
      ...(unhealthy && { unhealthy }),
      crashes: crashes.map((crash) => ({ host: hostOf(crash, [...sketches, ...warm]), ...crash })),
      alarms,
    },
    images: new Map([OLD, TARGET, NEWER].map((each) => [each.imageId, each])),
    groups: [whole],
  };
}

/** A scene names details along with the facts of the group. */
const DETAILS: Record<keyof GroupDetails, true> = {
  instanceRefresh: true,
  namedSize: true,
  targetHealth: true,
  failedLaunches: true,
  hasCapacityProvider: true,
  mayScaleIn: true,
  hasManagedProtection: true,
  lifecycleHooks: true,
  inServiceSince: true,
  endingSince: true,
  departed: true,
  terminationProtected: true,
  formerConfigurations: true,
  ownLaunchSpecs: true,
  templateUsers: true,
  preflight: true,
};

function detailsIn(scene: GroupDetails): GroupDetails {
  return Object.fromEntries(Object.entries(scene).filter(([key]) => key in DETAILS));
}

function factsIn(scene: Omit<Scene, ClusterScene>): Omit<Scene, ClusterScene | keyof GroupDetails> {
  return Object.fromEntries(Object.entries(scene).filter(([key]) => !(key in DETAILS)));
}

type ClusterScene =
  | 'services'
  | 'servicesOn'
  | 'stopSeconds'
  | 'crashes'
  | 'unhealthy'
  | 'alarms'
  | 'settled'
  | 'watch'
  | 'warm';

const ROLLOUT: Roll = {
  imageIds: [TARGET.imageId],
  startedAt: ago(500),
  exact: false,
  previous: [{ kind: 'launch-configuration', name: 'web-lc-old' }],
  unsteady: [],
  canary: { kind: 'pending' },
  course: { kind: 'forward' },
  changes: NO_CHANGES,
};

/** What a roll would have noted of places that are yet to get the image. */
function notedOf(launch: Group['launch'] | undefined): Partial<Roll> {
  if (launch === undefined || 'obstacle' in launch) return {};
  const outdated = launch.sources.filter(
    ({ place, imageId, target }) => imageId !== target.imageId && !('alias' in place && place.alias),
  );
  return outdated.length === 0 ? {} : { previous: withPrevious(GROUP, [], outdated) };
}

function health(sketches: readonly Sketch[]): ReadonlyMap<string, TargetHealth> {
  return new Map(
    sketches.map(({ id, serving = true }) => [
      id,
      { healthy: serving, state: serving ? 'healthy' : 'unhealthy' },
    ]),
  );
}

function memberOf(sketch: Sketch): Member[] {
  const {
    id,
    member = 'InService',
    healthy = true,
    type = 'm5.large',
    weight = 1,
    launchedFrom,
    zone = 'a',
  } = sketch;
  if (member === null) return [];
  return [
    {
      instanceId: id,
      lifecycleState: member,
      healthy,
      instanceType: type,
      availabilityZone: zone,
      weight,
      launchedFrom,
    },
  ];
}

function instanceOf(sketch: Sketch): Instance {
  const {
    id,
    image = TARGET,
    alive = true,
    age = 300,
    marked,
    turn,
    givenUp,
    excluded = false,
    outside,
    spot,
  } = sketch;
  const mark = marked !== undefined && {
    mark: {
      group: 'web-ecs',
      detachStartedAt: ago(marked),
      ...(turn !== undefined && { drainStartedAt: ago(turn) }),
      ...(givenUp !== undefined && { drainGivenUpAt: ago(givenUp) }),
    },
  };
  return {
    instanceId: id,
    alive,
    imageId: image.imageId,
    launchedAt: ago(age),
    excluded,
    ...(outside && { outside }),
    ...(spot && { spot }),
    ...mark,
  };
}

function containerInstanceOf(sketch: Sketch): ContainerInstance[] {
  const { id, ecs = 'ACTIVE', agentConnected = true, pending = 0, running = 0, registered, traits } = sketch;
  if (ecs === null) return [];
  const counts = { pendingTasksCount: pending, runningTasksCount: running };
  const times = registered !== undefined && { registeredAt: ago(registered) };
  const { remaining, isImpaired } = sketch;
  return [
    {
      arn: arnOf(id),
      instanceId: id,
      status: ecs,
      agentConnected,
      ...counts,
      ...times,
      ...(isImpaired && { isImpaired }),
      ...(traits && { traits }),
      ...(remaining && { remaining }),
    },
  ];
}

/** The second registration, as a sketch under a name of its own. */
function twinOf({ id, twin }: Sketch): Sketch[] {
  return twin === undefined ? [] : [{ ...twin, id: twinIdOf(id) }];
}

const twinIdOf = (instanceId: string) => `${instanceId}-again`;

export const twinArnOf = (instanceId: string): string => arnOf(twinIdOf(instanceId));

/** Nobody can tell of what is gone. */
function hostOf({ containerInstanceArn: arn }: Crash, sketches: readonly Sketch[]): Host | undefined {
  const sketch = sketches.find(({ id }) => arnOf(id) === arn);
  return sketch && { imageId: instanceOf(sketch).imageId, launchedAt: instanceOf(sketch).launchedAt };
}

function tasksOf({
  id,
  tasks = [],
  protectedFor,
  stopping = false,
  stoppingFor,
  deactivating,
  stopTimeoutSeconds,
}: Sketch): Task[] {
  return tasks.map((group, index) => ({
    arn: `arn:task/web/${id}-${index}`,
    containerInstanceArn: arnOf(id),
    group,
    stopping,
    ...(deactivating && { deactivating }),
    ...(stopTimeoutSeconds !== undefined && { stopTimeoutSeconds }),
    ...(stoppingFor !== undefined && { stoppingAt: ago(stoppingFor) }),
    ...(protectedFor !== undefined && { protectedUntil: ago(-protectedFor) }),
  }));
}

export const arnOf = (instanceId: string): string => `arn:container-instance/web/${instanceId}`;

/** The result of a look at the first group. */
export function assessed(observation: Observation, settings: Partial<Settings> = {}): Assessment {
  const assessment = assess(groupOf(observation), observation, { ...SETTINGS, ...settings });
  if (!canRoll(assessment)) throw new Error('the group can not be rolled');
  return assessment;
}

/** What is decided about each group. */
export function decideAll(observation: Observation, settings: Settings, request: Request): GroupDecision[] {
  return decide(assessCluster(observation, settings), request);
}

/** What is decided about the first group. */
export function decided(
  observation: Observation,
  settings: Partial<Settings> = {},
  request: Request = ROLL,
): Decision {
  const [first] = decideAll(observation, { ...SETTINGS, ...settings }, request);
  if (first === undefined) throw new Error('nothing was decided');
  return first.decision;
}

/** What the decision does, in words; if it does nothing, its kind and reason. */
export function told(
  observation: Observation,
  settings: Partial<Settings> = {},
  request: Request = ROLL,
): string[] {
  const decision = decided(observation, settings, request);
  return 'actions' in decision
    ? decision.actions.map(describeAction)
    : [`${decision.kind}: ${describeDecision(decision)}`];
}

/** The group of an observation. */
export function groupOf({ groups: [group] }: Observation): Group {
  if (group === undefined) throw new Error('there is no group');
  return group;
}

/** The observation of several groups of a cluster, under names of their own. */
export function together(first: Observation, ...others: readonly Observation[]): Observation {
  const names = ['other', 'third'];
  return {
    ...first,
    containerInstances: [first, ...others].flatMap(({ containerInstances }) => containerInstances),
    groups: [
      groupOf(first),
      ...others.map((each, index) => ({ ...groupOf(each), name: names[index] ?? '' })),
    ],
  };
}

/** The most common traffic source. */
/** Lets go after five minutes in which nobody is heard of. */
export const terminateHook = (name: string): LifecycleHook => ({
  name,
  transition: 'terminating',
  heartbeatSeconds: 300,
  abandons: false,
  globalTimeoutSeconds: 30_000,
});

/** ECS's own. */
export const managedDraining: LifecycleHook = {
  ...terminateHook('ecs-managed-draining-termination-hook'),
  drainer: 'ecs',
};

export const TARGET_GROUP: TrafficSource = {
  kind: 'target-group',
  arn: 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:targetgroup/web/0123456789abcdef',
};

/** An instance in a zone, as its registration tells. */
export function inZone(zone: string): Pick<Sketch, 'zone' | 'traits'> {
  const attributes = new Map([['ecs.availability-zone', zone]]);
  return { zone, traits: { attributes, resources: { cpu: 2048, memory: 3072, gpus: 0 } } };
}
