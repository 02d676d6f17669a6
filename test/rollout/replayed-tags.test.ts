import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf } from './happenings.ts';
import { type Answer, type Asked, addHook, GO, HOOK } from './hook.ts';
import { groupsOf, only } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

const SCHEDULED = { source: 'aws.events', 'detail-type': 'Scheduled Event' };
const DAY_SECONDS = 86_400;

function staged(answer?: Answer, { environment, ...others }: Partial<StageOptions> = {}) {
  let asked: readonly Asked[] = [];
  const furnish = (world: World) => {
    if (answer) asked = addHook(world, answer);
  };
  const settings = { CANARY: '1', MAX_SURGE: '2', ...environment };
  const made = standardStage({}, { environment: settings, furnish, ...others });
  return { asked, ...made };
}

/** The first value of a tag that begins like this, while the world goes on. */
async function tagFrom(staging: Stage, key: string, begins: string) {
  for (let second = 0; second < 3600; second++) {
    const tag = groupOf(staging).tags.get(key);
    if (tag?.value.startsWith(begins)) return { ...tag };
    await staging.clock.drive(staging.clock.sleep(1));
  }
  throw new Error(`${key} never was ${begins}`);
}

describe('a sealed tag of an earlier roll, put back,', () => {
  test('passes no trial, and no hook that is asked about it', async () => {
    let refuses = false;
    const answer: Answer = ({ stage: at }) =>
      refuses && at === 'trial-passed' ? { answer: 'refuse', reason: 'bad image' } : GO;
    const staging = staged(answer, {
      environment: { BEFORE_BATCH: HOOK, ON_TRIAL_PASSED: HOOK },
      expectations: { endings: ['completed', 'rolled-back'] },
    });
    const first = staging.invoke();
    const passed = await tagFrom(staging, GROUP_TAGS.canary, 'passed');
    await first;
    await staging.finish();
    staging.clock.advance(DAY_SECONDS);
    staging.world.release('amazon-linux-2023');
    refuses = true;
    const second = staging.invoke();
    await tagFrom(staging, GROUP_TAGS.canary, 'pending');
    groupOf(staging).tags.set(GROUP_TAGS.canary, passed);
    await second;
    await staging.finish();
    expect(staging.asked.filter(({ stage: at }) => at === 'trial-passed')).toHaveLength(2);
    expect(staging.endings).toEqual(['completed', 'rolled-back']);
    staging.invariants.assertFinished();
  });

  test('is no answer of a hook, and keeps it from none', async () => {
    const staging = staged(() => GO, { environment: { BEFORE_BATCH: HOOK } });
    const first = staging.invoke();
    const note = await tagFrom(staging, GROUP_TAGS.hook, '2026');
    await first;
    await staging.finish();
    staging.clock.advance(DAY_SECONDS);
    const before = staging.asked.length;
    const second = staging.invoke({ action: 'roll', force: true });
    groupOf(staging).tags.set(GROUP_TAGS.hook, note);
    await second;
    await staging.finish();
    expect(staging.asked.length - before).toBe(before);
    expect(staging.endings).toEqual(['completed', 'completed']);
  });
});

test('the image of an earlier roll, put back as the next begins, ends that one on no old image', async () => {
  const staging = staged(undefined, { expectations: { endings: ['completed', 'completed'] } });
  const first = staging.invoke();
  const image = await tagFrom(staging, GROUP_TAGS.image, 'ami-');
  await first;
  await staging.finish();
  staging.clock.advance(DAY_SECONDS);
  staging.world.release('amazon-linux-2023');
  const second = staging.invoke();
  await tagFrom(staging, GROUP_TAGS.canary, 'pending');
  groupOf(staging).tags.set(GROUP_TAGS.image, image);
  await second;
  await staging.finish();
  const images = [...groupOf(staging).members.values()].map(({ instance }) => instance.imageId);
  expect(new Set(images)).toEqual(new Set(['ami-00000000000000003']));
  expect(staging.endings).toEqual(['completed', 'completed']);
  staging.invariants.assertFinished();
});

