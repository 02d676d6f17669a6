import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it, test } from 'vitest';
import type { GroupOptions } from '../group-builder.ts';
import { onDemandOf } from './purchase-options.ts';
import { setUp as setUpGroup } from './set-up.ts';

function setUp(base: number, percent: number, options: Partial<GroupOptions> = {}) {
  const distribution = { OnDemandBaseCapacity: base, OnDemandPercentageAboveBaseCapacity: percent };
  const scene = setUpGroup({ launchSpec: 'mixed-instances', maxSize: 20, distribution, ...options });
  const { world, clock, members, group, call } = scene;
  return {
    ...scene,
    options: () => members().map(({ instance }) => (instance.isSpot ? 'spot' : 'on-demand')),
    resize(desiredCapacity: number) {
      world.owner.setSizes('g', { desiredCapacity });
      clock.advance(600);
    },
    lifecycles: () =>
      call(DescribeInstancesCommand, { InstanceIds: [...group.members.keys()] }).Reservations?.flatMap(
        ({ Instances = [] }) => Instances.map(({ InstanceLifecycle }) => InstanceLifecycle),
      ),
  };
}

/** The table of https://docs.aws.amazon.com/autoscaling/ec2/userguide/mixed-instances-groups-set-up-overview.html */
test.each([
  [10, 50, [10, 15, 20, 25]],
  [0, 0, [0, 0, 0, 0]],
  [0, 60, [6, 12, 18, 24]],
  [0, 100, [10, 20, 30, 40]],
  [12, 0, [10, 12, 12, 12]],
])(
  'a base of %d and %d percent above it make the On-Demand capacities of the guide',
  (base, percent, all) => {
    const spec = setUp(base, percent).group.launchSpec;
    expect([10, 20, 30, 40].map((capacity) => onDemandOf(spec, capacity))).toEqual(all);
  },
);

describe('a group with On-Demand and Spot Instances', () => {
  it('launches the base first, then the share of what is above it, rounded up', () => {
    const { options, resize, lifecycles } = setUp(2, 50);
    resize(5);
    expect(options().sort()).toEqual(['on-demand', 'on-demand', 'on-demand', 'on-demand', 'spot']);
    expect(lifecycles()?.filter((each) => each === 'spot')).toHaveLength(1);
    resize(6);
    expect(options().filter((each) => each === 'spot')).toHaveLength(2);
  });

  it('ends what it has too many of as it gets smaller', () => {
    const { options, resize } = setUp(1, 50);
    resize(9);
    expect(options().filter((each) => each === 'spot')).toHaveLength(4);
    resize(3);
    expect(options().sort()).toEqual(['on-demand', 'on-demand', 'spot']);
    resize(1);
    expect(options()).toEqual(['on-demand']);
  });

  it('turns no Spot Instance into On-Demand once others are detached', () => {
    const { world, clock, options, members, resize } = setUp(4, 0);
    resize(4);
    const old = members().map(({ instance }) => instance.id);
    resize(8);
    for (const id of old) world.owner.detachInstance(id, { decrements: true });
    clock.advance(3600);
    expect(options()).toEqual(['spot', 'spot', 'spot', 'spot']);
  });

  it('counts in units where types have weights', () => {
    const overrides = [{ instanceType: 'm5.large', weight: 2 }];
    const { options, resize } = setUp(4, 0, { overrides });
    resize(8);
    expect(options().sort()).toEqual(['on-demand', 'on-demand', 'spot', 'spot']);
  });
});
