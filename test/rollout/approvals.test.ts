import { afterEach, describe, expect, test } from 'vitest';
import { AwsError } from '../simulated-aws/account/aws-error.ts';
import type { Call, Interceptor } from '../simulated-aws/account/call.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { only } from './outcomes.ts';
import {
  type Answer,
  addTopic,
  answering,
  approvals,
  askedIn,
  noteOn,
  published,
  questionOf,
  TOPIC,
} from './people.ts';
import { type StageOptions, standardStage } from './stage.ts';
import { BRISK } from './sweep.ts';
import { eventsIn, TELLS } from './told.ts';

const ASKS = { BEFORE_BATCH: TOPIC, ON_TRIAL_PASSED: TOPIC, CANARY: '1', MAX_SURGE: '2' };

/** A roll is killed at every so many of its calls. */
const KILL_STEP = 23;

afterEach(() => {
  approvals.given.clear();
  expect(approvals.lacking.splice(0)).toEqual([]);
});

function staged(answer: (message: string, times: number) => Answer, options: Partial<StageOptions> = {}) {
  const { environment, ...others } = options;
  const attend = answering(answer);
  return standardStage(
    {},
    { furnish: addTopic, environment: { ...ASKS, ...environment }, attend, ...others },
  );
}

const NOBODY = askedIn('');

const detachments = (log: readonly Call[]) =>
  log.filter(({ operation }) => operation === 'DetachInstances').length;

describe('a roll that people approve', () => {
  test('asks once before each batch and after the trial, and goes on as soon as they answer', async () => {
    const { invoke, finish, endings, invariants, world, clock } = staged(() => 'approve');
    const began = clock.now();
    await invoke();
    await finish();
    expect(endings).toEqual(['completed']);
    expect(published(world).map(({ subject }) => subject)).toEqual([
      'Approve the next batch? demo/demo-ecs',
      'Approve that the rest of the group follows? demo/demo-ecs',
      'Approve the next batch? demo/demo-ecs',
      'Approve the next batch? demo/demo-ecs',
    ]);
    expect((clock.now() - began) / 60_000).toBeLessThan(30);
    expect(noteOn(world)).toBeUndefined();
    invariants.assertFinished();
  });

  test('says what it waits for, and how to let it go on', async () => {
    const { invoke, world, clock, account } = staged(() => undefined, { environment: TELLS });
    const rolling = invoke();
    await clock.drive(clock.sleep(600));
    const question = questionOf(world);
    expect(published(world)).toHaveLength(1);
    expect(only(await invoke({ action: 'status' }))).toMatchObject({
      state: 'in-progress',
      code: 'approval-awaited',
      reason: expect.stringContaining(`ecs-ami-deploy approve demo-ecs ${question}`),
    });
    await rolling;
    expect(detachments(account.calls.log)).toBe(0);
    expect(eventsIn(world).map(({ kind }) => kind)).toEqual(['begun', 'held']);
    expect(eventsIn(world).at(-1)?.text).toContain(question);
  });

  test('stops halfway when they refuse a batch, until somebody resumes it', async () => {
    const { invoke, order, finish, account, world } = staged((_, times) =>
      times === 3 ? 'refuse' : 'approve',
    );
    expect(only(await invoke())).toMatchObject({
      state: 'blocked',
      code: 'hook-refuses',
      reason: expect.stringMatching(/^stops before the next batch: refused(;|$)/),
    });
    const before = detachments(account.calls.log);
    expect(only(await invoke({ action: 'continue' }))).toMatchObject({ code: 'hook-refuses' });
    expect(detachments(account.calls.log)).toBe(before);
    await order({ action: 'resume' });
    expect((await finish())[0]?.state).toBe('completed');
    expect(published(world).length).toBeGreaterThan(4);
  });

  test('stops when nobody answers in time, and goes on when somebody does after all', async () => {
    const { invoke, order, world } = staged(() => undefined, { environment: { HOOK_TIMEOUT_MINUTES: '5' } });
    expect(only(await invoke())).toMatchObject({
      state: 'blocked',
      code: 'hook-refuses',
      // A tag keeps what is in brackets: behind a colon.
      reason: expect.stringMatching(
        /nobody approved the next batch within 5 min \(`ecs-ami-deploy approve demo-ecs [0-9a-f]{8}`\)/,
      ),
    });
    const question = questionOf(world);
    approvals.given.add(question);
    const approve = { action: 'approve', group: 'demo-ecs', question };
    const said = { state: 'noted', reason: expect.stringContaining('notes that somebody has approved') };
    expect(await order(approve)).toMatchObject({ groups: [said] });
    await invoke({ action: 'continue' });
    expect(published(world)).toHaveLength(2);
  });
});

