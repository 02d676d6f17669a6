import { describe, expect, test } from 'vitest';
import { EXCLUDE_TAG } from '../../lambda/contract.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { KINDS } from './kinds.ts';
import { stage } from './stage.ts';
import { BRISK } from './sweep.ts';

/** One kind of each way to replace members. */
const STRATEGIES = KINDS.filter(({ name }) =>
  ['launch configuration', 'target group, within the maximum', 'no surge'].includes(name),
);

const WHICH = {
  'the oldest': (ids: readonly string[]) => ids.slice(0, 1),
  'the newest': (ids: readonly string[]) => ids.slice(-1),
  all: (ids: readonly string[]) => ids,
} as const;

const MINUTES = [0.25, 0.5, 1.5, 3];

const rows = STRATEGIES.flatMap((kind) =>
  Object.entries(WHICH).flatMap(([which, choose]) =>
    MINUTES.map((minutes) => ({ kind, name: kind.name, which, choose, minutes })),
  ),
);

const alive = ({ state }: World) =>
  [...state.instances.values()].filter(({ state }) => state === 'running' || state === 'pending');

describe('instances that are left out in the middle of a roll, and let in again', () => {
  test.each(rows)('$name: $which, after $minutes minutes', async ({ kind, choose, minutes }) => {
    const { world, clock, invoke, finish, invariants, account, roll } = stage({
      ...BRISK,
      ...kind,
      lambdaSeconds: 900,
      environment: { ...BRISK.environment, ...kind.environment },
    });
    clock.schedule(minutes * 60, () => {
      const left = choose(alive(world).map(({ id }) => id)).flatMap(
        (id) => world.state.instances.get(id) ?? [],
      );
      for (const { tags } of left) tags.set(EXCLUDE_TAG, 'true');
      clock.schedule(1200, () => {
        for (const { tags } of left) tags.delete(EXCLUDE_TAG);
      });
    });
    await invoke();
    await finish();
    clock.advance(1200);
    await roll();
    expect(invariants.metrics().instancesReplaced).toBe(kind.replaces);
    expect(account.bugs).toEqual([]);
  });
});
