import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { AwsError } from '../simulated-aws/account/aws-error.ts';
import { type Call, type Interceptor, LostAnswer } from '../simulated-aws/account/call.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf } from './happenings.ts';
import { type Answer, ASKS, type Asked, addHook, GO } from './hook.ts';
import { only } from './outcomes.ts';
import { type StageOptions, standardStage } from './stage.ts';
import { BRISK, killEverywhere } from './sweep.ts';
import { eventsIn, TELLS } from './told.ts';

const BOTH = { ...ASKS, CANARY: '1', MAX_SURGE: '2' };

function staged(answer?: Answer, options: Partial<StageOptions> = {}) {
  let asked: readonly Asked[] = [];
  const { environment, ...others } = options;
  const furnish = (world: World) => {
    asked = addHook(world, answer);
  };
  const made = standardStage({}, { environment: { ...BOTH, ...environment }, furnish, ...others });
  return { asked, ...made };
}

const stages = (asked: readonly Asked[]) => asked.map(({ stage: each }) => each);
const detachments = (log: readonly Call[]) =>
  log.filter(({ operation }) => operation === 'DetachInstances').length;
const tagOf = (world: World) => groupOf({ world }).tags.get(GROUP_TAGS.hook);

describe('a roll with hooks', () => {
  test('asks before each batch and after the trial, and leaves no tag', async () => {
    const { asked, invoke, invariants, world } = staged();
    expect(only(await invoke())).toMatchObject({ state: 'completed' });
    expect(stages(asked)).toEqual(['before-batch', 'trial-passed', 'before-batch', 'before-batch']);
    expect(asked.map(({ instances }) => instances.next.length)).toEqual([1, 0, 2, 1]);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(4);
    expect(tagOf(world)).toBeUndefined();
    invariants.assertFinished();
  });

  test('asks nobody without them', async () => {
    const { asked, invoke, account } = staged(undefined, {
      environment: { ON_TRIAL_PASSED: '', BEFORE_BATCH: '' },
    });
    expect(only(await invoke())).toMatchObject({ state: 'completed' });
    expect(asked).toEqual([]);
    expect(account.calls.counts['lambda.Invoke']).toBeUndefined();
  });

  test('waits while one holds, asks about once a minute, and tells why', async () => {
    const { asked, invoke, invariants, clock, world } = staged(
      (_, times) => (times <= 12 ? { answer: 'hold', reason: 'a deployment is under way' } : GO),
      { environment: { ...TELLS } },
    );
    const rolling = invoke();
    await clock.drive(clock.sleep(300));
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(only(await invoke({ action: 'status' }))).toMatchObject({
      state: 'in-progress',
      code: 'hook-holds',
      reason: expect.stringContaining('(a deployment is under way)'),
    });
    const { steps = [] } = only(await invoke({ action: 'plan' }));
    expect(steps.join()).toContain('detach');
    await rolling;
    await invoke({ action: 'continue' });
    expect(asked[12]).toMatchObject({ id: asked[0]?.id, attempt: 13 });
    expect(
      eventsIn(world)
        .map(({ kind }) => kind)
        .slice(0, 3),
    ).toEqual(['begun', 'held', 'continued']);
    invariants.assertFinished();
  });

  test.each(['resume', 'roll', 'order'])('stops halfway when one refuses, until a %s', async (by) => {
    let isFrozen = true;
    const { asked, invoke, order, invariants, account } = staged(({ stage: at }, times) =>
      at === 'before-batch' && times > 2 && isFrozen ? { answer: 'refuse', reason: 'freeze' } : GO,
    );
    expect(only(await invoke())).toMatchObject({ state: 'blocked', code: 'hook-refuses' });
    expect(detachments(account.calls.log)).toBe(1);
    isFrozen = false;
    for (const action of ['continue', 'continue'])
      expect(only(await invoke({ action }))).toMatchObject({ state: 'blocked', code: 'hook-refuses' });
    expect(asked).toHaveLength(3);
    if (by === 'order') await order({ action: 'resume' });
    const action = by === 'order' ? 'continue' : by;
    expect(only(await invoke({ action }))).toMatchObject({ state: 'completed' });
    invariants.assertFinished();
  });

  test('turns back when a trial is refused, and does not begin again', async () => {
    const { invoke, invariants, finish, asked } = staged(
      ({ stage: at }) => (at === 'trial-passed' ? { answer: 'refuse', reason: 'too slow' } : GO),
      { expectations: { endings: ['rolled-back'] } },
    );
    await invoke();
    await finish();
    expect(only(await invoke())).toMatchObject({
      state: 'skipped',
      code: 'image-rejected',
      reason: expect.stringContaining('too slow'),
    });
    expect(stages(asked)).toEqual(['before-batch', 'trial-passed']);
    invariants.assertFinished();
  });

  test('refuses by itself once a hook has held for too long', async () => {
    const { invoke, account, asked } = staged(() => ({ answer: 'hold' }), {
      environment: { HOOK_TIMEOUT_MINUTES: '5' },
    });
    expect(only(await invoke())).toMatchObject({
      state: 'blocked',
      code: 'hook-refuses',
      reason: expect.stringMatching(/^stops before the next batch: still held after 5 min/),
    });
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(detachments(account.calls.log)).toBe(0);
  });

  test.each(['pause', 'abort', 'rollback'])('obeys %s while a hook holds', async (action) => {
    const { invoke, order, clock, finish, account } = staged(() => ({ answer: 'hold' }));
    const rolling = invoke();
    await clock.drive(clock.sleep(90));
    await order({ action });
    await rolling;
    const [group] = await finish();
    const state = { pause: 'paused', abort: 'aborted', rollback: 'rolled-back' }[action];
    const last = only(await invoke({ action: 'status' }));
    expect([group?.state, last.state, last.code]).toContain(action === 'pause' ? state : 'image-rejected');
    expect(detachments(account.calls.log)).toBe(0);
  });
});

