import { expect, test } from 'vitest';
import { only } from './outcomes.ts';
import { stage } from './stage.ts';

const OLD = { ageDays: 120 } as const;

const staged = (family: 'windows/2022-English-Core' | 'amazon-linux-2023', environment = {}) =>
  stage({
    environment,
    expectations: { targetImageId: 'ami-00000000000000003' },
    furnish: (world) => {
      world.addCluster('demo');
      world.release('windows/2022-English-Full', OLD);
      const image = world.release(family, OLD);
      world.addGroup({
        name: 'demo-ecs',
        cluster: 'demo',
        image,
        instances: 2,
        launchSpec: 'launch-template',
      });
      world.addService('demo', { name: 'web', desiredCount: 2 });
      world.release(family, { ageDays: 30 });
      world.release(family, { ageDays: 3 });
      world.setImageState(image.id, 'deregistered');
    },
  });

test('a group whose Windows image Amazon has made private is rolled onto the newest of its edition', async () => {
  const { invoke } = staged('windows/2022-English-Core');
  expect(only(await invoke())).toMatchObject({ state: 'completed', imageId: 'ami-00000000000000004' });
});

test('or onto the newest that is old enough', async () => {
  const { invoke, invariants } = staged('windows/2022-English-Core', { MIN_IMAGE_AGE_DAYS: '7' });
  expect(only(await invoke())).toMatchObject({ state: 'completed' });
  invariants.assertFinished();
});

test('the family of any other missing image stays unknown', async () => {
  const { invoke } = staged('amazon-linux-2023');
  expect(only(await invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringMatching(/no longer exists, whose ECS-optimized family can't be told/),
  });
});

test("instances that differ, such as one upgraded in place, don't tell the family either", async () => {
  const { invoke, world } = staged('windows/2022-English-Core');
  const [, second] = world.state.instances.values();
  if (second === undefined) throw new Error('there is no second instance');
  world.owner.putAttribute(second, 'ecs.os-family', 'WINDOWS_SERVER_2025_CORE');
  expect(only(await invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining("whose ECS-optimized family can't be told"),
  });
});
