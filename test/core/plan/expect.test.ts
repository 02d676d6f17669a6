import { describe, expect, test } from 'vitest';
import type { ContainerInstance } from '../../../lambda/core/model/cluster.ts';
import type { Group } from '../../../lambda/core/model/group.ts';
import type { HookNote } from '../../../lambda/core/model/hook.ts';
import { NO_CHANGES, type Roll } from '../../../lambda/core/model/roll.ts';
import { expectReady } from '../../../lambda/core/plan/expect.ts';
import {
  ago,
  fresh,
  groupOf,
  NOW,
  observe,
  old,
  type Scene,
  type Sketch,
  service,
  TARGET,
} from '../builders.ts';

/** What is expected of a group once all that it waits for has happened. */
function expected(
  sketches: readonly Sketch[],
  scene: Scene = {},
  change: (group: Group) => Group = (it) => it,
) {
  const observation = observe(sketches, scene);
  const ready = expectReady({ ...observation, groups: [change(groupOf(observation))] });
  return { ...ready, group: ready.groups[0] };
}

const EVER = new Date(0);

describe('of the members are expected', () => {
  const statesOf = ({ members }: Group) =>
    members.map(({ instanceId, lifecycleState, healthy }) => [instanceId, lifecycleState, healthy]);

  test('all that stay, in service unless they are aside, and as many new ones as are lacking', () => {
    const sketches = [
      old('i-1', { member: 'Terminating:Wait' }),
      old('i-2', { member: 'Detaching' }),
      old('i-3', { alive: false }),
      old('i-4', { member: 'Standby' }),
      old('i-5', { member: 'Pending', healthy: false }),
      old('i-6'),
    ];
    const { group } = expected(sketches, { desiredCapacity: 3 });
    expect(statesOf(group)).toEqual([
      ['i-4', 'Standby', true],
      ['i-5', 'InService', true],
      ['i-6', 'InService', true],
      ['new member 7', 'InService', true],
    ]);
  });

  test('no others where they are more than desired', () => {
    expect(statesOf(expected([old('i-1'), old('i-2')], { desiredCapacity: 1 }).group)).toHaveLength(2);
  });

  test('that EC2 knows all of them, the new ones as launched now', () => {
    const forgotten = (group: Group) => ({ ...group, instances: [] });
    const { group } = expected([old('i-1')], { desiredCapacity: 2 }, forgotten);
    const launched = { alive: true, imageId: TARGET.imageId, launchedAt: NOW, excluded: false };
    expect(group.instances).toEqual([
      { instanceId: 'i-1', ...launched },
      { instanceId: 'new member 1', ...launched },
    ]);
  });

  test('that marked ones that never register have had their time, and no other grows older', () => {
    const { group } = expected([old('i-1', { marked: 60 }), old('i-2')]);
    expect(group.instances.map(({ launchedAt }) => launchedAt)).toEqual([EVER, ago(86_400)]);
  });
});

