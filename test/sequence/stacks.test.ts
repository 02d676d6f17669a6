import { describe, expect, test } from 'vitest';
import type { Stage as SequenceStage } from '../../lambda/core/sequence/model.ts';
import { sequenceOf, stageOf } from '../core/sequence/fleet.ts';
import type { Expectations } from '../invariants/invariants.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { setAlarm } from '../simulated-aws/world/cloudwatch/alarms.ts';
import { LINE, Stacks } from './stacks.ts';

const [STAGING, PRODUCTION] = ['111111111111', '222222222222'] as const;

/** Members go back, too: those of a failed image at once, as nothing of a service needs them. */
const BACK: Expectations = { isDue: () => true, endsMembers: true, inPlace: true };

function twoStages(
  more: Partial<SequenceStage> = {},
  environment: Readonly<Record<string, string>> = {},
  expectations: Expectations = {},
) {
  const stacks = new Stacks(
    sequenceOf([
      stageOf('staging', STAGING, { soakHours: 2, ...more }),
      stageOf('production', PRODUCTION, { soakHours: 1, maxConcurrent: 1, completeWithinHours: 6 }),
    ]),
  );
  const staging = stacks.add({ account: STAGING, stack: 'web', environment, expectations });
  const production = stacks.add({ account: PRODUCTION, stack: 'web', environment, expectations });
  const old = staging.scenario.oldImage.name;
  return { stacks, staging, production, old };
}

