import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeGroups } from '../lambda/aws/autoscaling.ts';
import { glance, paceFrom, secondsUntil } from '../lambda/pace.ts';
import { describedGroup } from './aws/described-group.ts';
import { mocked } from './aws/mocked.ts';
import { sealedAws } from './aws/sealed-aws.ts';

const autoScaling = mocked(AutoScalingClient);
const aws = sealedAws();
const START = new Date('2026-11-22T00:00:00Z');
const POLL = 10;
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const GROUP_ALONE = [{ tasks: [], services: [], registrations: 0, group: true }];

async function seen() {
  return { cluster: 'web', records: await describeGroups(aws, ['web']), containerInstances: [] };
}

beforeEach(() => {
  autoScaling.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups: [describedGroup()] });
});

describe('a cluster that waits for something a glance shows', () => {
  test('is glanced at once a poll, until a whole look is due', async () => {
    const first = paceFrom(START, POLL, { seconds: 25, waits: GROUP_ALONE, seen: await seen() });
    expect(first).toMatchObject({ at: at(10), wholeAt: at(25) });
    const second = await glance(aws, first, at(10), POLL);
    expect(second).toMatchObject({ at: at(20), wholeAt: at(25) });
    const third = second && (await glance(aws, second, at(20), POLL));
    expect(third).toMatchObject({ at: at(25), wholeAt: at(25) });
    expect(third && (await glance(aws, third, at(25), POLL))).toBeUndefined();
  });

  test('is looked at whole once something is new', async () => {
    const pace = paceFrom(START, POLL, { seconds: 30, waits: GROUP_ALONE, seen: await seen() });
    const AutoScalingGroups = [describedGroup({ DesiredCapacity: 99 })];
    autoScaling.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups });
    expect(await glance(aws, pace, at(10), POLL)).toBeUndefined();
  });

  test('is looked at whole if a glance fails: that look meets the same, and reports it', async () => {
    const pace = paceFrom(START, POLL, { seconds: 30, waits: GROUP_ALONE, seen: await seen() });
    autoScaling.on(DescribeAutoScalingGroupsCommand).rejects(new Error('denied'));
    expect(await glance(aws, pace, at(10), POLL)).toBeUndefined();
  });
});

test('a group that nothing waits for is read every third poll, as somebody may order something', async () => {
  const waits = [{ tasks: [], services: [], registrations: 0, group: false }];
  const reads: number[] = [];
  let pace = paceFrom(START, POLL, { seconds: 100, waits, seen: await seen() });
  for (let seconds = 10; seconds <= 70; seconds += 10) {
    const before = autoScaling.calls().length;
    pace = (await glance(aws, pace, at(seconds), POLL)) ?? pace;
    if (autoScaling.calls().length > before) reads.push(seconds);
  }
  expect(reads).toEqual([30, 60]);
});

test('a cluster of which only a whole look can tell is not glanced at', async () => {
  const pace = paceFrom(START, POLL, { seconds: 25, seen: await seen() });
  expect(pace.at).toEqual(at(25));
  const calls = autoScaling.calls().length;
  expect(await glance(aws, pace, at(10), POLL)).toBeUndefined();
  expect(autoScaling.calls()).toHaveLength(calls);
});

test('the loop sleeps until the first cluster is due, and not at all if one is overdue', () => {
  expect(secondsUntil([{ at: at(5) }, { at: at(3) }], START)).toBe(3);
  expect(secondsUntil([{ at: at(5) }], at(7))).toBe(0);
});
