import { expect, test } from 'vitest';
import { sequenceOf, stageOf } from '../core/sequence/fleet.ts';
import { IS_WHOLE } from '../sample/sampled.ts';
import { killAfter, killBefore, randomNumbers } from '../simulated-aws/weather/faults.ts';
import { type Stack, Stacks } from './stacks.ts';

const ACCOUNTS = ['111111111111', '222222222222', '333333333333'] as const;
const REGIONS = ['eu-west-1', 'us-east-1'] as const;
const STACKS = ['a', 'b', 'c', 'd', 'e'] as const;
const SOAK_HOURS = 12;
const CONCURRENT = 3;

/** Three accounts, two Regions and five stacks in each, of which a stage is an account; looks each hour. */
function wholeFleet(): Stacks {
  const stacks = new Stacks(
    sequenceOf(
      ACCOUNTS.map((account, index) =>
        stageOf(`stage-${index + 1}`, account, {
          soakHours: SOAK_HOURS,
          maxConcurrent: CONCURRENT,
          tolerate: CONCURRENT - 1,
          completeWithinHours: 20,
          ...(index === 2 && { apart: 'region' }),
        }),
      ),
    ),
    3600,
  );
  for (const account of ACCOUNTS)
    for (const region of REGIONS)
      for (const stack of STACKS)
        stacks.add({ account, region, stack, environment: { READY_TIMEOUT_SECONDS: '600' } });
  return stacks;
}

const stageOfStack = ({ key }: Pick<Stack, 'key'>) => ACCOUNTS.findIndex((each) => key.startsWith(each));

/** When rolls onto a release began, in hours, by stage. */
function hoursByStage({ begun }: Stacks, release: string): number[][] {
  const own = begun.filter((each) => each.release === release);
  return ACCOUNTS.map((_, index) =>
    own.filter((each) => stageOfStack(each) === index).map(({ hours }) => hours),
  );
}

/** Each stage begins after the one before has begun its last, and soaked. */
function expectInOrder(stacks: Stacks, release: string): void {
  const stages = hoursByStage(stacks, release);
  for (const [index, hours] of stages.entries()) {
    const before = stages[index - 1];
    if (before === undefined || hours.length === 0) continue;
    expect(Math.min(...hours)).toBeGreaterThan(Math.max(...before) + SOAK_HOURS);
  }
}

/** Minutes, in which thousands of invocations are played. */
test.runIf(IS_WHOLE)(
  'a fleet of three accounts and two Regions rolls stage by stage, whoever is killed, paused, silent or bad',
  async () => {
    const stacks = wholeFleet();
    const random = randomNumbers(1);
    // Any of a stack's calls, now and then, is its last; so is any of the sequence's.
    const weather = async () => {
      for (const stack of stacks.stacks) {
        const call = 1 + Math.floor(random() * 60);
        stack.interceptors = random() < 0.15 ? [random() < 0.5 ? killBefore(call) : killAfter(call)] : [];
      }
      const call = 1 + Math.floor(random() * 12);
      if (random() < 0.3) await stacks.clock.drive(stacks.passOnce([killAfter(call)]));
    };
    const [paused, silent] = stacks.stacks.filter((each) => stageOfStack(each) === 1);
    if (paused === undefined || silent === undefined) throw new Error('no stacks');
    const first = paused.newest();
    await stacks.clock.drive(stacks.invoke(paused, { action: 'pause' }));
    await stacks.run(12, weather);
    silent.isSilent = true;
    await stacks.run(90, weather);
    expectInOrder(stacks, first);
    const left = stacks.stacks.filter((each) => !each.runs().includes(first));
    expect(left.map(({ key }) => key)).toEqual([paused.key, silent.key]);

    silent.isSilent = false;
    await stacks.clock.drive(stacks.invoke(paused, { action: 'resume' }));
    const bad = stacks.publish(stacks.stacks, { isBad: true });
    await stacks.run(30, weather);
    const [tried = [], ...others] = hoursByStage(stacks, bad);
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.length).toBeLessThanOrEqual(CONCURRENT);
    expect(others.flat()).toEqual([]);
    expect(stacks.log.join('\n')).toContain(`ReleaseHalted ${bad}`);

    const last = stacks.publish();
    await stacks.run(110, weather);
    for (const stack of stacks.stacks) stack.interceptors = [];
    await stacks.run(12);
    expectInOrder(stacks, last);
    for (const stack of stacks.stacks) expect([stack.key, stack.runs()]).toEqual([stack.key, [last]]);
    expect(stacks.stacks.flatMap(({ account }) => account.bugs)).toEqual([]);
  },
  600_000,
);
