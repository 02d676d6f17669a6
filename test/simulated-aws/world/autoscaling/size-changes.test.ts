import {
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.ts';

type Scene = ReturnType<typeof setUp>;

const AutoScalingGroupName = 'g';

const CHANGES: readonly (readonly [what: string, change: (scene: Scene) => void, told: RegExp])[] = [
  [
    'a call',
    ({ call }) => void call(SetDesiredCapacityCommand, { AutoScalingGroupName, DesiredCapacity: 4 }),
    /a user request explicitly set group desired capacity changing the desired capacity from 3 to 4\. /,
  ],
  [
    'an update',
    ({ call }) => void call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName, MinSize: 4 }),
    /a user request update of AutoScalingGroup constraints to min: 4, max: 9, desired: 4 changing .* from 3 to 4\. /,
  ],
  [
    'a schedule',
    ({ world }) => void world.owner.scheduledAction('g', { desiredCapacity: 2 }),
    /a scheduled action update of AutoScalingGroup .* desired: 2 changing the desired capacity from 3 to 2\. /,
  ],
  [
    'a policy',
    ({ world }) => void world.owner.scale('g', 1),
    /a monitor alarm .* triggered policy .* changing the desired capacity from 3 to 4\. /,
  ],
];

describe('activities', () => {
  it.each(CHANGES)('tell what changed the desired capacity: %s', (_, change, told) => {
    const scene = setUp({ maxSize: 9 });
    change(scene);
    scene.clock.advance(600);
    expect(scene.group.activities[0]?.Cause).toMatch(told);
    const before = scene.group.activities.length;
    scene.detach([...scene.group.members.keys()][0] ?? '');
    scene.clock.advance(600);
    const later = scene.group.activities.slice(0, -before);
    expect(later.length).toBeGreaterThan(0);
    for (const { Cause } of later) expect(Cause).not.toMatch(/desired capacity from/);
  });

  it.each(CHANGES)('or do not, by the other reading: %s', (_, change) => {
    const scene = setUp({ maxSize: 9 });
    scene.world.state.readings.sizeChanges = 'untold';
    change(scene);
    scene.clock.advance(600);
    expect(scene.group.activities[0]?.Cause).toMatch(/difference between desired and actual capacity\.$/);
  });

  it.each<[string, (scene: Scene) => void, RegExp]>([
    [
      'goes on Standby',
      ({ world, first }) => world.owner.enterStandby(first),
      /^At \S+ instance i-\w+ was moved to standby in response to a user request, shrinking the capacity from 3 to 2\.$/,
    ],
    [
      'comes back',
      ({ world, clock, first }) => {
        world.owner.enterStandby(first);
        clock.advance(60);
        world.owner.exitStandby(first);
      },
      /^At \S+ instance i-\w+ was moved out of standby in response to a user request, increasing the capacity from 2 to 3\.$/,
    ],
    [
      'is detached, and none comes in its place',
      ({ world, first }) => world.owner.detachInstance(first, { decrements: true }),
      /^At \S+ instance i-\w+ was detached in response to a user request, shrinking the capacity from 3 to 2\.$/,
    ],
    [
      'is detached',
      ({ detach, first }) => detach(first),
      /^At \S+ instance i-\w+ was detached in response to a user request\.$/,
    ],
    [
      'is ended, and none comes in its place',
      ({ call, first: InstanceId }) =>
        call(TerminateInstanceInAutoScalingGroupCommand, {
          InstanceId,
          ShouldDecrementDesiredCapacity: true,
        }),
      /taken out of service in response to a user request, shrinking the capacity from 3 to 2\.$/,
    ],
    [
      'is attached',
      ({ world, clock, first }) => {
        world.owner.detachInstance(first, { decrements: true });
        clock.advance(600);
        world.owner.attachInstance('g', first);
      },
      /^At \S+ an instance was added in response to user request\. Keeping the capacity at the new 3\.$/,
    ],
  ])('tell how the desired capacity goes along as a member %s', (_, change, told) => {
    const scene = setUp({ maxSize: 9 });
    change(scene);
    expect(scene.group.activities[0]?.Cause).toMatch(told);
  });
});
