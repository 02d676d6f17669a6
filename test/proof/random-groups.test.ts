import { expect, test } from 'vitest';
import { stage } from '../rollout/stage.ts';
import { mayRaise } from '../simulated-aws/invariants/expectations.ts';
import { drawFrom } from './random.ts';
import { randomGroups } from './random-groups.ts';

test('a random group is raised if its settings say so, unless its warm pool would grow with it', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 100; seed++) {
    const { environment, expectations = {}, furnish } = randomGroups(drawFrom(seed));
    const { world } = stage({ furnish });
    const isRaised = environment?.RAISE_MAX_SIZE === 'true';
    for (const group of world.state.groups.values()) {
      const { warmPool } = group;
      const follows = warmPool !== undefined && warmPool.maxPrepared === undefined;
      const raises = mayRaise({ expectations }, group);
      expect({ seed, group: group.name, raises }).toEqual({
        seed,
        group: group.name,
        raises: isRaised && !follows,
      });
      seen.add(`${isRaised} ${follows}`);
    }
  }
  expect(seen.size).toBe(4);
});
