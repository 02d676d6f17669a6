import { describe, expect, test } from 'vitest';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { oldest, oneGroup, told } from './happenings.ts';
import { afterCall, groupsOf, only } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

/**
 * EC2 describes no instances of a disrupted zone, and none by filters:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html
 */
function staged(options: Partial<StageOptions> = {}, behind = false): Stage {
  return stage({
    shortcut: true,
    ...options,
    furnish(world) {
      const targetGroupArns = behind ? [world.addTargetGroup({ name: 'web' }).arn] : [];
      oneGroup(world, { tasks: 4, version: '1', maxSize: 20, zones: ['a', 'b'], targetGroupArns });
      options.furnish?.(world);
    },
  });
}

const inZone = ({ state }: World, zone: 'a' | 'b') =>
  [...state.instances.values()].filter((each) => each.availabilityZone === `eu-central-1${zone}`);

/** The ids that calls that change something name. */
function changed({ account }: Stage, since: number): string[] {
  const writes = account.calls.log.filter(
    ({ operation, time }) => time >= since && !/^(Describe|List|Get|GenerateMac)/.test(operation),
  );
  return writes.flatMap(({ input }) => JSON.stringify(input).match(/i-[\da-f]{17}/g) ?? []);
}

const SURGES: readonly Readonly<Record<string, string>>[] = [{}, { MAX_SURGE: '0' }, { MAX_SURGE: '2' }];

describe.each(SURGES)('a zone that is disrupted, with %j', (environment) => {
  test.each([1, 20, 90, 200, 400])(
    'from %i s on leaves its instances as they are, and the others go on',
    async (at) => {
      const staging = staged({ environment });
      const { account, world, clock, invoke, finish, invariants } = staging;
      const rolling = invoke();
      await clock.drive(clock.sleep(at));
      const since = clock.now();
      const lost = inZone(world, 'b').map(({ id }) => id);
      // One at a time: as long as nobody knows whether it has ended, no other drains in place.
      const isHeld = inZone(world, 'b').some((each) => each.containerInstance?.status === 'DRAINING');
      world.faults.setZoneDisrupted('b', true);
      const said = [only(await rolling)];
      for (let count = 0; count < 4; count++) {
        clock.advance(300);
        said.push(...groupsOf(await invoke({ action: 'continue' })));
      }
      const isDone = said.every(({ state }) => state === 'completed');
      expect(said.filter(({ state }) => state === 'failed' || state === 'blocked')).toEqual([]);
      const duringOutage = changed(staging, since + 20_000).filter((id) => lost.includes(id));
      expect(duringOutage).toEqual([]);
      if (!isDone) expect(said.at(-1)).toMatchObject({ state: 'in-progress', code: 'instances-unknown' });
      const target = [...world.state.images.keys()].at(-1);
      const others = inZone(world, 'a').filter((each) => each.state === 'running' && !isHeld);
      expect(others.filter(({ imageId }) => imageId !== target)).toEqual([]);
      const resumed = account.calls.log.filter(
        ({ operation, time }) => operation === 'ResumeProcesses' && time > since && time < clock.now(),
      );
      if (isHeld && environment.MAX_SURGE === '0') expect(resumed).toEqual([]);
      world.faults.setZoneDisrupted('b', false);
      await finish();
      invariants.assertFinished();
      expect(invariants.metrics().instancesReplaced).toBe(4);
    },
  );
});

describe.each<{ environment: Readonly<Record<string, string>>; maxSurge: number; detached?: number }>([
  { environment: { CANARY: '0', MAX_SURGE: '1' }, maxSurge: 1, detached: 1 },
  { environment: { CANARY: '1', MAX_SURGE: '2' }, maxSurge: 2, detached: 1 },
  { environment: { CANARY: '0', MAX_SURGE: '2' }, maxSurge: 2 },
])('what was detached in the zone that is disrupted, with %j', ({ environment, maxSurge, detached }) => {
  test.each([false, true])(
    'takes up surge until EC2 answers for it; behind a target group: %s',
    async (behind) => {
      const staging = staged({ environment, expectations: { maxSurge } }, behind);
      const { world, clock, invoke, finish, invariants, account } = staging;
      const left = () => {
        const calls = account.calls.log.filter(({ operation }) => operation === 'DetachInstances');
        return calls.flatMap(({ input }) => JSON.stringify(input).match(/i-[\da-f]{17}/g) ?? []);
      };
      const disrupted = afterCall('DetachInstances', () => {
        const isIn = (zone: 'a' | 'b') => inZone(world, zone).some(({ id }) => id === left()[0]);
        world.faults.setZoneDisrupted(isIn('a') ? 'a' : 'b', true);
      });
      await invoke({ action: 'roll' }, [disrupted]);
      for (let count = 0; count < 4; count++) {
        clock.advance(300);
        await invoke({ action: 'continue' });
      }
      if (detached !== undefined) expect(left()).toHaveLength(detached);
      invariants.assertHeld();
      for (const zone of ['a', 'b'] as const) world.faults.setZoneDisrupted(zone, false);
      await finish();
      invariants.assertFinished();
    },
  );
});

test('a roll that is killed goes on in a disruption', async () => {
  for (const call of [30, 45, 60, 75, 90, 105]) {
    const staging = staged();
    const { world, clock, invoke, invariants, roll } = staging;
    await invoke({ action: 'roll' }, [killAfter(call)]);
    world.faults.setZoneDisrupted('b', true);
    for (let count = 0; count < 4; count++) {
      await invoke({ action: 'continue' });
      clock.advance(300);
    }
    invariants.assertHeld();
    world.faults.setZoneDisrupted('b', false);
    await roll();
    expect(told(staging, /failed:/)).toEqual([]);
  }
});

test('no roll begins, and none is done, while nobody knows what members run', async () => {
  const { world, invoke, invariants, account } = staged();
  world.faults.setZoneDisrupted('b', true);
  for (const action of ['plan', 'roll'])
    expect(only(await invoke({ action }))).toMatchObject({
      state: 'blocked',
      code: 'instances-unknown',
      reason: expect.stringMatching(
        /^EC2 doesn't answer for i-\w+, i-\w+ in eu-central-1b, as a zone is disrupted: left as they are/,
      ),
    });
  expect(account.calls.counts['autoscaling.CreateOrUpdateTags']).toBeUndefined();
  world.faults.setZoneDisrupted('b', false);
  await invoke();
  invariants.assertFinished();
  world.faults.setZoneDisrupted('b', true);
  expect(only(await invoke())).toMatchObject({ state: 'blocked', code: 'instances-unknown' });
});

test('groups in other zones are rolled from beginning to end', async () => {
  const staging = staged({
    furnish(world) {
      world.addGroup({ name: 'other', cluster: 'demo', image: oldest(world), instances: 2, zones: ['a'] });
    },
  });
  const { world, invoke, roll } = staging;
  world.faults.setZoneDisrupted('b', true);
  const said = groupsOf(await invoke());
  expect(said).toMatchObject([
    { group: 'demo-ecs', code: 'instances-unknown' },
    { group: 'other', state: 'in-progress', code: 'instances-unknown' },
  ]);
  world.faults.setZoneDisrupted('b', false);
  await roll();
});

test('EC2 that answers for no zone fails the group, and the next invocation goes on', async () => {
  const { world, invoke, roll } = staged();
  for (const zone of ['a', 'b'] as const) world.faults.setZoneDisrupted(zone, true);
  expect(only(await invoke())).toMatchObject({ state: 'failed', reason: /An internal error/ });
  for (const zone of ['a', 'b'] as const) world.faults.setZoneDisrupted(zone, false);
  await roll();
});
