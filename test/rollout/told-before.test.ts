import { expect, test } from 'vitest';
import { EXCLUDE_TAG, INSTANCE_TAGS } from '../../lambda/contract.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupsOf, writes } from './outcomes.ts';
import { standardStage } from './stage.ts';

const FIRST = 'i-00000000000000001';

const staged = (furnish: (world: World) => void) => standardStage({}, { furnish });

function tagGroup({ state }: World, key: string, value: string) {
  state.groups.get('demo-ecs')?.tags.set(key, { value, propagatesAtLaunch: true });
}

const tagged = (count: number) => (world: World) => {
  for (let index = 0; index < count; index++)
    world.state.instances.get(FIRST)?.tags.set(`team-${index}`, 'x');
};

test('instances that are gone but still registered are counted, with what to do', async () => {
  const staging = staged((world) => {
    world.faults.dropAgent(FIRST);
    world.faults.killInstance(FIRST);
  });
  staging.clock.advance(600);
  const results = groupsOf(await staging.invoke({ action: 'plan' }));
  expect(results.find(({ group }) => group === '*')?.reason).toMatch(
    /^1 instance is gone but still registered \(i-0+1\); deregister it in the cluster/,
  );
  await staging.invoke();
  await staging.finish();
  staging.invariants.assertHeld();
});

test('an instance that ECS manages, hidden as by default, is not called gone while its agent is away', async () => {
  const staging = staged((world) => world.faults.dropAgent(world.addManagedInstance('demo').id));
  const results = groupsOf(await staging.invoke({ action: 'plan' }));
  expect(results.map(({ group }) => group)).toEqual(['demo-ecs']);
  await staging.roll();
});

test('an instance without room for our tags is reported before anything changes', async () => {
  const staging = staged(tagged(45));
  expect(groupsOf(await staging.invoke())).toMatchObject([
    {
      state: 'blocked',
      reason: expect.stringMatching(/^i-0+1 has more than 44 tags of the 50 that AWS allows/),
    },
  ]);
  expect(writes(staging.account.calls.log)).toEqual([]);
});

test('AWS does not count its own tags', async () => {
  const staging = staged(tagged(44));
  await staging.roll();
});

test('marks that a group would give to each new instance are named', async () => {
  const staging = staged((world) => tagGroup(world, INSTANCE_TAGS.terminate, 'true'));
  expect(groupsOf(await staging.invoke())).toMatchObject([
    {
      state: 'blocked',
      reason: expect.stringContaining('passes its tags ecs-ami-deploy-terminate on to each'),
    },
  ]);
  expect(writes(staging.account.calls.log)).toEqual([]);
});

test('a group that is left out, and gives that tag to its instances, says so', async () => {
  const staging = staged((world) => tagGroup(world, EXCLUDE_TAG, 'true'));
  expect(groupsOf(await staging.invoke({ action: 'plan' }))).toMatchObject([
    { state: 'skipped', reason: expect.stringContaining('each instance that it launches gets that tag too') },
  ]);
});
