import { describe, expect, test } from 'vitest';
import type { Service } from '../../../lambda/core/model/cluster.ts';
import type { LaunchSource } from '../../../lambda/core/model/launch.ts';
import type { LifecycleHook } from '../../../lambda/core/model/lifecycle-hook.ts';
import type { PreflightFacts } from '../../../lambda/core/model/preflight-facts.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { cannotDrain, preflight } from '../../../lambda/core/preflight/preflight.ts';
import { describeWarning } from '../../../lambda/core/reasons/warnings.ts';
import { describeDecision } from '../../../lambda/core/text/decision.ts';
import {
  arnOf,
  assessed,
  decideAll,
  fresh,
  launching,
  managedDraining,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
  TARGET_GROUP,
  terminateHook,
} from '../builders.ts';

/** A service with so many tasks, and its minimum and maximum percent. */
const bound = (
  name: string,
  desiredCount: number,
  least: number,
  most: number,
  rest: Partial<Service> = {},
) =>
  service(name, {
    desiredCount,
    runningCount: desiredCount,
    minimumHealthyPercent: least,
    maximumPercent: most,
    ...rest,
  });

/** Nothing in the way. */
const CLEAR: PreflightFacts = { freeAddresses: 100, unusableProfiles: [], stuckServices: [] };

interface Before extends Scene {
  readonly facts?: Partial<PreflightFacts>;
  readonly sketches?: readonly Sketch[];
}

/** The decision about a group whose roll is about to begin. */
function before({ facts, sketches = [old('i-1'), old('i-2'), old('i-3')], ...scene }: Before, settings = {}) {
  const observation = observe(sketches, { roll: null, preflight: { ...CLEAR, ...facts }, ...scene });
  const [first] = decideAll(observation, { ...SETTINGS, ...settings }, ROLL);
  if (first === undefined) throw new Error('nothing was decided');
  return first;
}
const obstacle = (scene: Before, settings: Partial<Settings> = {}) => {
  const { decision } = before(scene, settings);
  return decision.kind === 'blocked' ? describeDecision(decision) : undefined;
};
const warnings = (scene: Before, settings: Partial<Settings> = {}) =>
  before(scene, settings).warnings.map((each) => describeWarning(each));

describe('whether ECS can move tasks of a service', () => {
  test.each([
    [1, 100, 200, false, 'starts the second first'],
    [1, 0, 100, false, 'stops the only one first'],
    [1, 50, 100, true, 'ceil(0.5) = 1 must stay'],
    [1, 50, 199, true, 'floor(1.99) = 1 may be there'],
    [2, 100, 100, true, 'neither more nor fewer'],
    [2, 50, 100, false, 'stops one of two'],
    [2, 51, 149, true, 'ceil(1.02) = 2 must stay, floor(2.98) = 2 may be there'],
    [3, 50, 100, false, 'ceil(1.5) = 2 must stay'],
    [3, 66, 100, false, 'ceil(1.98) = 2 must stay'],
    [3, 67, 100, true, 'ceil(2.01) = 3 must stay'],
    [3, 100, 125, true, 'floor(3.75) = 3 may be there'],
    [3, 100, 133, true, 'floor(3.99) = 3 may be there'],
    [3, 100, 134, false, 'floor(4.02) = 4 may be there'],
    [4, 100, 125, false, 'starts a fifth'],
    [100, 100, 101, false, 'starts one more'],
    [0, 100, 100, false, 'there is none to move'],
  ])('%i at %i/%i: stuck is %s, as it %s', (desired, least, most, stuck) => {
    expect(cannotDrain(bound('api', desired, least, most))).toBe(stuck);
  });

  test('does not matter for a daemon, as its tasks end with the instance', () => {
    expect(cannotDrain(bound('logs', 3, 100, 100, { daemon: true }))).toBe(false);
  });
});

