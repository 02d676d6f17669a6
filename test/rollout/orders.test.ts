import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { ASKED_BY_TAG } from '../../lambda/core/reasons/reason.ts';
import { textOn } from '../sealed.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { registerContainerInstance } from '../simulated-aws/world/ecs/agents.ts';
import type { World } from '../simulated-aws/world/world.ts';
import {
  groupOf,
  isDrain,
  keepInvoking,
  launchedFrom,
  oldest,
  once,
  rolling,
  tagGroup,
  told,
} from './happenings.ts';
import { groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, stage, standardStage } from './stage.ts';

const OLD = 'ami-00000000000000001';
const NEW = 'ami-00000000000000002';
const MINUTE = 60;

const staged = (options?: Partial<StageOptions>) => standardStage({ version: '1' }, options);

const write = (staging: Stage, key: string, value: string) => tagGroup(groupOf(staging), { [key]: value });

/** Somebody invokes while another invocation is at work, as soon as the first old instance drains. */
async function inTheMiddle(staging: Stage, event: object): Promise<void> {
  const { ended } = await rolling(staging);
  await staging.invoke(event);
  await ended;
}

/** A group of which one member has registered in the cluster by mistake. */
function furnishStranger(world: World): void {
  const cluster = world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 3 });
  const [member] = world.addGroup({ name: 'strangers', image, instances: 3 }).members.values();
  if (member) registerContainerInstance(world.state, cluster, member.instance);
}

const running = (staging: Stage, image: string) =>
  launchedFrom(staging.world, image).filter(({ state }) => state === 'running');

