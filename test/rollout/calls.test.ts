import { describe, expect, test } from 'vitest';
import { groupsOf } from './outcomes.ts';
import { stage } from './stage.ts';

/** What the first invocation of a process calls when so many groups of a cluster run the latest image. */
async function callsFor(count: number): Promise<string[]> {
  const { invoke, account } = stage({
    shortcut: true,
    furnish: (world) => {
      const image = world.release('amazon-linux-2023', { ageDays: 3 });
      world.addCluster('demo');
      for (let index = 0; index < count; index++)
        world.addGroup({
          name: `g-${index}`,
          cluster: 'demo',
          image,
          instances: 2,
          launchSpec: 'launch-template',
        });
      world.addService('demo', { name: 'web', desiredCount: 2 });
    },
  });
  const groups = groupsOf(await invoke());
  expect(groups.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'up-to-date'));
  return account.calls.log.map(({ operation }) => operation);
}

describe('when nothing is to do', () => {
  test('one group costs as many calls as it takes to find it, and to know what it should run', async () => {
    expect(await callsFor(1)).toEqual([
      // Two for the seals' key, once per process.
      'GenerateMac',
      'GenerateMac',
      'DescribeAutoScalingGroups',
      'DescribeInstances',
      'ListContainerInstances',
      'DescribeContainerInstances',
      'DescribeInstances',
      'DescribeClusters',
      'DescribeAutoScalingGroups',
      'DescribeInstances',
      'DescribeImages',
      'DescribeLaunchTemplateVersions',
      'GetParameters',
      'DescribeInstanceTypes',
    ]);
  });

  test('ten groups cost hardly more', async () => {
    const calls = await callsFor(10);
    const templates = calls.filter((each) => each === 'DescribeLaunchTemplateVersions');
    expect(templates).toHaveLength(10);
    expect(calls).toHaveLength(14 + 9);
  });
});