describe('before anything changes, a roll is blocked by a service whose tasks can not move', () => {
  const services = [bound('api', 3, 100, 125)];
  const on = (id: string) => ({ stuckServices: [{ name: 'api', hosts: [arnOf(id)] }] });

  test('off a member to be replaced, and says the least that would help', () => {
    expect(obstacle({ services, facts: on('i-2') })).toBe(
      'with minimumHealthyPercent 100 and maximumPercent 125 of 3, service api may neither stop a task nor start ' +
        "one more, so it can't move off an instance: raise its maximumPercent to 134, lower its " +
        'minimumHealthyPercent to 66, or set ON_DRAIN_TIMEOUT to force, which stops its tasks in the end',
    );
  });

  test('and what it says does help, either way', () => {
    for (let desired = 1; desired <= 300; desired++) {
      const named = obstacle({ services: [bound('api', desired, 100, 100)], facts: on('i-1') }) ?? '';
      const [, most, least] =
        /maximumPercent to (\d+), lower its minimumHealthyPercent to (\d+)/.exec(named) ?? [];
      expect(cannotDrain(bound('api', desired, 100, Number(most)))).toBe(false);
      expect(cannotDrain(bound('api', desired, Number(least), 100))).toBe(false);
      expect(cannotDrain(bound('api', desired, 100, Number(most) - 1))).toBe(true);
      expect(cannotDrain(bound('api', desired, Number(least) + 1, 100))).toBe(true);
    }
  });

  test('but not if they run on members that stay, or on instances of other groups', () => {
    const sketches = [old('i-1'), fresh('i-9')];
    expect(obstacle({ services, sketches, facts: on('i-9') })).toBeUndefined();
    expect(obstacle({ services, sketches, facts: on('i-elsewhere') })).toBeUndefined();
    expect(obstacle({ services, sketches, facts: on('i-1') })).toBeDefined();
  });

  test('and of several services only that one', () => {
    const both = [bound('log', 3, 100, 125), ...services];
    expect(obstacle({ services: both, facts: on('i-1') })?.match(/service \w+/g)).toEqual(['service api']);
  });

  test('as soon as one of its tasks runs on such a member', () => {
    const hosts = ['i-9', 'i-1'].map(arnOf);
    const facts = { stuckServices: [{ name: 'api', hosts }] };
    expect(obstacle({ services, sketches: [old('i-1'), fresh('i-9')], facts })).toContain('service api');
  });

  test('but not if drains are forced: then it warns', () => {
    const scene = { services, facts: on('i-1') };
    expect(obstacle(scene, { onDrainTimeout: 'force' })).toBeUndefined();
    expect(warnings(scene, { onDrainTimeout: 'force' })).toEqual([
      'with minimumHealthyPercent 100 and maximumPercent 125 of 3, service api may neither stop a task nor start ' +
        "one more, so its tasks are stopped once their instance's drain times out, because ON_DRAIN_TIMEOUT " +
        'is force',
    ]);
  });

  test('but not once a roll has begun', () => {
    expect(obstacle({ services, facts: on('i-1'), roll: {} })).toBeUndefined();
  });
});

describe('for tasks with their own addresses', () => {
  const taskAddresses = (free: number) => ({ facts: { taskAddresses: [{ service: 'api', free }] } });
  const api = (least: number, most: number) => ({ services: [bound('api', 6, least, most)] });

  test('a roll warns beforehand if more start than there are free addresses', () => {
    expect(warnings({ ...taskAddresses(1), ...api(100, 200) })).toContain(
      'tasks of service api need addresses of their own, and its subnets have 1 free: up to 2 of them start before ' +
        'old ones stop, and would wait; give it another subnet, or lower its maximumPercent',
    );
    expect(warnings({ ...taskAddresses(2), ...api(100, 200) })).toEqual([]);
  });

  test('those that stop first give theirs back', () => {
    expect(warnings({ ...taskAddresses(0), ...api(50, 100) })).toEqual([]);
  });
});