describe('stacks of a sequence', () => {
  test('roll onto a release stage after stage, each by itself', async () => {
    const { stacks, staging, production } = twoStages();
    await stacks.run(6);
    const [first, second] = stacks.begun;
    expect([first?.key, second?.key]).toEqual([staging.key, production.key]);
    expect(second?.hours).toBeGreaterThan((first?.hours ?? 0) + 2);
    expect(stacks.begun).toHaveLength(2);
    for (const stack of [staging, production]) expect(stack.runs()).toEqual([stack.newest()]);
    stacks.assertSound();
  });

  test('wait for their sequence, and say so, whoever asks', async () => {
    const { stacks, production, old } = twoStages();
    await stacks.run(1);
    const [result] = await stacks.clock.drive(stacks.invoke(production, { action: 'plan' }));
    expect(result).toMatchObject({ state: 'up-to-date', code: 'members-run' });
    expect(result?.heldBackDays).toBeGreaterThan(1);
    expect(result?.warnings).toEqual([
      `its sequence does not let it roll onto ${production.newest()} yet (${LINE}); ` +
        "`ecs-ami-deploy roll --outside-sequence` doesn't wait",
    ]);
    await stacks.clock.drive(stacks.invoke(production));
    expect(production.runs()).toEqual([old]);
  });

  test('an image that fails in the first stage is halted: nobody else begins, until a newer one comes', async () => {
    const { stacks, staging, production, old } = twoStages({}, { READY_TIMEOUT_SECONDS: '600' }, BACK);
    const bad = stacks.publish([staging, production], { isBad: true });
    await stacks.run(6);
    expect(stacks.begun.map(({ key, release }) => [key, release])).toEqual([[staging.key, bad]]);
    expect(stacks.log.join('\n')).toContain(`staging: ReleaseHalted ${bad}`);
    expect(stacks.viewOf('staging')).toMatchObject({ phase: 'halted', release: bad });
    for (const stack of [staging, production]) expect(stack.runs()).toEqual([old]);
    const good = stacks.publish();
    await stacks.run(6);
    for (const stack of [staging, production]) expect(stack.runs()).toEqual([good]);
    stacks.assertSound();
  });

  test('those that fail one after the other count together: beyond what is tolerated nobody else begins', async () => {
    const one = { maxConcurrent: 1, tolerate: 1 };
    const { stacks, staging } = twoStages(one, { READY_TIMEOUT_SECONDS: '600' }, BACK);
    for (const stack of ['x', 'y']) stacks.add({ account: STAGING, stack, expectations: BACK });
    const bad = stacks.publish(undefined, { isBad: true });
    await stacks.run(6);
    expect(stacks.begun.map(({ key }) => key)).toEqual([staging.key, `${STAGING}#eu-west-1#x`]);
    expect(stacks.viewOf('staging')).toMatchObject({ phase: 'halted', release: bad });
    expect(stacks.viewOf('staging')?.members.map(({ standing }) => standing)).toEqual([
      'failed',
      'failed',
      'ready',
    ]);
  });

  test('a newer release waits until the one before has soaked; the second stage takes the newest that has', async () => {
    const { stacks, staging, production } = twoStages();
    const first = staging.newest();
    await stacks.run(1);
    expect(staging.runs()).toEqual([first]);
    const second = stacks.publish();
    await stacks.run(1);
    expect(stacks.begun).toHaveLength(1);
    await stacks.run(8);
    expect(stacks.begun.map(({ key, release }) => [key, release])).toEqual(
      [
        [staging.key, first],
        [staging.key, second],
        [production.key, first],
        [production.key, second],
      ].sort((a, b) => hoursOf(stacks, a) - hoursOf(stacks, b)),
    );
    for (const stack of [staging, production]) expect(stack.runs()).toEqual([second]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['outside its window', { WINDOWS: '0 3 1 * * 1h UTC' }, 'outside its windows'],
    ['with MODE=plan', { MODE: 'plan' }, 'MODE=plan'],
  ])('a member %s takes no slot, is named, and is left behind in the end', async (_, environment, why) => {
    const { stacks, production, old } = twoStages();
    const other = stacks.add({ account: PRODUCTION, stack: 'api' });
    Object.assign(production.environment, environment);
    await stacks.run(5);
    expect(other.runs()).toEqual([other.newest()]);
    expect(production.runs()).toEqual([old]);
    expect(stacks.viewOf('production')?.waitsFor).toContain(`${production.key} `);
    expect(stacks.viewOf('production')?.waitsFor).toContain(why);
    await stacks.run(6);
    expect(stacks.viewOf('production')).toMatchObject({ phase: 'qualified' });
  });

  test('a paused member begins nothing, and goes on by itself once it is resumed', async () => {
    const { stacks, production, old } = twoStages();
    await stacks.clock.drive(stacks.invoke(production, { action: 'pause' }));
    await stacks.run(5);
    expect(production.runs()).toEqual([old]);
    expect(stacks.viewOf('production')?.waitsFor).toContain('paused');
    await stacks.clock.drive(stacks.invoke(production, { action: 'resume' }));
    await stacks.run(2);
    expect(production.runs()).toEqual([production.newest()]);
  });

  test('without the table nothing new begins, and a roll under way ends by itself', async () => {
    const { stacks, staging, production, old } = twoStages();
    let isDown = false;
    const down: Interceptor = {
      before({ service }) {
        if (isDown && service === 'dynamodb') throw new AwsError('InternalServerError', 'down', 500);
      },
    };
    for (const stack of [staging, production]) stack.interceptors = [down];
    await stacks.run(0.1, () => {
      isDown = true;
    });
    expect(stacks.begun).toHaveLength(0);
    isDown = false;
    await stacks.run(0.2);
    isDown = true;
    await stacks.clock.drive(stacks.invoke(staging));
    await stacks.clock.drive(stacks.invoke(staging));
    expect(staging.runs()).toEqual(stacks.begun.length > 0 ? [staging.newest()] : [old]);
    await stacks.run(1);
    expect(staging.warnings.join()).toContain("can't be read, so that nothing new begins");
    expect(production.runs()).toEqual([old]);
    isDown = false;
    await stacks.run(6);
    for (const stack of [staging, production]) expect(stack.runs()).toEqual([stack.newest()]);
    stacks.assertSound();
  });

  test('somebody rolls a member outside its sequence: it says so, and the sequence finds it done', async () => {
    const { stacks, production } = twoStages();
    const event = { action: 'roll', outsideSequence: true };
    await stacks.clock.drive(stacks.invoke(production, event));
    await stacks.run(1);
    expect(production.runs()).toEqual([production.newest()]);
    expect(stacks.begun[0]).toMatchObject({ key: production.key });
    await stacks.run(5);
    expect(stacks.viewOf('production')).toMatchObject({ phase: 'qualified' });
    expect(stacks.begun).toHaveLength(2);
  });

  test('halt --now stops a roll at its next batch, and a resume lets it go on', async () => {
    const stacks = new Stacks(sequenceOf([stageOf('staging', STAGING, { soakHours: 2 })]));
    const staging = stacks.add({
      account: STAGING,
      stack: 'web',
      environment: { MAX_SURGE: '1' },
      instances: 4,
      lambdaSeconds: 300,
    });
    const release = staging.newest();
    const old = staging.scenario.oldImage.name;
    await stacks.run(0.3);
    expect(staging.runs()).toEqual([release, old].sort());
    await stacks.order({ kind: 'halt', isNow: true });
    await stacks.clock.drive(stacks.passOnce());
    await stacks.run(2);
    expect(stacks.viewOf('staging')).toMatchObject({ phase: 'halted', release });
    expect(staging.results[0]).toMatchObject({ state: 'paused', code: 'halted-in-sequence' });
    expect(staging.runs()).toEqual([release, old].sort());
    await stacks.order({ kind: 'resume', release });
    await stacks.run(3);
    expect(staging.runs()).toEqual([release]);
    stacks.assertSound();
  });

  test('a stage goes back to what it ran before, where its members accept that', async () => {
    const { stacks, staging, production, old } = twoStages({}, { ACCEPT_REVERT: 'true' }, BACK);
    await stacks.run(5);
    delete production.environment.ACCEPT_REVERT;
    const release = production.newest();
    expect(production.runs()).toEqual([release]);
    await stacks.order({ kind: 'revert', stage: 'staging', release: old });
    await stacks.order({ kind: 'revert', stage: 'production', release: old });
    await stacks.run(3);
    expect(staging.runs()).toEqual([old]);
    expect(production.runs()).toEqual([release]);
    expect(stacks.viewOf('production')?.waitsFor).toContain('accepts no revert');
    const newer = stacks.publish();
    await stacks.run(10);
    for (const stack of [staging, production]) expect(stack.runs()).toEqual([newer]);
    stacks.assertSound();
  });

  test('an alarm of a member while its stage soaks halts the release', async () => {
    const { stacks, staging, production, old } = twoStages({}, { ALARM_NAMES: 'errors' });
    for (const { world } of [staging, production]) world.addAlarm({ name: 'errors' });
    await stacks.run(1);
    expect(staging.runs()).toEqual([staging.newest()]);
    setAlarm(staging.world.state, 'errors', 'ALARM');
    await stacks.run(6);
    expect(stacks.viewOf('staging')).toMatchObject({ phase: 'halted' });
    expect(production.runs()).toEqual([old]);
  });
});

function hoursOf({ begun }: Stacks, [key, release]: readonly string[]): number {
  return begun.find((each) => each.key === key && each.release === release)?.hours ?? 0;
}
