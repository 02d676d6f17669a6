import { expect, test } from 'vitest';
import { testsFor } from '../sample/sampled.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { createRandom } from '../simulated-aws/world/random.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { KINDS } from './kinds.ts';
import { type Stage, stage } from './stage.ts';
import { BRISK } from './sweep.ts';

const SEEDS = Array.from({ length: Number(process.env.STORMS ?? 60) }, (_, index) => index + 1);

/** The weather: so many things happen at random in the first half hour of a roll. */
const EVENTS = 3;
const LASTS_SECONDS = 1800;

test.each(testsFor(SEEDS, 6))(
  'whatever else happens to a group, its roll ends well (seed %i)',
  async (seed) => {
    const random = createRandom(seed * 7919);
    const kind = KINDS[Math.floor(random() * KINDS.length)];
    if (kind === undefined) throw new Error('there are kinds');
    const { name, environment, expectations, furnish } = kind;
    const told = stage({
      ...BRISK,
      seed,
      lambdaSeconds: 900,
      environment: { ...BRISK.environment, ...environment },
      // What dies by itself leaves a group larger than its owner wants it, by so many at most.
      expectations: { ...expectations, surplus: EVENTS },
      furnish,
    });
    for (let event = 0; event < EVENTS; event++) {
      told.clock.schedule(random() * LASTS_SECONDS, () => strike(told.world, random));
    }
    try {
      await rollKilled(told, random);
      await told.finish(60);
      await told.invoke();
      await told.finish(60);
      told.invariants.assertFinished();
      expect(told.account.bugs).toEqual([]);
    } catch (error) {
      throw new Error(`${name}: ${String(error)}\n${told.log.join('\n')}`, { cause: error });
    }
  },
);

async function rollKilled({ invoke, clock }: Stage, random: () => number): Promise<void> {
  for (let kills = 0; kills < 3; kills++) {
    const kill = random() < 0.5 ? killBefore : killAfter;
    await invoke({ action: kills === 0 ? 'roll' : 'continue' }, [kill(Math.ceil(random() * 120))]);
    clock.advance(random() * 300);
  }
}

/** Something happens to one of the groups, as its owner, its policies or fate have it. */
function strike(world: World, random: () => number): void {
  const groups = [...world.state.groups.values()].filter(({ members }) => members.size > 0);
  const group = groups[Math.floor(random() * groups.length)];
  if (group === undefined) return;
  const serving = [...group.members.values()].filter(({ lifecycleState }) => lifecycleState === 'InService');
  const id = serving[Math.floor(random() * serving.length)]?.instance.id;
  const { minSize, maxSize, desiredCapacity } = group;
  // With fewer the services could not go on, and the roll would rightly be blocked.
  const isRoomy = desiredCapacity > Math.max(2, minSize);
  const events: (() => unknown)[] = [
    () => world.owner.scale(group.name, 1),
    () => isRoomy && world.owner.scale(group.name, -1),
    () => world.owner.setSizes(group.name, { maxSize: maxSize + 1, desiredCapacity: desiredCapacity + 1 }),
    () => isRoomy && world.owner.scheduledAction(group.name, { desiredCapacity: desiredCapacity - 1 }),
    () => id && world.faults.killInstance(id),
    () => id && world.faults.interruptSpot(id),
    () => id && world.faults.setUnhealthy(id),
  ];
  events[Math.floor(random() * events.length)]?.();
}