describe('before anything changes, a roll is blocked by its subnets', () => {
  const short = (freeAddresses: number, scene: Before = {}) => ({ ...scene, facts: { freeAddresses } });

  test('if they have fewer free addresses than instances come before old ones leave', () => {
    expect(obstacle(short(2))).toBe(
      'the subnets of the group have 2 free addresses, but up to 3 instances must be launched before old ones end; lower ' +
        'MAX_SURGE, or give the group another subnet',
    );
    expect(obstacle(short(3))).toBeUndefined();
  });

  test('which need only as many as the surge, or as will be replaced', () => {
    const one = { maxSurge: { kind: 'count', count: 1 } } as const;
    expect(obstacle(short(1), one)).toBeUndefined();
    expect(obstacle(short(0), one)).toContain('0 free addresses, but up to 1 instance must be launched');
    expect(obstacle(short(1, { sketches: [old('i-1'), fresh('i-8'), fresh('i-9')] }))).toBeUndefined();
  });

  test('also for a trunk interface of each instance, which has its own address', () => {
    const attributes = new Map([['ecs.awsvpc-trunk-id', 'eni-1']]);
    const sketches = ['i-1', 'i-2', 'i-3'].map((id) => old(id, { traits: { attributes, resources: {} } }));
    expect(obstacle(short(5, { sketches }))).toContain(
      '5 free addresses, but up to 3 instances, each needing two for its trunk interface, must be launched',
    );
    expect(obstacle(short(6, { sketches }))).toBeUndefined();
  });

  test('behind a target group as well', () => {
    const scene: Scene = { trafficSources: [{ kind: 'target-group', arn: 'arn/web/1' }], maxSize: 9 };
    expect(obstacle(short(2, scene))).toContain('2 free addresses');
  });

  test('but never if old members leave first', () => {
    expect(obstacle(short(0), { maxSurge: { kind: 'count', count: 0 } })).toBeUndefined();
  });

  test('but never if it names none, as it then uses the defaults of its Availability Zones', () => {
    expect(obstacle({ facts: { freeAddresses: undefined } })).toBeUndefined();
  });

  test('but not for a launch spec alone', () => {
    const launch = launching(PLACE);
    expect(obstacle(short(0, { sketches: [fresh('i-9')], launch }))).toBeUndefined();
  });
});