describe('pause', () => {
  test('in the middle: only what drains is finished; resume goes on', async () => {
    const staging = staged();
    await inTheMiddle(staging, { action: 'pause' });
    const [said] = await keepInvoking(staging, 60, { action: 'continue' });
    expect(said).toMatchObject({
      state: 'paused',
      reason: expect.stringMatching(
        /^paused since 2026-11-21T00:0.*Z; `ecs-ami-deploy resume` lets it go on/,
      ),
    });
    expect(running(staging, OLD)).toHaveLength(3);
    expect(running(staging, NEW)).toHaveLength(4);
    staging.invariants.assertHeld();
    await staging.roll({ action: 'resume' });
    expect(staging.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('before a roll keeps it from beginning, and says so', async () => {
    const staging = staged();
    const { invoke, account, invariants } = staging;
    expect(only(await invoke({ action: 'pause' })).state).toBe('paused');
    const before = writes(account.calls.log);
    expect(before).toEqual(['CreateOrUpdateTags']);
    expect(only(await invoke()).state).toBe('paused');
    expect(only(await invoke({ action: 'plan' })).state).toBe('paused');
    expect(only(await invoke({ action: 'status' })).state).toBe('paused');
    await keepInvoking(staging, 30, { action: 'continue' });
    expect(writes(account.calls.log)).toEqual(before);
    await invoke({ action: 'resume' });
    expect(only(await invoke()).state).toBe('completed');
    invariants.assertFinished();
  });

  test('works once when given twice, and so does resume', async () => {
    const staging = staged();
    await staging.invoke({ action: 'pause' });
    const since = groupOf(staging).tags.get(GROUP_TAGS.paused)?.value;
    staging.clock.advance(5 * MINUTE);
    await staging.invoke({ action: 'pause' });
    expect(groupOf(staging).tags.get(GROUP_TAGS.paused)?.value).toBe(since);
    await staging.invoke({ action: 'resume' });
    await staging.invoke({ action: 'resume' });
    expect([...groupOf(staging).tags.keys()]).toEqual([]);
    expect(only(await staging.invoke()).state).toBe('completed');
    staging.invariants.assertFinished();
  });

  test('fails if no group of the cluster hears it, and so does a resume', async () => {
    const staging = staged();
    await staging.invoke({ action: 'pause' });
    const message = 'We currently do not have sufficient m5.large capacity';
    staging.world.faults.failLaunches('demo-ecs', { message, count: 8 });
    for (const id of [...groupOf(staging).members.keys()]) staging.world.faults.killInstance(id);
    await staging.clock.drive(staging.clock.sleep(2 * MINUTE));
    for (const action of ['resume', 'pause'])
      expect(only(await staging.invoke({ action }))).toMatchObject({
        group: '*',
        state: 'failed',
        reason: expect.stringMatching(
          new RegExp(
            `^no Auto Scaling group belongs to the cluster; no group of the cluster got the ${action}: `,
          ),
        ),
      });
    expect(textOn(groupOf(staging), GROUP_TAGS.paused)).toBeDefined();
    await staging.clock.drive(staging.clock.sleep(10 * MINUTE));
    expect(groupsOf(await staging.invoke({ action: 'resume' }))).not.toContainEqual(
      expect.objectContaining({ state: 'failed' }),
    );
    expect(textOn(groupOf(staging), GROUP_TAGS.paused)).toBeUndefined();
  });

  test("fails too if it only reaches a group that doesn't count as the cluster's", async () => {
    const staging = stage({ shortcut: true, furnish: furnishStranger });
    staging.clock.advance(60 * MINUTE);
    expect(groupsOf(await staging.invoke({ action: 'pause' }))).toMatchObject([
      { group: 'strangers', state: 'skipped' },
      { group: '*', state: 'failed', reason: expect.stringMatching(/^no group of the cluster got /) },
    ]);
    expect(writes(staging.account.calls.log)).toEqual([]);
  });

  test('works by a tag written by hand, whatever its value', async () => {
    const staging = staged();
    once(staging.world, isDrain, () => write(staging, GROUP_TAGS.paused, 'true'));
    const [said] = await keepInvoking(staging, 30);
    expect(said?.state).toBe('paused');
    staging.invariants.assertHeld();
    groupOf(staging).tags.delete(GROUP_TAGS.paused);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('of one cluster leaves the other alone', async () => {
    const staging = staged({
      environment: { CLUSTERS: 'demo,other' },
      furnish: (world) => {
        world.addCluster('other');
        world.addGroup({ name: 'other-ecs', cluster: 'other', image: oldest(world), instances: 1 });
      },
    });
    await staging.invoke({ action: 'pause', clusters: ['demo'] });
    expect(groupsOf(await staging.invoke())).toMatchObject([
      { cluster: 'demo', state: 'paused' },
      { cluster: 'other', state: 'completed' },
    ]);
  });

  test('in the middle of a trial: the trial goes on after it', async () => {
    const staging = staged({ environment: { CANARY: '1' } });
    await inTheMiddle(staging, { action: 'pause' });
    const [said] = await keepInvoking(staging, 30, { action: 'continue' });
    expect(said?.state).toBe('paused');
    expect(launchedFrom(staging.world, NEW)).toHaveLength(1);
    await staging.roll({ action: 'resume' });
    expect(told(staging, /act: .* passed the trial/)).toHaveLength(1);
  });

  test('in the middle of a rollback holds that too', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    await inTheMiddle(staging, { action: 'pause' });
    await staging.invokeTogether([{ action: 'rollback' }, { action: 'pause' }], 20);
    const [said] = await keepInvoking(staging, 30, { action: 'continue' });
    expect(said).toMatchObject({ state: 'paused', because: 'somebody asked for it' });
    staging.invariants.assertHeld();
    await staging.roll({ action: 'resume' });
    expect(staging.endings).toEqual(['rolled-back']);
  });
});

describe('abort', () => {
  test.each([
    ['by detaching', {}, 4],
    ['in batches', { MAX_SURGE: '1' }, 1],
    ['without surge', { MAX_SURGE: '0' }, 1],
    ['on trial', { CANARY: '1' }, 1],
  ])('%s finishes what has started, and leaves the rest', async (_, environment, replaced) => {
    const staging = staged({ environment, expectations: { endings: ['aborted'] } });
    await inTheMiddle(staging, { action: 'abort' });
    await staging.finish();
    expect(staging.endings).toContain('aborted');
    expect(running(staging, NEW)).toHaveLength(replaced);
    expect(running(staging, OLD)).toHaveLength(4 - replaced);
    staging.invariants.assertFinished();
    expect(textOn(groupOf(staging), GROUP_TAGS.rejected)).toBe(NEW);
    expect(told(staging, /failed:/)).toEqual([]);
  });

  test('before any member was chosen leaves all of them', async () => {
    const staging = staged({ expectations: { endings: ['aborted'] } });
    const rolling = staging.invoke();
    await staging.clock.drive(staging.clock.sleep(3));
    await staging.invoke({ action: 'abort' });
    await rolling;
    await staging.finish();
    expect(launchedFrom(staging.world, NEW)).toEqual([]);
    expect(running(staging, OLD)).toHaveLength(4);
    staging.invariants.assertFinished();
  });

  test('keeps that image from being tried again, until a newer one comes', async () => {
    const staging = staged({
      environment: { MAX_SURGE: '1' },
      expectations: { endings: ['aborted', 'completed'] },
    });
    await inTheMiddle(staging, { action: 'abort' });
    await staging.finish();
    const { invoke, world, roll } = staging;
    expect(only(await invoke())).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(
        /^ami-0+2 is not tried again \(aborted: somebody asked for it\) until a newer image comes, or somebody orders `ecs-ami-deploy roll --force`$/,
      ),
    });
    world.release('amazon-linux-2023');
    await roll();
    expect(staging.endings.at(-1)).toBe('completed');
    expect([...groupOf(staging).tags.keys()]).toEqual([]);
  });

  test('is overruled by a force', async () => {
    const staging = staged({
      environment: { MAX_SURGE: '1' },
      expectations: { endings: ['aborted', 'completed'], forceBeforeMs: Number.POSITIVE_INFINITY },
    });
    await inTheMiddle(staging, { action: 'abort' });
    await staging.finish();
    expect(only(await staging.invoke({ action: 'roll', force: true })).state).toMatch(
      /completed|in-progress/,
    );
    await staging.finish();
    expect(running(staging, OLD)).toEqual([]);
    expect([...groupOf(staging).tags.keys()]).toEqual([]);
    staging.invariants.assertFinished();
  });

  test('does nothing if nothing has begun', async () => {
    const { invoke, account } = staged();
    for (const action of ['abort', 'rollback']) {
      const nothing = { group: '*', state: 'up-to-date', reason: 'no roll has begun' };
      expect(groupsOf(await invoke({ action }))).toMatchObject([nothing]);
    }
    expect(writes(account.calls.log)).toEqual([]);
  });

  test('works on a paused roll too, and ends the pause', async () => {
    const staging = staged({ environment: { MAX_SURGE: '1' }, expectations: { endings: ['aborted'] } });
    await inTheMiddle(staging, { action: 'pause' });
    await staging.roll({ action: 'abort' });
    expect(staging.endings).toEqual(['aborted']);
    expect(groupOf(staging).tags.has(GROUP_TAGS.paused)).toBe(false);
  });

  test('works by a tag written by hand', async () => {
    const staging = staged({ environment: { MAX_SURGE: '1' }, expectations: { endings: ['aborted'] } });
    once(staging.world, isDrain, () => write(staging, GROUP_TAGS.course, 'abort'));
    await staging.roll();
    expect(staging.endings).toEqual(['aborted']);
    expect(running(staging, OLD)).toHaveLength(3);
  });
});

describe('rollback', () => {
  test.each([
    ['by detaching', {}],
    ['in batches', { MAX_SURGE: '1' }],
    ['without surge', { MAX_SURGE: '0' }],
    ['on trial', { CANARY: '1' }],
  ])('%s, when somebody asks for it, takes everything back and is no failure', async (_, environment) => {
    const staging = staged({ environment, expectations: { endings: ['rolled-back'] } });
    await inTheMiddle(staging, { action: 'rollback' });
    await staging.finish();
    expect(staging.endings).toContain('rolled-back');
    expect(running(staging, NEW)).toEqual([]);
    expect(running(staging, OLD)).toHaveLength(4);
    expect(told(staging, /failed:|blocked:/)).toEqual([]);
    staging.invariants.assertFinished();
    expect(only(await staging.invoke())).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/rolled back: somebody asked for it/),
    });
  });

  test('before the group launches the image ends the roll at once', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    await staging.invokeTogether([{ action: 'roll' }, { action: 'rollback' }], 2);
    expect(staging.endings).toEqual(['rolled-back']);
    expect(launchedFrom(staging.world, NEW)).toEqual([]);
    staging.invariants.assertFinished();
  });

  test("works by a tag written by hand, which can't give a reason", async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    once(staging.world, isDrain, () => {
      write(staging, GROUP_TAGS.course, 'rollback');
      write(staging, GROUP_TAGS.because, 'its replacements fail');
    });
    const said = [...groupsOf(await staging.invoke()), ...(await staging.finish())];
    expect(staging.endings).toEqual(['rolled-back']);
    // By that the handler knows that nothing has failed.
    expect(said.map(({ because }) => because)).toContain(ASKED_BY_TAG);
    expect(said.find(({ state }) => state === 'rolled-back')?.because).toBe(ASKED_BY_TAG);
    expect(running(staging, NEW)).toEqual([]);
    staging.invariants.assertFinished();
  });

  test('does not work by a tag of more words, which only the function could have sealed', async () => {
    const staging = staged();
    once(staging.world, isDrain, () =>
      write(staging, GROUP_TAGS.course, 'rollback 2026-11-21T00:00:00.000Z'),
    );
    await staging.roll();
    expect(staging.endings).toEqual(['completed']);
  });

  // If each invocation obeyed at every look, two would take each other's order back and forth.
  test('can follow an unfinished abort, and an abort a rollback, each once', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back', 'aborted'] } });
    const [roll, abort, rollback] = ['roll', 'abort', 'rollback'].map((action) => ({ action }));
    await staging.invokeTogether(
      [roll, abort, rollback, abort].flatMap((event) => event ?? []),
      150,
    );
    await staging.finish();
    expect(told(staging, /aborts the roll|rolls back/)).toHaveLength(3);
    staging.invariants.assertFinished();
  });
});

test.each([
  ['pause', 'completed'],
  ['abort', 'aborted'],
  ['rollback', 'rolled-back'],
] as const)(
  '%s, killed at any of its first calls, is obeyed or not, and the roll comes to an end',
  async (action, ending) => {
    for (let calls = 1; calls <= 24; calls += 2) {
      const staging = staged({
        environment: { MAX_SURGE: '2' },
        expectations: { endings: ['completed', ending] },
      });
      await staging.invokeTogether([{ action: 'roll' }, { action }], 160, [
        [killAfter(60)],
        [killAfter(calls)],
      ]);
      await keepInvoking(staging, 20, { action: 'continue' });
      await staging.invoke({ action: 'resume' });
      await staging.finish(40);
      staging.invariants.assertFinished();
    }
  },
);
