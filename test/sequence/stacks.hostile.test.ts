import { CreateLaunchTemplateVersionCommand } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, PARTITIONS } from '../../lambda/contract.ts';
import type { Stage } from '../../lambda/core/sequence/model.ts';
import { allowanceIn, sortKeyOf, statusIn } from '../../lambda/sequence/items.ts';
import { sequenceOf, stageOf } from '../core/sequence/fleet.ts';
import type { Expectations } from '../invariants/invariants.ts';
import { IS_WHOLE } from '../sample/sampled.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { directCalls } from '../simulated-aws/world/direct-calls.ts';
import { LINE, type Stack, type StackOptions, Stacks } from './stacks.ts';

const [STAGING, PRODUCTION] = ['111111111111', '222222222222'] as const;
const PUBLIC = 'resolve:ssm:/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id';

/** Members go back, too, and are replaced for other reasons than an image. */
const BACK: Expectations = { isDue: () => true, endsMembers: true, inPlace: true };

function twoStages(production: Partial<StackOptions> = {}, staging: Partial<Stage> = {}) {
  const stacks = new Stacks(
    sequenceOf([
      stageOf('staging', STAGING, { soakHours: 2, ...staging }),
      stageOf('production', PRODUCTION, { soakHours: 1, maxConcurrent: 1, completeWithinHours: 30 }),
    ]),
  );
  const first = stacks.add({ account: STAGING, stack: 'web', expectations: BACK });
  const member = stacks.add({ account: PRODUCTION, stack: 'a', expectations: BACK, ...production });
  const other = stacks.add({ account: PRODUCTION, stack: 'b', expectations: BACK });
  return { stacks, first, member, other };
}

const withEnvironment = (environment: Readonly<Record<string, string>>) => ({ environment });

/** Its owner has the group launch the image. */
function launchByHand({ world }: Stack, name: string): void {
  const [template] = [...world.state.launchTemplates.values()];
  const image = [...world.state.images.values()].find((each) => each.name === name);
  directCalls(world)(CreateLaunchTemplateVersionCommand, {
    LaunchTemplateId: template?.id,
    SourceVersion: '$Latest',
    LaunchTemplateData: { ImageId: image?.id },
  });
}

describe('a member that cannot launch what it may takes nobody’s turn, and says so', () => {
  test.each<[string, Partial<StackOptions>, (member: Stack, newest: string) => void]>([
    ['as its parameter is ahead', { group: { imageReference: PUBLIC } }, () => {}],
    ['as its owner has launched a newer one', { version: '$Latest' }, launchByHand],
  ])('%s', async (_, options, meddle) => {
    const { stacks, member, other } = twoStages(options);
    await stacks.run(1);
    const [allowed, newest] = [member.newest(), stacks.publish()];
    meddle(member, newest);
    await stacks.run(3);
    expect(other.runs()).toEqual([allowed]);
    expect(stacks.viewOf('production')?.waitsFor).toContain(`finds no image ${allowed} that it would launch`);
    await stacks.run(36);
    for (const each of [member, other]) expect(each.runs()).toEqual([newest]);
  });
});

test('what its owner has a group launch before its stage replaces no member, whatever is replaced for', async () => {
  const DRIFT = 'image,launch-spec';
  const { stacks, member } = twoStages({ version: '$Latest', environment: { DRIFT } });
  const old = member.runs();
  await stacks.run(1);
  launchByHand(member, stacks.publish());
  await stacks.run(1);
  await stacks.clock.drive(stacks.invoke(member, { action: 'roll', force: true }));
  expect(member.runs()).toEqual(old);
});

test('roll --force replaces by what the sequence allows, and no more', async () => {
  const { stacks, member } = twoStages();
  const old = member.runs();
  await stacks.run(0.5);
  await stacks.clock.drive(stacks.invoke(member, { action: 'roll', force: true }));
  expect(member.results[0]).toMatchObject({ state: 'completed', instances: { replaced: 2 } });
  expect(member.runs()).toEqual(old);
});

describe('an announced roll', () => {
  test('begins nothing that is halted meanwhile, and is announced anew', async () => {
    const { stacks, first, member } = twoStages(withEnvironment({ ANNOUNCE_MINUTES: '120' }));
    const [release, old] = [first.newest(), member.runs()];
    await stacks.run(3);
    expect(stacks.viewOf('production')?.waitsFor).toContain(`${member.key} has announced that it begins at `);
    await stacks.order({ kind: 'halt', release });
    await stacks.run(4);
    expect(member.runs()).toEqual(old);
    await stacks.order({ kind: 'resume', release });
    await stacks.run(1);
    expect(member.runs()).toEqual(old);
    await stacks.run(2);
    expect(member.runs()).toEqual([release]);
  });

  test('may be announced for longer than its window is open', async () => {
    const environment = { ANNOUNCE_MINUTES: '120', WINDOWS: '0 12 * * * 1h UTC' };
    const { stacks, member } = twoStages(withEnvironment(environment));
    await stacks.run(14);
    expect(member.runs()).toEqual([member.newest()]);
  });
});

