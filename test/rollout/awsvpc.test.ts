import { describe, expect, test } from 'vitest';
import { READINGS, type Readings } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { keepInvoking, serviceOf, taskOf, told } from './happenings.ts';
import { only } from './outcomes.ts';
import { type StageOptions, stage } from './stage.ts';

const IN_A = 'subnet-0000000000000000a';
const IN_B = 'subnet-0000000000000000b';

interface Setting {
  readonly awsvpcHosts?: Readings['awsvpcHosts'];
  readonly minimumHealthyPercent?: number;
  /** Default: none. */
  readonly subnetIds?: readonly string[];
  readonly controller?: 'EXTERNAL';
  readonly environment?: StageOptions['environment'];
  /** Default: the subnet in zone a has no address left, so that replacements come up in zone b. */
  readonly furnish?: (world: World) => void;
}

/** Two instances, in zones a and b; the one in zone a has the only task of a service. */
function staged({ awsvpcHosts = 'in-zones', furnish, environment, ...tied }: Setting) {
  return stage({
    shortcut: true,
    environment,
    furnish(world) {
      world.state.readings.awsvpcHosts = awsvpcHosts;
      world.addCluster('demo');
      const image = world.release('amazon-linux-2023', { ageDays: 40 });
      world.addGroup({
        name: 'demo-ecs',
        cluster: 'demo',
        image,
        instances: 2,
        zones: ['a', 'b'],
        maxSize: 8,
      });
      world.addService('demo', { name: 'tied', desiredCount: 1, ...tied });
      world.release('amazon-linux-2023', { ageDays: 3 });
      if (furnish) furnish(world);
      else world.faults.setFreeAddresses(IN_A, 0);
    },
  });
}

const tiedTask = (world: World) => taskOf(world, 'tied');
const zoneOfTask = (world: World) => tiedTask(world).containerInstance.instance.availabilityZone;
const asked = ({ account }: ReturnType<typeof staged>) =>
  account.calls.log.filter(({ operation }) => operation === 'DescribeSubnets').length;

const SAID =
  /^i-\w+ is not drained, as tasks would find no other place: service tied needs an instance in eu-central-1a, where its subnets are, but i-\w+ has Availability Zone eu-central-1b; .+ a zone by launching one there/;

describe.each(READINGS.awsvpcHosts)(
  'where tasks with network interfaces of their own run %s',
  (awsvpcHosts) => {
    test.each([
      [100, undefined],
      [0, undefined],
      [0, 'EXTERNAL'],
    ] as const)(
      'those in the zone of their subnets stay if replacements come up elsewhere, at a minimum of %d and controller %s',
      async (minimumHealthyPercent, controller) => {
        const staging = staged({ awsvpcHosts, minimumHealthyPercent, subnetIds: [IN_A], controller });
        const { world } = staging;
        const before = tiedTask(world);
        const [said] = await keepInvoking(staging, 60);
        expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(SAID) });
        expect(tiedTask(world)).toBe(before);
        world.faults.setFreeAddresses(IN_A, 10);
        world.owner.setSizes('demo-ecs', { desiredCapacity: 3 });
        await staging.finish();
        expect(zoneOfTask(world)).toBe('eu-central-1a');
        expect(serviceOf(world, 'tied').healthyCount).toBe(1);
        staging.invariants.assertFinished();
      },
    );

    test('those with a subnet where replacements are move there', async () => {
      const staging = staged({ awsvpcHosts, subnetIds: [IN_A, IN_B] });
      await staging.roll();
      expect(zoneOfTask(staging.world)).toBe('eu-central-1b');
    });

    test('nothing is changed if the group launches in other zones alone', async () => {
      const furnish = (world: World) => world.owner.setZones('demo-ecs', 'b');
      const staging = staged({ awsvpcHosts, subnetIds: [IN_A], furnish });
      expect(only(await staging.invoke())).toMatchObject({
        state: 'blocked',
        code: 'service-fits-nowhere',
        reason: expect.stringContaining(
          'service tied needs an instance in eu-central-1a, where its subnets are, but what will stay or be launched has ' +
            'Availability Zone eu-central-1b: change that constraint, or those subnets',
        ),
      });
      expect(staging.world.state.instances.size).toBe(2);
      staging.invariants.assertHeld();
    });
  },
);

test('without a surge, a service with one instance in its zones is reported before anything changes', async () => {
  const staging = staged({ subnetIds: [IN_A], environment: { MAX_SURGE: '0' } });
  expect(only(await staging.invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining(
      'service tied can run on one instance alone, and without a surge on none while that drains; set MAX_SURGE to 1 or more',
    ),
  });
  expect(told(staging, / {3}tag /)).toEqual([]);
  staging.invariants.assertHeld();
});

/**
 * "EC2 launch type to Fargate capacity provider": whether the service itself tells of that isn't said.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/capacity-launch-type-comparison.html
 */
test.each(READINGS.strategyOfMoved)(
  'a service that moved to Fargate needs no instance in the zones of its subnets, its strategy %s',
  async (strategyOfMoved) => {
    const moved = { launchType: 'FARGATE', capacityProvider: 'FARGATE', createdWith: 'EC2' } as const;
    const staging = staged({
      subnetIds: [IN_B],
      furnish(world) {
        world.state.readings.strategyOfMoved = strategyOfMoved;
        world.addService('demo', { name: 'moved', desiredCount: 2, subnetIds: [IN_A], ...moved });
        world.owner.setZones('demo-ecs', 'b');
      },
    });
    await staging.roll();
    expect(staging.endings).toEqual(['completed']);
  },
);

test('a subnet that EC2 does not know holds nothing up, and is no need to warn of', async () => {
  const staging = staged({ subnetIds: [IN_A, 'subnet-000000000000000ff'] });
  const host = tiedTask(staging.world).containerInstance.instance.id;
  const { warnings = [] } = only(await staging.invoke({ action: 'plan' }));
  expect(warnings.join()).not.toContain("which can't be compared");
  await keepInvoking(staging, 10);
  expect(told(staging, new RegExp(` {3}drain ${host}$`))).not.toEqual([]);
  staging.invariants.assertHeld();
});

test('zones are asked for once an invocation, beside free addresses, and only if a service has subnets', async () => {
  const counts = [];
  for (const subnetIds of [undefined, [IN_A, IN_B]]) {
    const staging = staged({ ...(subnetIds && { subnetIds }), furnish: () => {} });
    expect(only(await staging.invoke())).toMatchObject({ state: 'completed' });
    counts.push(asked(staging));
  }
  expect(counts).toEqual([1, 2]);
});