describe('a hook out of order', () => {
  const breaking = (fail: () => never, when: 'before' | 'after' = 'before'): Interceptor => ({
    [when]({ operation }: Call) {
      if (operation === 'Invoke') fail();
    },
  });
  const refused = (code: string, status: number) => () => {
    throw new AwsError(code, 'not now', status);
  };

  test.each([
    ['is throttled', breaking(refused('TooManyRequestsException', 429)), 'not now'],
    ['may not be invoked', breaking(refused('AccessDeniedException', 403)), 'not now'],
    ['fails inside AWS', breaking(refused('ServiceException', 500)), 'not now'],
    [
      'is too slow',
      breaking(() => {
        throw new LostAnswer();
      }, 'after'),
      'socket hang up',
    ],
  ])('that %s holds, and is no failure of the roll', async (_, interceptor, says) => {
    const { invoke, account, finish, invariants } = staged(undefined, {
      environment: { HOOK_TIMEOUT_MINUTES: '600' },
    });
    expect(only(await invoke({ action: 'roll' }, [interceptor]))).toMatchObject({
      state: 'in-progress',
      code: 'hook-holds',
      reason: expect.stringContaining(says),
    });
    expect(detachments(account.calls.log)).toBe(0);
    await finish();
    invariants.assertFinished();
  });

  test.each([
    [
      'fails',
      () => {
        throw new Error('broken');
      },
    ],
    ['answers nonsense', () => 'go'],
    ['answers nothing', () => undefined],
  ])('that %s holds', async (_, answer) => {
    const { invoke, account } = staged(answer);
    expect(only(await invoke())).toMatchObject({ code: 'hook-holds' });
    expect(detachments(account.calls.log)).toBe(0);
  });
});

test('a tag that somebody wrote, or wrote back, lets no roll pass', async () => {
  const { invoke, account, world, clock } = staged(() => ({ answer: 'hold' }));
  const rolling = invoke();
  await clock.drive(clock.sleep(90));
  const noted = tagOf(world)?.value ?? '';
  expect(noted).toContain(' hold ');
  world.forger.tagGroup(groupOf({ world }), GROUP_TAGS.hook, noted.replace(' hold ', ' go '));
  await rolling;
  expect(detachments(account.calls.log)).toBe(0);
});

test('killed anywhere, no batch begins and no trial passes without a go', async () => {
  const sweep = await killEverywhere(
    {
      ...BRISK,
      environment: { ...BRISK.environment, ...BOTH },
      furnish(world) {
        standardScenario({ world });
        addHook(world, (_, times) => (times % 2 === 0 ? GO : { answer: 'hold' }));
      },
    },
    ({ invariants, account, world }) => {
      // What is asked first is an invariant.
      invariants.assertFinished();
      expect(tagOf(world)).toBeUndefined();
      expect(account.calls.counts['lambda.Invoke']).toBeGreaterThanOrEqual(6);
    },
    'some',
  );
  expect(sweep.kills).toBeGreaterThan(5);
});