describe('of the registrations are expected', () => {
  const registrationsOf = ({ containerInstances }: { containerInstances: readonly ContainerInstance[] }) =>
    containerInstances.map(
      ({ instanceId, status, agentConnected, pendingTasksCount, runningTasksCount }) =>
        `${instanceId} ${status}${agentConnected ? '' : ' away'}, ${pendingTasksCount} to come of ${runningTasksCount}`,
    );
  const busy = { pending: 2, running: 3 };

  test.each<[string, Sketch, string[]]>([
    ['a member that serves', old('i-1', busy), ['i-1 ACTIVE, 0 to come of 3']],
    [
      'a member whose agent is away',
      old('i-1', { agentConnected: false, ...busy }),
      ['i-1 ACTIVE, 0 to come of 3'],
    ],
    ['a member that comes', fresh('i-1', { ecs: null }), ['i-1 ACTIVE, 0 to come of 0']],
    [
      'a member that registers',
      fresh('i-1', { ecs: 'REGISTERING', marked: 9, ...busy }),
      ['i-1 ACTIVE, 0 to come of 3'],
    ],
    [
      'a member whose registration failed',
      fresh('i-1', { ecs: 'REGISTRATION_FAILED', marked: 9, ...busy }),
      ['i-1 ACTIVE, 0 to come of 3'],
    ],
    [
      'a member that somebody drains',
      old('i-1', { ecs: 'DRAINING', ...busy }),
      ['i-1 ACTIVE, 0 to come of 3'],
    ],
    [
      'a member that drains for the roll',
      old('i-1', { ecs: 'DRAINING', marked: 9, ...busy }),
      ['i-1 DRAINING, 0 to come of 0'],
    ],
    ['what deregisters', old('i-1', { member: null, ecs: 'DEREGISTERING', marked: 9, ...busy }), []],
    [
      'what has left and drains',
      old('i-1', { member: null, ecs: 'DRAINING', marked: 9, ...busy }),
      ['i-1 DRAINING, 0 to come of 0'],
    ],
    [
      'what has left and is away',
      old('i-1', { member: null, agentConnected: false, marked: 9, ...busy }),
      ['i-1 ACTIVE away, 0 to come of 3'],
    ],
    [
      'what has left and registers',
      old('i-1', { member: null, ecs: 'REGISTERING', marked: 9, ...busy }),
      ['i-1 ACTIVE, 0 to come of 3'],
    ],
    [
      'what has left and failed to register',
      old('i-1', { member: null, ecs: 'REGISTRATION_FAILED', marked: 9, ...busy }),
      ['i-1 REGISTRATION_FAILED, 0 to come of 3'],
    ],
  ])('as they are in the end: %s', (_, sketch, registrations) => {
    expect(registrationsOf(expected([sketch]))).toEqual(registrations);
  });
});

test('of the cluster it is expected that services are steady, and of the targets that they serve', () => {
  const crash = {
    ...{
      taskArn: 'arn:task/web/1',
      containerInstanceArn: 'arn:x',
      group: 'service:api',
      at: NOW,
      reason: '',
    },
  };
  const scene = { services: [service('api')], crashes: [crash], hasCapacityProvider: true };
  const { details, group } = expected([old('i-1', { tasks: ['service:api'], serving: false })], scene);
  expect(details).toMatchObject({ services: [], tasks: [], crashes: [], alarms: [] });
  expect(group.details).toMatchObject({ targetHealth: [], hasCapacityProvider: true });
  expect(group.watch.servedSince).toEqual(EVER);
});

describe('of the roll is expected', () => {
  const rollOf = (roll: Scene['roll']) => expected([old('i-1')], { roll }).group.roll;

  test('nothing where none has begun', () => {
    expect(rollOf(null)).toBeUndefined();
  });

  test('that its trial has lasted', () => {
    expect(rollOf({ canary: { kind: 'baking', since: NOW } })?.canary).toEqual({
      kind: 'baking',
      since: EVER,
    });
    expect(rollOf({ canary: { kind: 'pending' } })?.canary).toEqual({ kind: 'pending' });
  });

  test('that a raised minimum size has rested, if it rests', () => {
    const raised = (restsSince?: Date): Partial<Roll> => ({
      changes: {
        ...NO_CHANGES,
        suspended: ['AZRebalance'],
        raisedMinSize: { owner: 1, ours: [2], ...(restsSince && { restsSince }) },
      },
    });
    expect(rollOf(raised(NOW))?.changes).toEqual(raised(EVER).changes);
    expect(rollOf(raised())?.changes).toEqual(raised().changes);
  });

  test('that whoever is asked lets it go on', () => {
    const hook: HookNote = {
      ...{ stage: 'before-batch', key: '1', answer: 'asked', since: ago(60), askedAt: ago(30), attempt: 2 },
    };
    expect(rollOf({ hook })?.hook).toEqual({ ...hook, answer: 'go', askedAt: NOW });
    expect(rollOf({})).not.toHaveProperty('hook');
  });
});

test('of detachments it is expected that Auto Scaling tells no more', () => {
  const doubt = { instanceId: 'i-0', missedSince: NOW };
  const { group } = expected([old('i-1')], { unproven: [doubt], detachedLately: [doubt] });
  const told = [{ instanceId: 'i-0', missedSince: EVER }];
  expect(group).toMatchObject({ unproven: told, detachedLately: told });
});
