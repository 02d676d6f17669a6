import type { Request } from '../../lambda/core/decision.ts';
import type {
  ContainerInstance,
  Group,
  Image,
  Instance,
  Member,
  Observation,
  Service,
  Task,
} from '../../lambda/core/model.ts';
import type { Settings } from '../../lambda/core/settings.ts';

export const NOW = new Date('2026-11-21T12:00:00Z');

/** A time so many seconds before `NOW`. */
export const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

const image = (imageId: string, day: string): Image => ({
  imageId,
  name: `al2023-ami-ecs-hvm-2023.0.${day.replaceAll('-', '')}-kernel-6.1-x86_64`,
  createdAt: new Date(day),
  rootDeviceName: '/dev/xvda',
});
export const OLD = image('ami-01d', '2026-10-01');
export const TARGET = image('ami-7a2', '2026-11-01');
export const NEWER = image('ami-3e3', '2026-11-20');

export const SETTINGS: Settings = {
  clusters: ['web'],
  image: { kind: 'auto' },
  maxSurge: { kind: 'percent', percent: 100 },
  drainConcurrency: 1,
  pollSeconds: 10,
  stableSeconds: 30,
  readyTimeoutSeconds: 900,
  drainTimeoutSeconds: 1800,
  keepLaunchSpecs: 5,
};
export const ROLL: Request = { begin: true };
export const CONTINUE: Request = { begin: false };

/** One instance as the three services have it, told apart in `observe` below. */
export interface Sketch {
  readonly id: string;
  readonly image?: Image;
  /** Its state as a member of the group; null for one that is no member. */
  readonly member?: string | null;
  readonly healthy?: boolean;
  /** Its status in the cluster; null where it isn't registered. */
  readonly ecs?: string | null;
  readonly agentConnected?: boolean;
  readonly alive?: boolean;
  /** Seconds since its launch. */
  readonly age?: number;
  /** Seconds since it was marked, and since its turn came. */
  readonly marked?: number;
  readonly turn?: number;
  /** The groups of the tasks that are left on it. */
  readonly tasks?: readonly string[];
  readonly pending?: number;
  readonly running?: number;
}

/** An old member, in service. */
export const old = (id: string, rest: Partial<Sketch> = {}): Sketch => ({
  id,
  image: OLD,
  age: 86_400,
  ...rest,
});

/** A member that runs the target, in service. */
export const fresh = (id: string, rest: Partial<Sketch> = {}): Sketch => ({
  id,
  image: TARGET,
  age: 300,
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
  ...rest,
});

export interface Scene extends Partial<Omit<Group, 'instances' | 'members'>> {
  readonly services?: readonly Service[];
  /** Seconds for which the services have been watched to be settled. */
  readonly settled?: number;
}

/** A group in the middle of its roll onto the target, its launch spec done, unless the scene says otherwise. */
export function observe(sketches: readonly Sketch[], scene: Scene = {}): Observation {
  const { services, settled, ...group } = scene;
  const members = sketches.flatMap(memberOf);
  const whole: Group = {
    name: 'web-ecs',
    uuid: '11111111-0000-4000-8000-000000000000',
    desiredCapacity: members.length,
    members,
    instances: sketches.map(instanceOf),
    rollout: { imageId: TARGET.imageId, startedAt: ago(500), exact: false },
    launch: {
      spec: {
        kind: 'launch-configuration',
        name: 'web-lc',
        uuid: '22222222-0000-4000-8000-000000000000',
        imageId: TARGET.imageId,
      },
      target: TARGET,
    },
    ownLaunchSpecs: [],
    watch: { draining: [], ...(settled !== undefined && { settledSince: ago(settled) }) },
    ...group,
  };
  return {
    now: NOW,
    cluster: 'web',
    containerInstances: sketches.flatMap(containerInstanceOf),
    services: services ?? [service('api')],
    tasks: sketches.flatMap(tasksOf),
    images: new Map([OLD, TARGET, NEWER].map((each) => [each.imageId, each])),
    groups: [whole],
  };
}

function memberOf({ id, member = 'InService', healthy = true }: Sketch): Member[] {
  return member === null ? [] : [{ instanceId: id, lifecycleState: member, healthy }];
}

function instanceOf({ id, image = TARGET, alive = true, age = 300, marked, turn }: Sketch): Instance {
  const mark = marked !== undefined && {
    mark: {
      group: 'web-ecs',
      detachStartedAt: ago(marked),
      ...(turn !== undefined && { drainStartedAt: ago(turn) }),
    },
  };
  return { instanceId: id, alive, imageId: image.imageId, launchedAt: ago(age), ...mark };
}

function containerInstanceOf(sketch: Sketch): ContainerInstance[] {
  const { id, ecs = 'ACTIVE', agentConnected = true, pending = 0, running = 0 } = sketch;
  if (ecs === null) return [];
  const counts = { pendingTasksCount: pending, runningTasksCount: running };
  return [{ arn: arnOf(id), instanceId: id, status: ecs, agentConnected, ...counts }];
}

function tasksOf({ id, tasks = [] }: Sketch): Task[] {
  return tasks.map((group, index) => ({
    arn: `arn:task/web/${id}-${index}`,
    containerInstanceArn: arnOf(id),
    group,
  }));
}

export const arnOf = (instanceId: string): string => `arn:container-instance/web/${instanceId}`;
