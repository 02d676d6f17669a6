import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { OUR_INVARIANTS } from '../invariants/invariants.ts';
import { afterTag } from '../rollout/happenings.ts';
import { KINDS } from '../rollout/kinds.ts';
import { type Stage, stage } from '../rollout/stage.ts';
import { BRISK } from '../rollout/sweep.ts';
import { ROLLS, type RollName } from './interleavings.ts';
import { carryOut, type Job } from './jobs.ts';
import { type Git, originOf } from './origin.ts';
import type { RollOutcome } from './outcome.ts';
import { parseReplay } from './replay.ts';
import { commandOf, type Proof, reportOf } from './report.ts';
import { SCENARIOS, type Scenario, scenarioNamed } from './scenarios.ts';
import { FIXED, parseSeeds, type Seeds } from './seeds.ts';
import { stormRoll } from './storm.ts';
import { callsOf, type Kill, playKilled } from './sweep.ts';
import { hasUnnotedSize } from './unnoted-sizes.ts';
import { WEATHERS } from './weather.ts';

/** Some of each part of what `npm run prove` does: more of it is that command's. */
async function brokenOf(job: Job): Promise<string[]> {
  const outcomes = await carryOut(job);
  expect(outcomes.length).toBeGreaterThan(0);
  return toldOf(outcomes);
}

const toldOf = (outcomes: readonly RollOutcome[]) =>
  outcomes.flatMap((outcome) => outcome.broken.map((what) => `${commandOf(outcome)}\n${what}`));

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('in bad weather', () => {
  test.each(WEATHERS)('%s', async (weather) => {
    expect(toldOf([await stormRoll(1, [weather])])).toEqual([]);
  });

  test('of all kinds at random', async () => {
    expect(await brokenOf({ kind: 'storm', seeds: range(3) })).toEqual([]);
  });

  test('of all kinds at random, while groups end instances of their own', async () => {
    expect(await brokenOf({ kind: 'ends', seeds: range(3) })).toEqual([]);
  });

  test('of random groups', async () => {
    expect(await brokenOf({ kind: 'groups', seeds: range(3) })).toEqual([]);
  });
});

describe('killed at some of its calls', () => {
  test.each(SCENARIOS)('$name', async ({ name: scenario }) => {
    expect(await brokenOf({ kind: 'sweep', scenario, share: { part: 7, parts: 200 } })).toEqual([]);
    expect(await brokenOf({ kind: 'double kills', scenario, seeds: range(2) })).toEqual([]);
  });
});

test('a kill between two reads of one moment comes to what the kill before it came to', async () => {
  const scenario = scenarioNamed('target group, within the maximum');
  const points = await callsOf(scenario);
  const index = Math.floor(points.length / 2);
  const [first, next] = points.slice(index).flatMap(({ call, after }, at) => {
    const following = points[index + at + 1]?.call ?? 0;
    return following > call + 2 ? [[{ when: after ? 'after' : 'before', call }, following - 1] as const] : [];
  })[0] ?? [undefined, 0];
  expect(first).toBeDefined();
  if (first === undefined) return;
  const calls = await callsAfter(scenario, first);
  expect(calls.length).toBeGreaterThan(100);
  expect(await callsAfter(scenario, { when: 'after', call: next })).toEqual(calls);
  expect(await callsAfter(scenario, { when: 'before', call: 1 })).not.toEqual(calls);
});

async function callsAfter(scenario: Scenario, kill: Kill): Promise<string[]> {
  let seen: Stage | undefined;
  const check = (staged: Stage) => {
    seen = staged;
  };
  expect((await playKilled({ ...scenario, check }, [kill])).broken).toEqual([]);
  const log = seen?.account.calls.log ?? [];
  return log
    .slice(kill.call)
    .map(({ time, operation, input }) => `${time} ${operation} ${JSON.stringify(input)}`);
}

describe.each(Object.keys(ROLLS) as RollName[])('several invocations at once, %s', (roll) => {
  test('with one preemption', async () => {
    const space = { roll, invocations: 2, secondWithin: 1 };
    expect(await brokenOf({ kind: 'orders', space, share: { part: 5, parts: 100 } })).toEqual([]);
  });

  test('in any order', async () => {
    expect(await brokenOf({ kind: 'random orders', roll, invocations: 3, seeds: range(2) })).toEqual([]);
  });
});

describe('what is reported of a roll', () => {
  test('replays it, call by call', async () => {
    const [scenario] = SCENARIOS;
    const roll = 'launch template';
    const jobs: Job[] = [
      { kind: 'storm', seeds: [7] },
      { kind: 'groups', seeds: [7] },
      { kind: 'double kills', scenario: scenario?.name ?? '', seeds: [7] },
      { kind: 'random orders', roll, invocations: 2, seeds: [7] },
      { kind: 'orders', space: { roll, invocations: 2, secondWithin: 0 }, share: { part: 0, parts: 500 } },
    ];
    const outcomes = [await stormRoll(7, ['lag', 'kills'])];
    for (const job of jobs) outcomes.push(...(await carryOut(job)));
    for (const outcome of outcomes) {
      expect(outcome.log.length).toBeGreaterThan(10);
      expect(await parseReplay(outcome.replay)()).toEqual(outcome);
    }
  });

  test.each([
    'nonsense',
    'storm 7',
    'storm/fog/7',
    'storm/lag/seven',
    'groups/seven',
    'sweep/no such scenario/after 12',
    `sweep/${SCENARIOS[0]?.name}/sometime`,
    'interleavings/launch template/2/any',
    'interleavings/toString/2/random 7',
  ])('is refused with what to give instead, if none has that name: %s', (text) => {
    expect(() => parseReplay(text)).toThrow(
      /^There is no such roll\. Give a seed, .* or what a failure printed/,
    );
  });

  test('shows in the report with its command, if the roll broke something', async () => {
    const outcome = { ...(await stormRoll(7)), broken: ['invariant 1: too few'] };
    const report = reportOf(proofOf([outcome], FIXED));
    expect(report).toMatch(/^\| storm \| 1 \| .* \| 1 \| 1 \|$/m);
    expect(report).toContain('- `npm run prove -- --replay 7`');
    expect(report).toContain('invariant 1: too few');
  });

  test('has a line in the report for each invariant that may break, by its number', () => {
    const report = reportOf(proofOf([], FIXED));
    for (const { number } of OUR_INVARIANTS)
      expect(report).toMatch(new RegExp(`^${number}\\. [A-Z].*\\.$`, 'm'));
  });
});