test('a notice put back in the midst of its roll loses nothing that the roll has noted', async () => {
  const staging = staged(undefined, {
    lambdaSeconds: 200,
    environment: { ANNOUNCE_MINUTES: '60', MAX_SURGE: '1' },
    expectations: { maxSurge: 1, endings: ['rolled-back'] },
  });
  await staging.invoke(SCHEDULED);
  const { tags } = groupOf(staging);
  const [announced, startedAt] = [GROUP_TAGS.announced, GROUP_TAGS.startedAt].map((key) => tags.get(key));
  staging.clock.advance(1200);
  await staging.invoke({ action: 'roll' });
  for (const [key, value] of [
    [GROUP_TAGS.announced, announced],
    [GROUP_TAGS.startedAt, startedAt],
  ] as const)
    if (value) tags.set(key, value);
  await staging.invoke({ action: 'continue' });
  await staging.roll({ action: 'rollback' });
  expect(staging.endings).toEqual(['rolled-back']);
});

test('a roll whose beginning somebody deletes gets another, and its hook is asked no more for that', async () => {
  const staging = staged(() => GO, { environment: { BEFORE_BATCH: HOOK, ON_TRIAL_PASSED: HOOK } });
  const rolling = staging.invoke();
  await tagFrom(staging, GROUP_TAGS.hook, '2026');
  groupOf(staging).tags.delete(GROUP_TAGS.startedAt);
  await rolling;
  await staging.finish();
  expect(staging.endings).toEqual(['completed']);
  expect(staging.asked.length).toBeLessThanOrEqual(5);
  staging.invariants.assertFinished();
});

describe("a hook's own words", () => {
  test.each([
    'none',
    'none of the reviewers has approved',
    '(as always) fine',
    'a (b) c',
    `slow${' '.repeat(300_000)}`,
    '('.repeat(50_000),
  ])('keep no roll from going on (case %#)', async (reason) => {
    const staging = staged((_, times) => ({ answer: times % 2 === 0 ? 'go' : 'hold', reason }), {
      environment: { BEFORE_BATCH: HOOK, ON_TRIAL_PASSED: HOOK },
    });
    await staging.invoke();
    await staging.finish();
    expect(staging.endings).toEqual(['completed']);
    expect(staging.asked).toHaveLength(8);
    expect(only(await staging.invoke()).state).toBe('up-to-date');
  });
});

describe('the recorded rollback of an earlier roll, put back in a later one,', () => {
  const OF_COURSE = [GROUP_TAGS.course, GROUP_TAGS.because];
  test.each<[string, (staging: Stage, recorded: ReadonlyMap<string, Tag>) => void]>([
    ['with its reason', (staging, recorded) => putBack(staging, recorded, OF_COURSE)],
    [
      'and its beginning',
      (staging, recorded) => putBack(staging, recorded, [...OF_COURSE, GROUP_TAGS.startedAt]),
    ],
    [
      'while the beginning of the later one is deleted',
      (staging, recorded) => {
        putBack(staging, recorded, OF_COURSE);
        groupOf(staging).tags.delete(GROUP_TAGS.startedAt);
      },
    ],
  ])('%s turns nothing back', async (_, forge) => {
    const { staging, said } = await inLaterRoll(forge);
    expect(staging.endings).toEqual(['rolled-back', 'completed']);
    expect(JSON.stringify(said)).toContain(GROUP_TAGS.course);
    staging.invariants.assertFinished();
  });

  test('and all else that was on it ends the later roll where it stands, for the next to finish', async () => {
    const { staging } = await inLaterRoll((played, recorded) =>
      putBack(played, recorded, [...recorded.keys()]),
    );
    expect(staging.endings).toEqual(['rolled-back', 'rolled-back']);
    staging.invariants.assertFinished();
    expect(only(await staging.invoke()).state).toBe('completed');
  });
});

test('the reason of an earlier rollback, put back, is none of the next', async () => {
  const staging = staged(undefined, { expectations: { endings: ['rolled-back', 'rolled-back'] } });
  const turned = async () => {
    const rolling = staging.invoke();
    await tagFrom(staging, GROUP_TAGS.canary, 'passed');
    const order = staging.invoke({ action: 'rollback' });
    const because = await tagFrom(staging, GROUP_TAGS.because, 'somebody');
    return { rolling: Promise.all([rolling, order]), because };
  };
  const first = await turned();
  await first.rolling;
  await staging.finish();
  staging.clock.advance(DAY_SECONDS);
  staging.world.release('amazon-linux-2023');
  const second = await turned();
  groupOf(staging).tags.set(GROUP_TAGS.because, first.because);
  const said = [...(await second.rolling).flatMap(groupsOf), ...(await staging.finish())];
  expect(said.map(({ because }) => because)).toContain('the tag with the reason is gone');
  staging.invariants.assertFinished();
});