describe('an approval', () => {
  test('of something else than was asked is not noted', async () => {
    const { invoke, order, clock, world, account } = staged(() => undefined);
    const rolling = invoke();
    await clock.drive(clock.sleep(90));
    const question = questionOf(world);
    expect(await order({ action: 'approve', group: 'demo-ecs', question: '00c0ffee' })).toMatchObject({
      groups: [
        { state: 'nothing-to-do', reason: `it asks nobody about 00c0ffee; it asks about ${question}` },
      ],
    });
    await rolling;
    expect(detachments(account.calls.log)).toBe(0);
  });

  test('of an image is none of another that takes its place meanwhile', async () => {
    const { invoke, order, world, account } = staged(() => undefined, {
      environment: { IMAGE: 'ssm:/golden' },
      furnish(made) {
        const { newImage } = standardScenario({ world: made });
        made.setParameter('/golden', newImage.id);
        addTopic(made);
      },
    });
    await invoke();
    const question = questionOf(world);
    world.setImageState([...world.state.images.keys()].at(-1) ?? '', 'deregistered');
    const other = world.release('amazon-linux-2023', { ageDays: 0 });
    world.setParameter('/golden', other.id);
    await order({ action: 'approve', group: 'demo-ecs', question });
    await invoke({ action: 'continue' });
    expect(detachments(account.calls.log)).toBe(0);
    expect(published(world).at(-1)?.message).toContain(other.id);
  });

  test("counts for the group's own question, though another of its look asks at the same moment", async () => {
    const { invoke, order, clock, world } = staged(() => undefined, {
      environment: { BEFORE_BATCH: '', GROUP_CONCURRENCY: '2' },
      furnish(made) {
        const { oldImage: image } = standardScenario({
          world: made,
          instances: 3,
          services: 1,
        });
        made.addGroup({
          name: 'demo-two',
          cluster: 'demo',
          image,
          instances: 3,
          launchSpec: 'launch-template',
        });
        addTopic(made);
      },
    });
    const rolling = invoke();
    await clock.drive(clock.sleep(600));
    const [one = NOBODY, two = NOBODY] = published(world).map(({ message }) => askedIn(message));
    expect([one.group, two.group].sort()).toEqual(['demo-ecs', 'demo-two']);
    expect(one.question).not.toBe(two.question);
    const crossed = await order({ action: 'approve', group: two.group, question: one.question });
    expect(crossed).toMatchObject({
      groups: [
        {
          group: two.group,
          state: 'nothing-to-do',
          reason: `it asks nobody about ${one.question}; it asks about ${two.question}`,
        },
      ],
    });
    expect(await order({ action: 'approve', ...one })).toMatchObject({
      groups: [{ group: one.group, state: 'noted' }],
    });
    expect(noteOn(world, two.group)).toContain(' asked ');
    expect(await order({ action: 'approve', ...one, group: 'demo' })).toMatchObject({
      groups: [{ group: '*', state: 'nothing-to-do', reason: 'no roll of group demo has begun' }],
    });
    await rolling;
    expect(noteOn(world, two.group)).toContain(' asked ');
  });

  test('that comes twice changes nothing, and one after a refusal neither', async () => {
    const { invoke, order, clock, world } = staged(() => undefined);
    const rolling = invoke();
    await clock.drive(clock.sleep(90));
    const question = questionOf(world);
    const together = await Promise.all([
      order({ action: 'refuse', group: 'demo-ecs', question }),
      order({ action: 'refuse', group: 'demo-ecs', question }),
    ]);
    for (const outcome of together) expect(outcome).toMatchObject({ groups: [{ state: 'noted' }] });
    expect(await order({ action: 'approve', group: 'demo-ecs', question })).toMatchObject({
      groups: [{ state: 'nothing-to-do', reason: 'it is refused already' }],
    });
    expect(only(await rolling)).toMatchObject({ code: 'hook-refuses' });
  });

  test('given to the function itself counts, too', async () => {
    const { invoke, finish, world } = staged((_, times) => (times === 1 ? undefined : 'approve'), {
      lambdaSeconds: 300,
    });
    await invoke();
    const question = questionOf(world);
    approvals.given.add(question);
    await invoke({ action: 'approve', group: 'demo-ecs', question });
    expect((await finish())[0]?.state).toBe('completed');
  });
});

test('a topic that fails is tried again, and lets nothing begin', async () => {
  let fails = 20;
  const failing: Interceptor = {
    before({ operation }) {
      if (operation === 'Publish' && fails-- > 0) throw new AwsError('InternalError', 'not now', 500);
    },
  };
  const { invoke, finish, world, account, invariants } = staged(() => 'approve');
  expect(only(await invoke({ action: 'roll' }, [failing]))).toMatchObject({
    state: 'in-progress',
    code: 'hook-holds',
    reason: expect.stringContaining('not now'),
  });
  expect(published(world)).toEqual([]);
  expect(detachments(account.calls.log)).toBe(0);
  await finish();
  invariants.assertFinished();
});

test('killed anywhere, no batch begins without an approval, and the roll ends', async () => {
  let kills = 0;
  for (let call = 1; ; call += KILL_STEP) {
    const { invoke, finish, world, roll } = staged(() => 'approve', {
      ...BRISK,
      environment: { ...BRISK.environment, ...ASKS },
    });
    const outcome = await invoke({ action: 'roll' }, [(kills % 2 === 0 ? killBefore : killAfter)(call)]);
    if (outcome.kind !== 'killed') break;
    kills += 1;
    await finish();
    // Killed before anything was written, a roll has not begun: the schedule begins it.
    await roll();
    expect(noteOn(world)).toBeUndefined();
  }
  expect(kills).toBeGreaterThan(5);
});