test.each(['rollback', 'abort'])('a roll on which somebody orders %s has not failed', async (action) => {
  const { stacks } = twoStages();
  const more = { account: STAGING, expectations: BACK, lambdaSeconds: 200 };
  const member = stacks.add({ ...more, stack: 'slow', environment: { MAX_SURGE: '1' } });
  while (!stacks.begun.some(({ key }) => key === member.key)) await stacks.run(0.1);
  await stacks.clock.drive(stacks.invoke(member, { action }));
  await stacks.run(2);
  expect(stacks.log.join('\n')).toMatch(
    /slow: finish: the roll was (?:rolled back|aborted) \(somebody asked/,
  );
  expect(stacks.log.join('\n')).not.toContain('ReleaseHalted');
  expect(stacks.viewOf('staging')?.waitsFor).toContain('is not tried again');
});

test('a group is rolled whose image is gone, or that comes back from nothing', async () => {
  const { stacks, member, other } = twoStages();
  await stacks.run(0.5);
  member.world.owner.deregisterImage(member.scenario.oldImage.id);
  other.world.owner.setDesiredCount('demo', 'web', 0);
  other.world.owner.setSizes('demo-ecs', { desiredCapacity: 0, minSize: 0 });
  await stacks.run(4);
  expect(member.runs()).toEqual([member.newest()]);
  other.world.owner.setSizes('demo-ecs', { desiredCapacity: 2 });
  other.world.owner.setDesiredCount('demo', 'web', 2);
  await stacks.run(2);
  expect(other.runs()).toEqual([other.newest()]);
  expect(new Set(stacks.last?.views.map(({ line }) => line))).toEqual(new Set([LINE]));
});

/** What must hold whenever a roll begins: it is the only one of its stage, and hasn't been given back. */
function watchBeginnings(stacks: Stacks): string[] {
  const breaches: string[] = [];
  const rolling = new Set<string>();
  const [table] = [...stacks.hub.state.tables.values()];
  const itemOf = (pk: string, { name }: Stack) => {
    const item = table?.items.get(pk)?.get(sortKeyOf(name));
    const [version, body] = [Number(item?.version?.N), item?.body?.S ?? ''];
    return item && { pk, sk: sortKeyOf(name), version, body };
  };
  for (const stack of stacks.stacks)
    stack.world.subscribe((event) => {
      if (event.kind !== 'called' || !event.operation.endsWith('Tags')) return;
      const isRolling = [...stack.world.state.groups.values()].some(({ tags }) => tags.has(GROUP_TAGS.image));
      if (!isRolling) rolling.delete(stack.key);
      if (!isRolling || rolling.has(stack.key)) return;
      rolling.add(stack.key);
      const together = [...rolling].filter((key) => key.startsWith(stack.name.account));
      if (together.length > 1) breaches.push(`${together.join(' and ')} roll at once`);
      const { account } = stack.name;
      const [allowed, said] = [
        itemOf(PARTITIONS.allowed(account), stack),
        itemOf(PARTITIONS.status(account), stack),
      ];
      if (allowed === undefined || said === undefined) breaches.push(`${stack.key} begins unasked`);
      else if (
        statusIn(said).generation >= allowed.version &&
        allowanceIn(allowed).lines.get(LINE) === undefined
      )
        breaches.push(`${stack.key} begins what it has given back`);
    });
  return breaches;
}

/** In a whole run, a sweep of many: minutes. */
const CALLS = IS_WHOLE ? Array.from({ length: 8 }, (_, index) => 3 + 11 * index) : [9, 40];

test.each([1, 2])(
  'members killed at any call, %i at once, hold their slots and give back what they may not',
  async (atOnce) => {
    for (const kill of [killBefore, killAfter])
      for (const call of CALLS) {
        const { stacks, first, member, other } = twoStages(
          {},
          { maxConcurrent: 1, tolerate: 1, soakHours: 1 },
        );
        const second = stacks.add({ account: STAGING, stack: 'x', expectations: BACK });
        const all = [first, second, member, other];
        for (const each of all) {
          each.atOnce = atOnce;
          each.interceptors = [kill(call)];
        }
        const breaches = watchBeginnings(stacks);
        const release = first.newest();
        let looks = 0;
        await stacks.run(6, async () => {
          looks++;
          if (looks === 3) await stacks.order({ kind: 'halt' });
          if (looks === 6) await stacks.order({ kind: 'resume', release });
          if (looks === 9) for (const each of all) each.interceptors = [];
        });
        expect(breaches, `${kill.name}(${call})`).toEqual([]);
        expect([call, ...all.map((each) => each.runs())]).toEqual([call, ...all.map(() => [release])]);
      }
  },
  400_000,
);
