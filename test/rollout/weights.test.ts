import { expect, test } from 'vitest';
import { KINDS } from './kinds.ts';
import { stage } from './stage.ts';

const KIND = KINDS.find(({ name }) => name === 'target group and weights');

/** Another reading than the kind is rolled by: AWS says "by the number of instances detached". */
test.each([
  ['members are detached', {}],
  ['their group ends members', { TERMINATE_HOOKS: 'run' }],
] as const)(
  'sizes that AWS lowers by instances, not by weight, are as they were after a roll: %s',
  async (...scene) => {
    const [, more] = scene;
    if (KIND === undefined) throw new Error('no such kind');
    const { furnish, environment, expectations } = KIND;
    const { invoke, finish, invariants, world } = stage({
      shortcut: true,
      lambdaSeconds: 10_000,
      environment: { ...environment, ...more },
      expectations: {
        ...expectations,
        // What AWS itself launches beyond what was asked for leaves as old members do.
        surplus: 3,
        ...('TERMINATE_HOOKS' in more && { endsMembers: true }),
      },
      furnish(world) {
        furnish(world);
        world.state.readings.decrementBy = 'instances';
      },
    });
    const group = world.state.groups.get('demo-ecs');
    const { desiredCapacity, maxSize, minSize } = group ?? {};
    await invoke({ action: 'roll' });
    await finish();
    expect(group).toMatchObject({ desiredCapacity, maxSize, minSize });
    invariants.assertFinished();
  },
);

test.each([1, 2])(
  'sizes that AWS lowers by instances are as they were, though it describes them as before for a while (seed %d)',
  async (seed) => {
    if (KIND === undefined) throw new Error('no such kind');
    const { furnish, environment, expectations } = KIND;
    const { invoke, finish, invariants, world } = stage({
      shortcut: true,
      lambdaSeconds: 10_000,
      seed,
      environment: { ...environment },
      expectations: { ...expectations, surplus: 3 },
      account: { lag: { seconds: 20, share: 1, seed } },
      furnish(at) {
        furnish(at);
        at.state.readings.decrementBy = 'instances';
      },
    });
    const group = world.state.groups.get('demo-ecs');
    const { desiredCapacity, maxSize, minSize } = group ?? {};
    await invoke({ action: 'roll' });
    await finish();
    expect(group).toMatchObject({ desiredCapacity, maxSize, minSize });
    invariants.assertFinished();
  },
);
