import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { openedGroup, textOn } from '../sealed.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { type Instance, isAlive } from '../simulated-aws/world/ec2/model.ts';
import type { Key } from '../simulated-aws/world/kms/keys.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { afterTag, groupOf, isDrain, membersOf, oldest, once, tagGroup } from './happenings.ts';
import { groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

/**
 * What somebody writes, changes, copies or replays of our tags, who may tag groups or instances and no more;
 * and the key that our own are sealed with.
 */

const OLD = 'ami-00000000000000001';
const NEW = 'ami-00000000000000002';

const scene = (options?: Partial<StageOptions>) => standardStage({ group: { maxSize: 10 } }, options);

const imagesOf = (staged: Stage) => membersOf(staged).map(({ imageId }) => imageId);
const FOUR_NEW = [NEW, NEW, NEW, NEW];

/** The first detached instance that drains, once it does. */
function drained({ world }: Stage): Instance {
  const draining = [...world.state.instances.values()].find(
    ({ containerInstance }) => containerInstance?.status === 'DRAINING',
  );
  if (draining === undefined) throw new Error('nothing drains');
  return draining;
}

/** Calls that named an instance, or what it is registered as, and may have changed it. */
function changesOf({ account }: Stage, { id, containerInstance }: Instance): string[] {
  const named = [id, ...(containerInstance ? [containerInstance.arn] : [])];
  const touching = account.calls.log.filter(({ input }) =>
    named.some((name) => JSON.stringify(input).includes(name)),
  );
  return writes(touching);
}

describe('our tags, written by somebody else', () => {
  test('all four, on an instance in no group and no cluster: it is not touched', async () => {
    const staged = scene();
    const stranger = staged.world.addInstance({
      image: oldest(staged.world),
      tags: markTags('demo', { group: 'demo-ecs', detachStartedAt: new Date(0) }),
    });
    await staged.invoke();
    await staged.finish();
    await staged.invoke({ action: 'continue' });
    expect(isAlive(stranger)).toBe(true);
    expect(changesOf(staged, stranger)).toEqual([]);
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
  });

  test('on an instance in the cluster but in no group: it is left alone and reported', async () => {
    const staged = scene();
    const stranger = staged.world.addInstance({
      image: oldest(staged.world),
      cluster: 'demo',
      tags: markTags('demo', { group: 'demo-ecs', detachStartedAt: new Date(0) }),
    });
    staged.clock.advance(300);
    const said = groupsOf(await staged.invoke());
    expect(changesOf(staged, stranger)).toEqual([]);
    expect(JSON.stringify(said)).toContain(`${stranger.id} is in no Auto Scaling group`);
  });

  test('begin no roll, whatever they say', async () => {
    const staged = scene();
    const forged = {
      [GROUP_TAGS.cluster]: 'demo',
      [GROUP_TAGS.image]: OLD,
      [GROUP_TAGS.startedAt]: '2026-11-20T00:00:00.000Z',
      [GROUP_TAGS.suspended]: 'Launch Terminate HealthCheck',
      [GROUP_TAGS.addedSizes]: '+3/+3 over 1/1',
      [GROUP_TAGS.forceBefore]: '2099-01-01T00:00:00.000Z',
    };
    tagGroup(groupOf(staged), forged);
    expect(groupsOf(await staged.invoke({ action: 'continue' }))).toEqual([]);
    expect(writes(staged.account.calls.log)).toEqual([]);
    await staged.roll();
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
    expect(staged.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('reject no image for a group', async () => {
    const staged = scene();
    tagGroup(groupOf(staged), { [GROUP_TAGS.rejected]: NEW, [GROUP_TAGS.rejectedBecause]: 'aborted: so' });
    expect(only(await staged.invoke())).toMatchObject({ state: 'completed' });
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
  });

  test.each([
    ['image', OLD],
    ['forceBefore', '2099-01-01T00:00:00.000Z'],
    ['suspended', 'Launch Terminate'],
    ['addedSizes', '+0/+0 over 1/1'],
    ['minSize', '0 4'],
    ['course', 'rollback 2026-11-21T00:00:00.000Z'],
    ['canary', 'passed 2026-11-21T00:00:00.000Z ami-00000000000000002'],
  ] as const)('change nothing through %s in the middle of a roll, which ends', async (name, text) => {
    const staged = scene();
    once(staged.world, isDrain, () => tagGroup(groupOf(staged), { [GROUP_TAGS[name]]: text }));
    await staged.roll();
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
    expect(staged.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('turn a roll back with one word, but never for a reason they give', async () => {
    const staged = scene({ expectations: { endings: ['rolled-back'] } });
    once(staged.world, isDrain, () =>
      tagGroup(groupOf(staged), {
        [GROUP_TAGS.course]: 'rollback',
        [GROUP_TAGS.because]: 'replacements fail',
      }),
    );
    const said = [...groupsOf(await staged.invoke()), ...(await staged.finish())];
    expect(said.map(({ because }) => because)).toContain('somebody asked for it by a tag on the group');
    expect(textOn(groupOf(staged), GROUP_TAGS.rejectedBecause)).toMatch(/asked for it by a tag/);
    staged.invariants.assertFinished();
  });
});

describe('our tags in another place', () => {
  test('a mark copied to a member, or to a stranger, does not count', async () => {
    const staged = scene({ environment: { MAX_SURGE: '1' } });
    const stranger = staged.world.addInstance({ image: oldest(staged.world) });
    let member: Instance | undefined;
    once(staged.world, isDrain, () => {
      member = membersOf(staged).find(({ imageId }) => imageId === NEW);
      for (const copy of [member, stranger])
        for (const key of Object.values(INSTANCE_TAGS)) {
          const value = drained(staged).tags.get(key);
          if (value !== undefined) copy?.tags.set(key, value);
        }
    });
    await staged.invoke();
    await staged.finish();
    expect(changesOf(staged, stranger)).toEqual([]);
    expect(isAlive(stranger)).toBe(true);
    expect(membersOf(staged)).toContain(member);
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
  });

  test('all tags of a group in mid-roll, copied to another, do not make it roll', async () => {
    const staged = scene({
      furnish(world) {
        world.addCluster('apart');
        world.addGroup({ name: 'apart', cluster: 'apart', image: oldest(world), instances: 2 });
      },
    });
    once(staged.world, isDrain, () => {
      for (const [key, tag] of groupOf(staged).tags) groupOf(staged, 'apart').tags.set(key, tag);
    });
    await staged.invoke();
    await staged.finish();
    const left = groupOf(staged, 'apart');
    expect([...left.members.values()].map(({ instance }) => instance.imageId)).toEqual([OLD, OLD]);
    const named = staged.account.calls.log.filter(({ input }) => JSON.stringify(input).includes('"apart"'));
    expect(writes(named)).toEqual([]);
  });

  test('the cluster of a roll in progress is written again if somebody changes or removes it', async () => {
    for (const forge of [
      (group: Group) => tagGroup(group, { [GROUP_TAGS.cluster]: 'jobs' }),
      (group: Group) => void group.tags.delete(GROUP_TAGS.cluster),
    ]) {
      const staged = scene();
      staged.world.addCluster('jobs');
      once(staged.world, isDrain, () => forge(groupOf(staged)));
      await staged.roll();
      expect(staged.log.join('\n')).toContain('names the cluster of the roll again');
      expect(imagesOf(staged)).toEqual(FOUR_NEW);
    }
  });
});

describe('our own old tags', () => {
  test('all from an earlier moment of the same roll: it ends as it would', async () => {
    const staged = scene({ environment: { MAX_SURGE: '1' } });
    const group = groupOf(staged);
    let before: [string, { value: string; propagatesAtLaunch: boolean }][] = [];
    let drains = 0;
    staged.world.subscribe((event) => {
      if (!isDrain(event)) return;
      drains += 1;
      if (drains === 1)
        before = [...group.tags].map(([key, tag]) => [key, { ...tag, value: tag.value ?? '' }]);
      if (drains === 3) for (const [key, tag] of before) group.tags.set(key, tag);
    });
    await staged.roll();
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
  });

  test('a course and a trial from an earlier roll do not count in the next', async () => {
    const staged = scene({
      environment: { CANARY: '1' },
      expectations: { endings: ['rolled-back', 'completed'] },
    });
    const group = groupOf(staged);
    let course: { value: string } | undefined;
    afterTag(
      staged,
      GROUP_TAGS.course,
      (text) => text.startsWith('rollback 20'),
      0,
      () => {
        course = { value: group.tags.get(GROUP_TAGS.course)?.value ?? '' };
      },
    );
    once(staged.world, isDrain, () => tagGroup(group, { [GROUP_TAGS.course]: 'rollback' }));
    await staged.invoke();
    await staged.finish();
    staged.clock.advance(3600);
    once(staged.world, isDrain, () => tagGroup(group, { [GROUP_TAGS.course]: course?.value ?? '' }));
    await staged.invoke({ action: 'roll', force: true });
    await staged.finish();
    expect(course?.value).toMatch(/^rollback 2026-11-21T\S+ \w{8} [\w-]{22}$/);
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
  });
});

describe('the key', () => {
  const KEYS = (world: World): Key => {
    const [key] = world.state.keys.byId.values();
    if (key === undefined) throw new Error('no key');
    return key;
  };

  test.each([
    ['Disabled', /enable it with aws kms enable-key/],
    ['PendingDeletion', /keep it with aws kms cancel-key-deletion/],
    ['Unavailable', /the next invocation tries again/],
  ] as const)(
    '%s stops everything, loudly, and everything goes on once it is back',
    async (state, advice) => {
      const staged = scene();
      KEYS(staged.world).state = state;
      await expect(staged.invoke()).rejects.toThrow(/STATE_KEY was "alias\/ecs-ami-deploy"/);
      await expect(staged.invoke({ action: 'continue' })).rejects.toThrow(advice);
      expect(writes(staged.account.calls.log)).toEqual([]);
      KEYS(staged.world).state = 'Enabled';
      expect(only(await staged.invoke())).toMatchObject({ state: 'completed' });
      staged.invariants.assertFinished();
    },
  );

  test('is reported if it is missing or may not be used, and nothing changes', async () => {
    const missing = scene({ environment: { STATE_KEY: 'alias/another' } });
    await expect(missing.invoke()).rejects.toThrow(
      /STATE_KEY was "alias\/another".*NotFoundException.*deploy the stack again/,
    );
    const denied: Interceptor = {
      before({ operation }) {
        if (operation !== 'GenerateMac') return;
        const message =
          'User: demo is not authorized to perform: kms:GenerateMac on resource: arn:aws:kms:eu-central-1:123456789012:key/1 because no identity-based policy allows the kms:GenerateMac action';
        throw new AwsError('AccessDeniedException', message, 400);
      },
    };
    const refused = scene();
    await expect(refused.invoke({ action: 'roll' }, [denied])).rejects.toThrow(
      /not allowed to kms:GenerateMac on arn:aws:kms:.*and its key policy must let the function's role call it/,
    );
    for (const staged of [missing, refused]) expect(writes(staged.account.calls.log)).toEqual([]);
  });

  test('costs one call an invocation for each generation whose seals may exist', async () => {
    for (const [generation, calls] of [
      ['1', 2],
      ['2', 3],
    ] as const) {
      const staged = scene({ environment: { STATE_KEY_GENERATION: generation } });
      await staged.invoke();
      expect(staged.account.calls.counts['kms.GenerateMac']).toBe(calls);
    }
  });

  test('of the next generation takes over in the middle of a roll without losing anything', async () => {
    const environment: Record<string, string> = {};
    const staged = scene({ environment, lambdaSeconds: 300 });
    await staged.invoke();
    const { untrusted } = openedGroup(groupOf(staged));
    expect(untrusted).toEqual([]);
    environment.STATE_KEY_GENERATION = '2';
    await staged.finish();
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
    expect(staged.invariants.metrics().instancesReplaced).toBe(4);
    staged.invariants.assertFinished();
  });

  test('of the last generation works on when a deployment is reverted in the middle of a roll', async () => {
    const environment: Record<string, string> = { STATE_KEY_GENERATION: '2' };
    const staged = scene({ environment, lambdaSeconds: 300 });
    await staged.invoke();
    environment.STATE_KEY_GENERATION = '1';
    await staged.finish();
    expect(imagesOf(staged)).toEqual(FOUR_NEW);
    expect(staged.invariants.metrics().instancesReplaced).toBe(4);
    staged.invariants.assertFinished();
  });

  test('named by its ARN is the same as by its alias: a deployment in mid-roll loses nothing', async () => {
    const environment: Record<string, string> = {};
    const staged = scene({ environment, lambdaSeconds: 300 });
    await staged.invoke();
    environment.STATE_KEY = KEYS(staged.world).arn;
    await staged.finish();
    expect(staged.invariants.metrics().instancesReplaced).toBe(4);
    staged.invariants.assertFinished();
  });
});
