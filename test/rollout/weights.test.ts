import { expect, test } from 'vitest';
import { kindNamed } from './kinds.ts';
import { stage } from './stage.ts';

const KIND = kindNamed('target group and weights');

/** Another reading than the kind is rolled by: AWS says "by the number of instances detached". */
test.each([
  ['members are detached', {}],
  ['their group ends members', { TERMINATE_HOOKS: 'run' }],
] as const)(
  'sizes that AWS lowers by instances, not by weight, are as they were after a roll: %s',
  async (...scene) => {
    const [, more] = scene;
    const { furnish, environment, expectations } = KIND;
    const { world, roll } = stage({
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
    await roll();
    expect(group).toMatchObject({ desiredCapacity, maxSize, minSize });
  },
);

test.each([1, 2])(
  'sizes that AWS lowers by instances are as they were, though it describes them as before for a while (seed %d)',
  async (seed) => {
    const { furnish, environment, expectations } = KIND;
    const { world, roll } = stage({
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
    await roll();
    expect(group).toMatchObject({ desiredCapacity, maxSize, minSize });
  },
);
