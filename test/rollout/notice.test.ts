import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { groupOf, launchedFrom } from './happenings.ts';
import { only, writes } from './outcomes.ts';
import { type Stage, stage } from './stage.ts';

const NEW = 'ami-00000000000000002';
const SCHEDULED = { source: 'aws.events', 'detail-type': 'Scheduled Event' };
const CONTINUE = { action: 'continue' };

const options = {
  shortcut: true,
  environment: { ANNOUNCE_MINUTES: '60', CANARY: '0', STABLE_SECONDS: '5' },
  furnish: (world: Stage['world']) =>
    void standardScenario({ world, instances: 2, services: 1, version: '1' }),
} as const;

const tagsOf = (staged: Stage) => [...groupOf(staged).tags.keys()];
const launched = ({ world }: Stage) => launchedFrom(world, NEW).length;

describe('a roll by the schedule', () => {
  test('is announced, begins by the first `continue` after the notice, and is completed', async () => {
    const staged = stage(options);
    const first = only(await staged.invoke(SCHEDULED));
    expect(first).toMatchObject({ state: 'planned', code: 'announced' });
    expect(tagsOf(staged)).toContain(GROUP_TAGS.announced);
    staged.clock.advance(55 * 60);
    expect(only(await staged.invoke(CONTINUE))).toMatchObject({ code: 'announced' });
    expect(launched(staged)).toBe(0);
    staged.clock.advance(5 * 60);
    expect(only(await staged.invoke(CONTINUE)).state).toBe('completed');
    staged.invariants.assertFinished();
    expect(tagsOf(staged)).toEqual([]);
  });

  test('says in a plan, too, from when it begins by itself', async () => {
    const staged = stage(options);
    const plan = async () => only(await staged.invoke({ action: 'plan' }));
    expect(await plan()).not.toHaveProperty('announcedFor');
    const { reason } = only(await staged.invoke(SCHEDULED));
    const planned = await plan();
    expect(planned.reason).not.toContain('begins it now');
    expect(reason).toContain(`from ${planned.announcedFor} on`);
  });

  test.each(['skip', 'abort', 'rollback'])('is called off by %s, and not announced again', async (action) => {
    const staged = stage(options);
    await staged.invoke(SCHEDULED);
    await staged.invoke({ action });
    expect(only(await staged.invoke(SCHEDULED))).toMatchObject({
      state: 'skipped',
      code: 'image-rejected',
    });
    staged.clock.advance(3600);
    await staged.invoke(CONTINUE);
    expect(launched(staged)).toBe(0);
    expect(tagsOf(staged).sort()).toEqual([GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause]);
  });

  test('is held by a pause for as long as that lasts', async () => {
    const staged = stage(options);
    await staged.invoke(SCHEDULED);
    await staged.invoke({ action: 'pause' });
    staged.clock.advance(3 * 3600);
    expect(only(await staged.invoke(CONTINUE)).state).toBe('paused');
    expect(launched(staged)).toBe(0);
    expect(only(await staged.invoke({ action: 'resume' })).state).toBe('completed');
    staged.invariants.assertFinished();
  });

  test('begins at once if somebody asks for it', async () => {
    const staged = stage(options);
    await staged.invoke(SCHEDULED);
    expect(only(await staged.invoke({ action: 'roll' })).state).toBe('completed');
    staged.invariants.assertFinished();
  });

  test('isn’t held up, nor begun anew, by a notice that somebody puts back in the middle of it', async () => {
    const staged = stage({ ...options, lambdaSeconds: 180 });
    await staged.invoke(SCHEDULED);
    const { tags } = groupOf(staged);
    const announced = tags.get(GROUP_TAGS.announced);
    if (announced === undefined) throw new Error('nothing was announced');
    staged.clock.advance(3600);
    await staged.invoke(CONTINUE);
    expect(launched(staged)).toBeGreaterThan(0);
    tags.set(GROUP_TAGS.announced, announced);
    await staged.finish();
    staged.invariants.assertFinished();
  });
});