describe("the report's origin", () => {
  const AT = new Date('2026-01-15T23:00:00Z');
  const heading = async (git: Git) =>
    reportOf({ ...proofOf([], FIXED), origin: await originOf(AT, git) }).split('\n')[2];
  const gitSays =
    (commit: string, changes: string): Git =>
    async (command) =>
      command === 'rev-parse' ? commit : changes;

  test('is its day and commit', async () => {
    expect(await heading(gitSays('1a2b3c4\n', ''))).toMatch(/ on 2026-01-15, of commit 1a2b3c4: rolls of /);
  });

  test('says so if files differ from the commit', async () => {
    expect(await heading(gitSays('1a2b3c4\n', ' M lambda/core/decide.ts\n'))).toContain(
      ', of commit 1a2b3c4 with changes that were not committed: ',
    );
  });

  test('ignores changes to the report itself', async () => {
    const asked: string[] = [];
    await heading(async (...args) => void asked.push(args.join(' ')));
    expect(asked).toContainEqual(expect.stringMatching(/^status .*:\(exclude\)RELIABILITY\.md$/));
  });

  test('is stated if git knows nothing', async () => {
    expect(await heading(async () => undefined)).toContain(', of files that are in no git repository: ');
  });
});

describe('an owner in a storm', () => {
  test('sets no size before the roll has recorded that somebody took back what it had added', async () => {
    const kind = KINDS.find(({ name }) => name === 'classic load balancer');
    if (kind === undefined) throw new Error('there is no such kind');
    const staging = stage({ ...BRISK, ...kind, environment: { ...kind.environment, POLL_SECONDS: '10' } });
    const { world, clock } = staging;
    const group = [...world.state.groups.values()].find(({ name }) => name === 'demo-ecs');
    if (group === undefined) throw new Error('there is no group');
    const seen: boolean[] = [];
    const look = () => void seen.push(hasUnnotedSize(group));
    afterTag(
      staging,
      GROUP_TAGS.addedSizes,
      (value) => value === '+4/+0 over 4/20',
      1,
      () => {
        look();
        world.owner.scheduledAction(group.name, { desiredCapacity: 4 });
        look();
        clock.schedule(60, look);
      },
    );
    await staging.roll();
    expect(seen).toEqual([false, true, false]);
  });
});

describe('the seeds of rolls in bad weather', () => {
  test('are the requested ones', () => {
    expect(parseSeeds('900302')).toEqual({ first: 900302, isFresh: false });
    for (const text of ['', '-1', '1.5', 'Fresh', String(2 ** 31)])
      expect(() => parseSeeds(text)).toThrow('It may be a whole number from 0 to ');
  });

  test('differ in each run that asks for fresh ones', () => {
    const drawn = Array.from({ length: 20 }, () => parseSeeds('fresh'));
    expect(new Set(drawn.map(({ first }) => first)).size).toBeGreaterThan(1);
    for (const { first, isFresh } of drawn) expect([first >= 1_000_000, isFresh]).toEqual([true, true]);
  });

  test('are in the report, with how to replay the fresh ones', async () => {
    const outcomes = [await stormRoll(7), await stormRoll(8)];
    expect(reportOf(proofOf(outcomes, { first: 7, isFresh: false }))).toMatch(/: seeds 7 to 8\. /);
    expect(reportOf(proofOf(outcomes, { first: 7, isFresh: true }))).toContain(
      ': fresh seeds 7 to 8; once more by `npm run prove -- --only storm --rolls 2 --seed 7`. ',
    );
  });

  test('are in the report of random groups, too, which counts them by what launches', async () => {
    const outcome = await stormRoll(7, ['jobs'], 'groups');
    const [spec = ''] = outcome.name.split(': {');
    const report = reportOf(proofOf([outcome, outcome], { first: 7, isFresh: true }));
    expect(report).toContain(
      ': fresh seeds 7 to 8; once more by `npm run prove -- --only groups --rolls 2 --seed 7`.',
    );
    expect(report).toMatch(new RegExp(`^\\| ${spec} \\| 2 \\| .* \\| 0 \\|$`, 'm'));
    expect(report).not.toContain('"instances"');
  });
});

function proofOf(outcomes: readonly RollOutcome[], seeds: Seeds): Proof {
  const origin = { at: new Date(0) };
  return { origin, share: 1, rules: 1, seeds, outcomes, seconds: { storm: 1 }, mutations: [] };
}
