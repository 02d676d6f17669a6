import { expect, test } from 'vitest';
import { groupOf } from '../rollout/happenings.ts';
import { stage } from '../rollout/stage.ts';
import { drawFrom } from './random.ts';
import { randomGroups } from './random-groups.ts';

test('a random group is raised if its settings say so, unless its warm pool would grow with it', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 100; seed++) {
    const { environment, expectations, furnish } = randomGroups(drawFrom(seed));
    const { warmPool } = groupOf(stage({ furnish }));
    const follows = warmPool !== undefined && warmPool.maxPrepared === undefined;
    const isRaised = environment?.RAISE_MAX_SIZE === 'true';
    expect({ seed, raises: expectations?.raisesMaxSize }).toEqual({ seed, raises: isRaised && !follows });
    seen.add(`${isRaised} ${follows}`);
  }
  expect(seen.size).toBe(4);
});
