import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { type Memory, rememberTags } from '../proof/forger.ts';
import { sealedMark, textOn } from '../sealed.ts';
import { Killed } from '../simulated-aws/account/call.ts';
import { type Instance, isAlive } from '../simulated-aws/world/ec2/model.ts';
import { groupOf, keepInvoking, launchedFrom, membersOf, once, tagGroup } from './happenings.ts';
import { afterCall, writes } from './outcomes.ts';
import { type StageOptions, standardStage } from './stage.ts';

/** Marks of an earlier roll: whoever has read them may put them back on the same instance. */

const NEW = 'ami-00000000000000002';
const NEWER = 'ami-00000000000000003';
const DAY_SECONDS = 86_400;

/** A group whose roll was rolled back as the first member was to drain, and what marks said meanwhile. */
async function rolledBack(environment: StageOptions['environment'] = {}) {
  let memory: Memory = new Map();
  const staged = standardStage(
    { group: { maxSize: 10 } },
    {
      environment: { MAX_SURGE: '2', ...environment },
      expectations: { endings: ['rolled-back', 'completed'] },
      furnish(world) {
        memory = rememberTags(world);
      },
    },
  );
  const ordered: Promise<unknown>[] = [];
  const isTurn = () => [...memory.values()].some((said) => said.has(INSTANCE_TAGS.drainStartedAt));
  once(staged.world, isTurn, () => ordered.push(staged.order({ action: 'rollback' })));
  await staged.invoke();
  await staged.finish();
  await staged.clock.drive(Promise.all(ordered));
  expect(staged.endings).toEqual(['rolled-back']);
  const marks = ({ id }: Instance) =>
    [...(memory.get(id) ?? [])].flatMap(([key, [first]]) => (first ? [[key, first] as const] : []));
  const old = membersOf(staged).filter((each) => each.imageId !== NEW && marks(each).length > 0);
  expect(old.length).toBeGreaterThan(0);
  const putBack = (instances: readonly Instance[] = old): void => {
    for (const each of instances) for (const [key, value] of marks(each)) each.tags.set(key, value);
  };
  return { staged, old, putBack };
}

const WAYS = {
  detached: {},
  'in place': { MAX_SURGE: '0' },
  'through the group': { TERMINATE_HOOKS: 'run' },
};
const DAYS = [1, 60, 90];

describe.each(Object.entries(WAYS))(
  'put back on members that stayed, if they are replaced %s,',
  (_, environment) => {
    test.each(DAYS)('begin no roll %d days later, and are reported', async (days) => {
      const { staged, old, putBack } = await rolledBack(environment);
      staged.clock.advance(days * DAY_SECONDS);
      putBack();
      const calls = staged.account.calls.log.length;
      for (const action of ['continue', 'roll']) {
        const [said] = await keepInvoking(staged, 30, { action });
        expect(said).toMatchObject({ code: 'image-rejected' });
        expect(said?.untrusted?.map(({ resource }) => resource)).toEqual(
          expect.arrayContaining(old.map(({ id }) => id)),
        );
      }
      expect(writes(staged.account.calls.log.slice(calls))).toEqual([]);
      expect(textOn(groupOf(staged), GROUP_TAGS.rejected)).toBe(NEW);
    });

    test('make no batch of the next roll larger', async () => {
      const { staged, putBack } = await rolledBack({ ...environment, CANARY: '1' });
      staged.clock.advance(DAY_SECONDS);
      staged.world.release('amazon-linux-2023');
      const onTrial = () => {
        const canary = textOn(groupOf(staged), GROUP_TAGS.canary);
        return canary !== undefined && canary !== 'passed';
      };
      let most = 0;
      staged.world.subscribe(() => {
        if (onTrial()) most = Math.max(most, launchedFrom(staged.world, NEWER).filter(isAlive).length);
      });
      once(staged.world, onTrial, () => putBack());
      await staged.invoke();
      await staged.finish();
      expect(most).toBe(1);
      expect(staged.endings).toEqual(['rolled-back', 'completed']);
    });
  },
);

test.each(DAYS)(
  'put back on what its owner has detached %d days later, they end nothing, and no roll waits for it',
  async (days) => {
    const { staged, old, putBack } = await rolledBack();
    const [kept] = old;
    if (kept === undefined) throw new Error('none');
    staged.clock.advance(days * DAY_SECONDS);
    staged.world.owner.detachInstance(kept.id);
    putBack([kept]);
    await keepInvoking(staged, 30, { action: 'continue' });
    expect(textOn(groupOf(staged), GROUP_TAGS.rejected)).toBe(NEW);
    staged.clock.advance(DAY_SECONDS);
    staged.world.release('amazon-linux-2023');
    const [said] = await keepInvoking(staged, 60);
    expect(staged.endings).toEqual(['rolled-back', 'completed']);
    expect(said?.untrusted?.map(({ resource }) => resource)).toEqual([kept.id]);
    expect(kept).toMatchObject({ state: 'running', containerInstance: { status: 'ACTIVE' } });
  },
);

test('put back on a member within the hour, they begin one roll, which removes them', async () => {
  const staged = standardStage({ group: { maxSize: 10 } });
  await staged.invoke();
  await staged.finish();
  const [member] = membersOf(staged);
  if (member === undefined) throw new Error('none');
  const mark = { group: groupOf(staged).name, detachStartedAt: new Date(staged.clock.now()) };
  staged.clock.advance(1800);
  const put = Object.entries(sealedMark(member, markTags('demo', mark)));
  for (const [key, value] of put) member.tags.set(key, value);
  await keepInvoking(staged, 3);
  expect(staged.endings).toEqual(['completed', 'completed']);
  expect(put.filter(([key]) => member.tags.has(key))).toEqual([]);
  const calls = staged.account.calls.log.length;
  await keepInvoking(staged, 3);
  expect(writes(staged.account.calls.log.slice(calls))).toEqual([]);
});

test('a member that is detached long after it was chosen is marked anew, and found after a kill', async () => {
  const staged = standardStage((world) => ({
    group: { maxSize: 10, targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn] },
  }));
  const pause = () => tagGroup(groupOf(staged), { [GROUP_TAGS.paused]: 'true' });
  await staged.invoke({ action: 'roll' }, [afterCall('CreateTags', pause)]);
  expect(staged.endings).toEqual([]);
  staged.clock.advance(2 * 3600);
  groupOf(staged).tags.delete(GROUP_TAGS.paused);
  const calls = staged.account.calls.log.length;
  const killed = { action: 'continue' };
  await staged.invoke(killed, [
    {
      after({ operation }) {
        if (operation === 'DetachInstances') throw new Killed('after DetachInstances');
      },
    },
  ]);
  const said = writes(staged.account.calls.log.slice(calls));
  expect(said.indexOf('CreateTags')).toBeLessThan(said.indexOf('DetachInstances'));
  expect(said.indexOf('CreateTags')).toBeGreaterThanOrEqual(0);
  await staged.finish();
  staged.invariants.assertFinished();
  expect(staged.endings).toEqual(['completed']);
});
