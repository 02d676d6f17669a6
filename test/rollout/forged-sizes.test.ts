import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { sealedTags } from '../sealed.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { groupOf, keepInvoking, tagGroup } from './happenings.ts';
import { only } from './outcomes.ts';
import { type Stage, standardStage } from './stage.ts';

/** What anyone who may tag the group writes on its tags about its sizes and processes. */

const MOST = 10;

const scene = () =>
  standardStage(
    { group: { minSize: 1, maxSize: MOST } },
    {
      // Of what is forged and not of this roll nothing is left to be replaced, so that it is followed at
      // once.
      furnish: (world) => void world.state.images.delete('ami-00000000000000002'),
    },
  );

type Tags = Readonly<Record<string, string>>;

/**
 * As written by hand, and with a seal, as written by somebody who restored an old one or got hold of the key.
 */
const WRITTEN = {
  plain: (_: Group, tags: Tags) => tags,
  sealed: (group: Group, tags: Tags) => sealedTags(group, 'demo', tags),
} as const;
type Way = keyof typeof WRITTEN;
const WAYS = ['plain', 'sealed'] as const satisfies Way[];

function tag(staged: Stage, tags: Tags, way: Way): void {
  const all = {
    [GROUP_TAGS.cluster]: 'demo',
    [GROUP_TAGS.image]: 'ami-00000000000000001',
    [GROUP_TAGS.startedAt]: new Date(staged.clock.now()).toISOString(),
    ...tags,
  };
  tagGroup(groupOf(staged), WRITTEN[way](groupOf(staged), all));
}

/** The largest and the least that the group's sizes have been, and whether one of its members was ended. */
function watch(staged: Stage) {
  const group = groupOf(staged);
  const members = [...group.members.keys()];
  const seen = { most: MOST, least: MOST, largest: 4, smallest: 4 };
  staged.world.subscribe(() => {
    seen.most = Math.max(seen.most, group.maxSize);
    seen.least = Math.min(seen.least, group.maxSize);
    seen.largest = Math.max(seen.largest, group.desiredCapacity);
    seen.smallest = Math.min(seen.smallest, group.desiredCapacity);
  });
  return { seen, isWhole: () => members.every((id) => group.members.has(id)) };
}

describe.each(WAYS)('a record of sizes that somebody forges, %s,', (way) => {
  test.each([
    ['of 400 instances', '+0/+0 4/10 to 400/400 of 0 marked'],
    ['of one more than the surge', '+0/+0 4/10 to 9/10 of 0 marked'],
    ['of a maximum of 1', '+0/+0 4/10 to 4/1 of 0 marked'],
    ['of a maximum that is ours by far', '+0/+9 over 4/1 4/10 to 4/1 of 0 marked'],
    ['of a smaller group', '+0/+0 4/10 to 1/1 of 0 marked'],
    ['of more than there is', '+400/+400 over 0/0'],
    ['of what nobody tells it came on top of', '+3/+9'],
    ['of what was given back', '+3/+0 over 4/10'],
  ])('%s terminates no member and raises no size', async (_, held) => {
    const staged = scene();
    const { seen, isWhole } = watch(staged);
    tag(staged, { [GROUP_TAGS.addedSizes]: held }, way);
    await keepInvoking(staged, 30);
    expect(isWhole()).toBe(true);
    expect(seen).toEqual({ most: MOST, least: expect.any(Number), largest: 4, smallest: 4 });
    expect(seen.least).toBeGreaterThanOrEqual(4);
    expect(groupOf(staged)).toMatchObject({ desiredCapacity: 4, minSize: 1 });
    staged.invariants.assertHeld();
  });

  test.each(['100 1', '5 4 1', '-1 1'])('of a minimum size of %s raises nothing', async (raisedMinSize) => {
    const staged = scene();
    tag(staged, { [GROUP_TAGS.minSize]: raisedMinSize }, way);
    await keepInvoking(staged, 30);
    expect(groupOf(staged)).toMatchObject({ desiredCapacity: 4, minSize: 1, maxSize: MOST });
  });
});

test.each(WAYS)(
  'processes that somebody else suspended stay suspended, even if %s tags say we did it',
  async (way) => {
    const staged = scene();
    const suspended = ['Terminate', 'HealthCheck', 'ScheduledActions'];
    for (const name of suspended) groupOf(staged).suspendedProcesses.add(name);
    tag(staged, { [GROUP_TAGS.suspended]: suspended.join(' ') }, way);
    await keepInvoking(staged, 30);
    expect([...groupOf(staged).suspendedProcesses].sort()).toEqual([...suspended].sort());
  },
);

test.each(WAYS)('a roll that %s tags say begins in 2099 still ends', async (way) => {
  const staged = scene();
  tag(staged, { [GROUP_TAGS.startedAt]: '2099-01-01T00:00:00.000Z' }, way);
  const [said] = await keepInvoking(staged, 30);
  expect(said?.state).not.toBe('in-progress');
  expect(groupOf(staged)).toMatchObject({ desiredCapacity: 4, maxSize: MOST });
});

describe.each(WAYS)(
  'forged sizes and processes, %s, are reported in the end, even if overwritten by then',
  (way) => {
    test.each([
      [GROUP_TAGS.addedSizes, '+0/+0 4/10 to 400/400 of 0 marked'],
      [GROUP_TAGS.minSize, '100 1'],
      [GROUP_TAGS.suspended, 'Terminate'],
    ])('%s', async (key, text) => {
      const staged = scene();
      tag(staged, { [key]: text }, way);
      const said = only(await staged.invoke());
      expect(said.untrusted?.flatMap(({ keys }) => keys)).toContain(key);
      expect(said.warnings).toContainEqual(
        expect.stringMatching(/^tags of group demo-ecs are ignored,.* who wrote them$/),
      );
    });
  },
);