test('two tags of a finished roll, put back once there is a newer image, pass no trial of that', async () => {
  const staging = staged(undefined, { expectations: { endings: ['completed', 'aborted', 'completed'] } });
  const first = staging.invoke();
  const passed = await tagFrom(staging, GROUP_TAGS.canary, 'passed');
  const cluster = groupOf(staging).tags.get(GROUP_TAGS.cluster);
  await first;
  await staging.finish();
  staging.clock.advance(DAY_SECONDS);
  staging.world.release('amazon-linux-2023');
  const forge = () => {
    groupOf(staging).tags.set(GROUP_TAGS.canary, passed);
    if (cluster) groupOf(staging).tags.set(GROUP_TAGS.cluster, { ...cluster });
  };
  forge();
  expect(only(await staging.invoke()).state).toBe('aborted');
  const second = staging.invoke();
  await tagFrom(staging, GROUP_TAGS.canary, 'pending');
  forge();
  await tagFrom(staging, GROUP_TAGS.canary, '2026');
  const runs = [...groupOf(staging).members.values()].map(({ instance }) => instance.imageId);
  expect(runs.filter((imageId) => imageId === 'ami-00000000000000003')).toHaveLength(1);
  await second;
  await staging.finish();
  expect(staging.endings).toEqual(['completed', 'aborted', 'completed']);
  staging.invariants.assertFinished();
});

test('a passed trial, put back once another image has taken the place of a withdrawn one, is none of that', async () => {
  const staging = staged();
  const first = staging.invoke();
  const passed = await tagFrom(staging, GROUP_TAGS.canary, 'passed');
  await staging.order({ action: 'pause' });
  await first;
  staging.world.setImageState('ami-00000000000000002', 'deregistered');
  const { id } = staging.world.release('amazon-linux-2023');
  await staging.order({ action: 'resume' });
  const second = staging.invoke();
  await tagFrom(staging, GROUP_TAGS.canary, 'pending');
  groupOf(staging).tags.set(GROUP_TAGS.canary, passed);
  await tagFrom(staging, GROUP_TAGS.canary, '2026');
  const runs = [...groupOf(staging).members.values()].map(({ instance }) => instance.imageId);
  expect(runs.filter((imageId) => imageId === id)).toHaveLength(1);
  await second;
  await staging.finish();
  staging.invariants.assertFinished();
});

/** A roll is rolled back; a later one is on trial as somebody forges what the first had recorded. */
async function inLaterRoll(forge: (staging: Stage, recorded: ReadonlyMap<string, Tag>) => void) {
  const staging = staged(undefined, { expectations: { endings: ['rolled-back', 'completed'] } });
  const first = staging.invoke();
  await tagFrom(staging, GROUP_TAGS.canary, 'passed');
  const order = staging.invoke({ action: 'rollback' });
  await tagFrom(staging, GROUP_TAGS.course, 'rollback');
  const recorded = new Map(groupOf(staging).tags);
  await Promise.all([first, order]);
  await staging.finish();
  staging.clock.advance(DAY_SECONDS);
  staging.world.release('amazon-linux-2023');
  const second = staging.invoke();
  await tagFrom(staging, GROUP_TAGS.canary, '2026');
  forge(staging, recorded);
  const said = [...groupsOf(await second), ...(await staging.finish())];
  return { staging, said };
}

type Tag = { value: string; propagatesAtLaunch: boolean };

function putBack(staging: Stage, recorded: ReadonlyMap<string, Tag>, keys: readonly string[]): void {
  for (const key of keys) {
    const tag = recorded.get(key);
    if (tag === undefined) throw new Error(`there was no ${key}`);
    groupOf(staging).tags.set(key, tag);
  }
}