describe('before anything changes, a roll is blocked', () => {
  test('by an instance profile that EC2 would not launch with', () => {
    const unusableProfiles = [
      { name: 'gone', state: 'missing' },
      { name: 'bare', state: 'without-role' },
    ] as const;
    expect(obstacle({ facts: { unusableProfiles } })).toBe(
      'instance profile gone, which the group launches with, does not exist; create it, or name another; ' +
        'instance profile bare, which the group launches with, has no role; add its role',
    );
  });

  test('by a target group in which nobody is healthy', () => {
    expect(obstacle({ facts: { illSources: ['web'] } })).toBe(
      "web finds none of the group's members healthy, so no replacement could show there that it serves: mend its health " +
        'check, or what it checks, or take it off the group',
    );
  });

  test('by a load balancer that is not enabled in the zone of a member', () => {
    expect(obstacle({ facts: { unservedZones: [{ source: 'web', zones: ['eu-1c'] }] } })).toBe(
      'the load balancer of web is not enabled in eu-1c, where the group has members, so that no replacement there could ' +
        'show that it serves; enable it there, or let the group launch in other zones alone',
    );
  });

  test('by a zonal shift of a load balancer, of the group or of a service', () => {
    const says = 'it is zonal_shift_active in its target group';
    const task = { arn: 'task-1', containerInstanceArn: 'arn-1', starting: false, ofNoImage: true, says };
    const told = (from: string) =>
      `a zonal shift moves requests to ${from} away from a zone, where ECS takes tasks for healthy all the same, and a drain ` +
      'could move the last ones that serve; end the shift, or wait';
    expect(obstacle({ facts: { shiftedSources: ['web'] } })).toBe(told('web'));
    const services = [service('api')];
    const shifted = { ...task, service: 'api', shifted: true } as const;
    expect(obstacle({ services, unhealthy: [shifted] })).toBe(told('api'));
    expect(obstacle({ services, unhealthy: [{ ...task, service: 'api' }] })).toBeUndefined();
    expect(obstacle({ services: [service('api', { daemon: true })], unhealthy: [shifted] })).toBeUndefined();
  });

  test('by an account with no room for launch configurations', () => {
    expect(obstacle({ launch: launching(PLACE), facts: { launchConfigurationRoom: 0 } })).toBe(
      'the account has reached its limit of launch configurations here; delete some that nobody uses, ' +
        'or use a launch template',
    );
    expect(obstacle({ launch: launching(PLACE), facts: { launchConfigurationRoom: 1 } })).toBeUndefined();
  });

  test('by a group with no room for our tags', () => {
    expect(obstacle({ facts: { tagsTooMany: 3 } })).toBe(
      'the group may have 50 tags, and ours need room for 3 more; remove some',
    );
    expect(obstacle({ facts: { tagsTooMany: 0 } })).toBeUndefined();
  });

  test('by tags of ours that the group passes on', () => {
    const name = 'ecs-ami-deploy:detach-started-at';
    expect(obstacle({ facts: { propagatedTags: [name] } })).toBe(
      `the group passes its tags ${name} on to each instance it launches, which would then count as one to replace; ` +
        'remove them, or let them not propagate at launch',
    );
    expect(obstacle({ facts: { propagatedTags: [] } })).toBeUndefined();
  });

  test('by instances to be replaced with no room for our tags, in the warm pool as well', () => {
    const tagged = (otherTags: number) => {
      const sketches = [old('i-1'), old('i-2'), fresh('i-9')];
      const warm = [old('i-5', { member: 'Warmed:Stopped', ecs: null })];
      const observation = observe(sketches, { roll: null, preflight: CLEAR, warm });
      const groups = observation.groups.map((group) => ({
        ...group,
        instances: group.instances.map((each) => (each.instanceId === 'i-2' ? each : { ...each, otherTags })),
      }));
      return preflight(assessed({ ...observation, groups })).obstacles;
    };
    expect(tagged(44)).toEqual([]);
    expect(tagged(45)).toEqual([
      { code: 'instance-tags-full', instanceIds: ['i-1', 'i-5'], most: 50, ours: 6 },
    ]);
  });

  test('by instances that are protected from termination', () => {
    const facts = { terminationProtected: ['i-1'] };
    expect(obstacle({ facts })).toMatch(/^i-1 is protected from termination: remove the protection/);
  });

  test('by a service that certainly finds no place, if it runs on what is replaced', () => {
    const needs = { code: 'service-fits-nowhere', service: 'api', needs: '1 GPU', has: '0 GPUs' } as const;
    const misfit = { service: 'api', obstacle: needs };
    expect(obstacle({ facts: { misfits: [{ ...misfit, hosts: [arnOf('i-1')] }] } })).toMatch(
      /^service api needs 1 GPU, but what will stay or be launched has 0 GPUs/,
    );
    expect(warnings({ facts: { misfits: [{ ...misfit, hosts: [arnOf('i-1')] }] } })).toEqual([]);
    expect(obstacle({ facts: { misfits: [{ ...misfit, hosts: [arnOf('i-0')] }] } })).toBeUndefined();
    const warning = { code: 'place-uncertain', service: 'api', needs: '1 GPU', guessed: [] } as const;
    const doubtful = { facts: { misfits: [{ service: 'api', warning, hosts: [arnOf('i-1')] }] } };
    expect(obstacle(doubtful)).toBeUndefined();
    expect(warnings(doubtful)).toEqual([
      expect.stringMatching(/^service api needs 1 GPU, which can't be compared/),
    ]);
  });

  test('by everything in its way at once', () => {
    const unusableProfiles = [{ name: 'gone', state: 'missing' }] as const;
    const reason = obstacle({ facts: { freeAddresses: 0, unusableProfiles } });
    expect(reason).toContain('0 free addresses');
    expect(reason).toContain('instance profile gone');
  });

  test('by nothing if nothing is in its way', () => {
    expect(before({}).decision.kind).toBe('act');
    expect(warnings({})).toEqual([]);
  });
});

describe('before anything changes, a roll warns', () => {
  test('which terminate hooks do not run for detached instances, except those of ECS and ours', () => {
    const hooks = (...all: LifecycleHook[]) => ({ lifecycleHooks: { kind: 'read', hooks: all } as const });
    const logs = terminateHook('logs');
    const ours = { ...logs, name: 'ecs-ami-deploy-drain', drainer: 'us' } as const;
    expect(warnings(hooks(logs, managedDraining, ours))).toEqual([
      expect.stringMatching(/^terminate hook logs does not run for instances that are detached/),
    ]);
    expect(warnings(hooks(managedDraining, ours))).toEqual([]);
    expect(warnings(hooks(logs), { terminateHooks: 'run', raiseMaxSize: true })).toEqual([]);
  });

  test('that there is no way back to an image that is lost, once for each such image', () => {
    const [source] = launching(PLACE).sources;
    if (source === undefined) throw new Error('there is a source');
    const sources = (...all: Partial<LaunchSource>[]) => ({
      launch: { sources: all.map((each) => ({ ...source, ...each })), mixed: false },
    });
    const lost = { lost: true } as const;
    expect(warnings(sources(lost, { imageId: 'ami-kept' }, lost))).toEqual([
      expect.stringMatching(/^no way back: ami-01d, which the group launches now, is gone/),
    ]);
    expect(warnings(sources({}))).toEqual([]);
  });

  test('which services are unhealthy already', () => {
    const services = [service('api', { runningCount: 1 })];
    expect(warnings({ services })).toEqual([
      "service api was not steady before the roll, with 1 task running: it doesn't hold it up unless it gets worse",
    ]);
    expect(obstacle({ services })).toBeUndefined();
  });

  test('which services of one task are down for a while, and which may be', () => {
    const services = [bound('a', 1, 0, 100), bound('b', 1, 0, 200), bound('c', 1, 0, 150)];
    expect(warnings({ services })).toEqual([
      'service a, c has one task: when its instance is replaced, it stops before another starts, and the service ' +
        'is down until that runs',
      'service b has one task: when its instance is replaced, it may stop before another runs, as ' +
        'minimumHealthyPercent 0 allows',
    ]);
  });

  test('of no service that starts another task first, has more than one, or is a daemon', () => {
    const services = [
      bound('a', 1, 100, 200),
      bound('b', 1, 1, 200),
      bound('c', 2, 0, 100),
      bound('d', 1, 0, 100, { daemon: true }),
      bound('e', 0, 0, 100),
    ];
    expect(warnings({ services })).toEqual([]);
  });

  test('of nothing if there is nothing to roll', () => {
    const services = [service('api', { runningCount: 1 })];
    expect(warnings({ services, sketches: [fresh('i-9')] })).toEqual([]);
  });
});

describe('without a surge', () => {
  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  const one = { sketches: [old('i-1')] };
  const NOWHERE =
    "without a surge all of the cluster's 1 container instances would drain at once, and service api must keep tasks " +
    'meanwhile; set MAX_SURGE to 1 or more, or lower DRAIN_CONCURRENCY';

  test('the only container instance has nowhere to move its tasks to', () => {
    expect(obstacle(one, inPlace)).toBe(NOWHERE);
    expect(obstacle({ sketches: [old('i-1'), old('i-2')] }, { ...inPlace, drainConcurrency: 2 })).toMatch(
      /^without a surge all of the cluster's 2/,
    );
  });

  test('an instance that is gone but still registered is no place to move them to', () => {
    const ghost = old('i-9', { member: null, alive: false, agentConnected: false });
    expect(obstacle({ sketches: [old('i-1'), ghost] }, inPlace)).toBe(NOWHERE);
  });

  test('nor is one that drains already', () => {
    const leaving = old('i-9', { member: null, ecs: 'DRAINING' });
    expect(obstacle({ sketches: [old('i-1'), leaving] }, inPlace)).toBe(NOWHERE);
  });

  test.each<[string, Before, Partial<Settings>]>([
    ['a new one stays', { sketches: [old('i-1'), fresh('i-9')] }, { ...inPlace, drainConcurrency: 2 }],
    ['none takes tasks as it is', { sketches: [old('i-1', { ecs: null })] }, inPlace],
    ['another is there', { sketches: [old('i-1'), old('i-2')] }, inPlace],
    ['there is a surge', one, {}],
    [
      'no service must keep a task',
      { ...one, services: [service('api', { minimumHealthyPercent: 0 })] },
      inPlace,
    ],
    ['only daemons run', { ...one, services: [service('logs', { daemon: true })] }, inPlace],
    ['what is left may be stopped', one, { ...inPlace, onDrainTimeout: 'force' }],
    [
      'the first batch is smaller',
      { sketches: [old('i-1'), old('i-2')] },
      { ...inPlace, drainConcurrency: 2, canary: 1 },
    ],
  ])('it has, where %s', (_, scene, settings) => {
    expect(obstacle(scene, settings)).toBeUndefined();
  });
});

describe('a load balancer that serves zones apart', () => {
  const sketches = [old('i-1', { zone: 'a' }), old('i-2', { zone: 'b' })];
  const scene: Before = {
    sketches,
    trafficSources: [TARGET_GROUP],
    maxSize: 9,
    facts: { zonalSources: ['web'] },
  };
  const count = (value: number) => ({ maxSurge: { kind: 'count', count: value } }) as const;

  test('is named with the zones that the roll may leave without a member', () => {
    expect(warnings(scene, count(1))).toEqual([
      expect.stringMatching(
        /^web sends requests in each zone only to what is there, and a and b may have nobody/,
      ),
    ]);
    expect(warnings(scene, count(0))).toHaveLength(1);
  });

  test('is no matter where the group may have one more in each zone, or where none is one', () => {
    expect(warnings(scene, count(2))).toEqual([]);
    expect(warnings({ ...scene, facts: { zonalSources: [] } }, count(0))).toEqual([]);
  });
});

describe('zones of members with weights', () => {
  const scene = {
    availabilityZones: ['a', 'b'],
    suspendedProcesses: [],
    sketches: [old('i-1', { weight: 2 }), old('i-2', { weight: 2, zone: 'b' })],
    desiredCapacity: 4,
    maxSize: 8,
  };

  test('may end uneven, which is told before', () => {
    expect(warnings(scene)).toEqual([expect.stringContaining('its members have weights')]);
  });

  test('may end uneven if only some have a weight', () => {
    const sketches = [old('i-1', { weight: 3 }), old('i-2', { zone: 'b' })];
    expect(warnings({ ...scene, sketches })).toEqual([expect.stringContaining('its members have weights')]);
  });

  test.each<[string, Before, Partial<Settings>?]>([
    [
      'while none is replaced',
      {
        launch: launching(PLACE),
        sketches: [fresh('i-1', { weight: 2 }), fresh('i-2', { weight: 2, zone: 'b' })],
      },
    ],
    ['without weights', { sketches: [old('i-1'), old('i-2', { zone: 'b' })], desiredCapacity: 2 }],
    ['in one zone', { availabilityZones: ['a'] }],
    ['while the owner has AZRebalance suspended', { suspendedProcesses: ['AZRebalance'] }],
    ['where each is replaced in place', {}, { maxSurge: { kind: 'count', count: 0 } }],
  ])('%s nothing is told', (_, rest, settings) => {
    expect(warnings({ ...scene, ...rest }, settings)).toEqual([]);
  });
});

describe('a group in a spread placement group', () => {
  test.each([
    [0, 1, true],
    [1, 1, false],
    [1, 2, true],
    [0, 0, false],
  ])('that takes %i more at a surge of %i', (free, count, isFull) => {
    const maxSurge = { kind: 'count', count } as const;
    const reason = obstacle({ facts: { spreadGroups: [{ name: 'apart', free }] } }, { maxSurge });
    expect(reason?.startsWith(`spread placement group apart takes ${free} more`) ?? false).toBe(isFull);
  });
});

describe('a group that launches only into Capacity Reservations', () => {
  const reserved = (...reservations: NonNullable<PreflightFacts['reservations']>) => ({
    facts: { reservations },
  });

  test.each([
    [0, '1', true],
    [1, '1', false],
    [1, '2', true],
    [0, '0', false],
  ])('with room for %i more and a surge of %s', (free, surge, isFull) => {
    const maxSurge = { kind: 'count', count: Number(surge) } as const;
    const reason = obstacle(reserved({ id: 'cr-1', free }), { maxSurge });
    expect(reason?.includes('Capacity Reservation cr-1, which has room for') ?? false).toBe(isFull);
  });

  test('is warned if nobody tells the room, unless it rolls in place', () => {
    const maxSurge = (count: number) => ({ maxSurge: { kind: 'count', count } as const });
    const unknown = reserved({ id: 'cr-1' }, {});
    expect(obstacle(unknown, maxSurge(1))).toBeUndefined();
    expect(warnings(unknown, maxSurge(1)).filter((each) => each.includes("whose room can't"))).toEqual([
      expect.stringContaining('Capacity Reservation cr-1, whose'),
      expect.stringContaining('Capacity Reservations, whose'),
    ]);
    expect(warnings(unknown, maxSurge(0)).join()).not.toContain('Capacity Reservation');
  });
});

describe('a group that launches only where its zones stay even', () => {
  const one = { maxSurge: { kind: 'count', count: 1 } } as const;
  const zonalAddresses = (...free: number[]) =>
    new Map(free.map((count, index) => [`eu-west-1${'abc'[index]}`, count] as const));

  test('is told which zone has no address for what may be launched there', () => {
    const reason = obstacle({ facts: { zonalAddresses: zonalAddresses(1, 0) } }, one);
    expect(reason).toContain('0 free addresses in eu-west-1b, the only zone');
  });

  test('needs one in each, and in place none', () => {
    expect(obstacle({ facts: { zonalAddresses: zonalAddresses(1, 1) } }, one)).toBeUndefined();
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    expect(obstacle({ facts: { zonalAddresses: zonalAddresses(0, 0) } }, inPlace)).toBeUndefined();
  });
});