/** The schedule looks, an hour passes, and rolls are continued: each by its own invocation. */
const EVENTS = [SCHEDULED, CONTINUE];

/** Calls, by their number in the invocation, that may change something. */
async function writesOf(which: number): Promise<number[]> {
  const staged = stage(options);
  const { log } = staged.account.calls;
  let before = 0;
  for (const event of EVENTS.slice(0, which + 1)) {
    before = log.length;
    await staged.invoke(event);
    staged.clock.advance(3600);
  }
  const operations = writes(log.slice(before));
  expect(operations.length).toBeGreaterThan(0);
  return log.slice(before).flatMap((call, index) => (writes([call]).length > 0 ? [index + 1] : []));
}

/** A kill at one call of one of these invocations; the next schedule and what follows end it. */
async function playKilled(which: number, kill: Interceptor): Promise<void> {
  const staged = stage(options);
  for (const [index, event] of EVENTS.entries()) {
    const outcome = await staged.invoke(event, index === which ? [kill] : []);
    expect(outcome.kind).toBe(index === which ? 'killed' : 'answered');
    staged.clock.advance(3600);
  }
  // Killed before it was announced, it is announced by the next schedule.
  for (const event of EVENTS) {
    await staged.invoke(event);
    await staged.finish();
    staged.clock.advance(3600);
  }
  staged.invariants.assertFinished();
}

test.each([0, 1])('killed at any write of invocation %i, an announced roll is completed', async (which) => {
  for (const call of await writesOf(which)) {
    await playKilled(which, killBefore(call));
    await playKilled(which, killAfter(call));
  }
});

test('the function for orders calls it off, too, and says so', async () => {
  const staged = stage(options);
  await staged.invoke(SCHEDULED);
  expect(await staged.order({ action: 'approve', group: 'demo-ecs', question: '00c0ffee' })).toMatchObject({
    groups: [{ state: 'nothing-to-do', reason: 'its roll is only announced yet' }],
  });
  expect(await staged.order({ action: 'skip' })).toMatchObject({ groups: [{ state: 'noted' }] });
  // By this the command line tells that it isn't noted yet.
  expect(await staged.invoke({ action: 'plan' })).toMatchObject({ groups: [{ code: 'roll-over' }] });
  expect(only(await staged.invoke({ action: 'status' }))).toMatchObject({
    state: 'skipped',
    reason: expect.stringMatching(/^the roll was skipped \(somebody asked for it\); 2 members run /),
  });
  expect(await staged.order({ action: 'skip' })).toMatchObject({
    groups: [{ state: 'noted', reason: 'it is skipped already' }],
  });
  await staged.invoke(CONTINUE);
  expect(await staged.order({ action: 'skip' })).toMatchObject({
    groups: [{ group: '*', state: 'nothing-to-do', reason: 'no roll has begun' }],
  });
  expect(tagsOf(staged).sort()).toEqual([GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause]);
});

test.each(['skip', 'abort'])(
  '%s leaves alone what is announced while it watches the tags',
  async (action) => {
    const staged = stage(options);
    await staged.invoke(SCHEDULED);
    const ordered = staged.order({ action });
    await staged.clock.drive(staged.clock.sleep(2));
    await staged.invoke(CONTINUE);
    staged.world.release('amazon-linux-2023');
    expect(only(await staged.invoke(SCHEDULED))).toMatchObject({ state: 'planned', code: 'announced' });
    expect(await ordered).toMatchObject({
      groups: [{ state: 'noted', reason: 'skips the announced roll, as somebody asks' }],
    });
    expect(only(await staged.invoke(CONTINUE))).toMatchObject({ state: 'planned', code: 'announced' });
  },
);

test('a roll that has begun isn’t skipped, and the order says so', async () => {
  const staged = stage({ ...options, lambdaSeconds: 120 });
  await staged.invoke({ action: 'roll' });
  expect(await staged.order({ action: 'skip' })).toMatchObject({
    groups: [{ state: 'nothing-to-do', reason: 'its roll has begun; an abort ends it halfway' }],
  });
  await staged.finish();
  staged.invariants.assertFinished();
});
