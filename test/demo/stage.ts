import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUNDLE, DEFAULT_STATE_KEY } from '../../lambda/contract.ts';
import { surgeCount } from '../../lambda/core/group/surge.ts';
import { type Invariants, watchInvariants } from '../invariants/invariants.ts';
import { type SimulatedAccount, simulateAccount } from '../simulated-aws/account/account.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { type PacedClock, pacedClock } from '../simulated-aws/clock/paced-clock.ts';
import type { Endpoint } from '../simulated-aws/wire/listen.ts';
import { type Scenario, standardScenario } from '../simulated-aws/world/scenario.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';
import { type BadImage, expectedEnding, type RollOptions } from './options.ts';

/** `npm run build` makes it. */
export const BUNDLE_FILE = fileURLToPath(new URL(`../../${BUNDLE.folder}/index.js`, import.meta.url));

/** The same for all runs, as it shows in names. */
const BEGINS_AT = Date.parse('2026-11-23T03:00:00Z');

/** As with real lapses, no two are quite alike; the seed has it how. */
const JITTER_FRACTION = 0.2;

/** A cluster to roll, in an account on a local port, under the eyes of the invariants. */
export interface Stage {
  readonly clock: PacedClock;
  readonly world: World;
  readonly scenario: Scenario;
  readonly account: SimulatedAccount;
  readonly invariants: Invariants;
  readonly endpoint: Endpoint;
}

/**
 * @param settled called before time moves on
 * @throws Error when the bundle was not built
 */
export async function openStage(
  options: RollOptions,
  interceptor: Interceptor,
  settled: () => void,
): Promise<Stage> {
  if (!existsSync(BUNDLE_FILE)) throw new Error(`${BUNDLE_FILE} is missing: npm run build makes it`);
  const { instances, services, speed, seed, launchSpec, launchTemplateVersion: version } = options;
  // Whoever plays asks for what was logged by a clock on the wall.
  const clock = pacedClock(options.interactive ? Date.now() : BEGINS_AT, speed, settled);
  const release = clock.hold();
  const world = createWorld({
    clock,
    seed,
    delays: { jitterFraction: JITTER_FRACTION },
    hmacKeyAlias: DEFAULT_STATE_KEY,
  });
  const scenario = standardScenario({ world, instances, services, launchSpec, version });
  const account = simulateAccount({
    clock,
    operations: world.operations,
    seed,
    interceptors: [interceptor],
  });
  const { drainConcurrency, badImage, interactive } = options;
  if (badImage !== undefined) FLAWS[badImage].bringAbout(world, scenario);
  const invariants = watchInvariants(world, {
    maxSurge: mostDetached(options),
    drainConcurrency,
    endings: interactive ? ['completed', 'aborted', 'rolled-back'] : [expectedEnding(options)],
    // By force, whatever they run; and who plays may set a tag.
    ...(interactive && { isDue: () => true, ownersCall: true }),
  });
  const endpoint = await account.listen();
  release();
  return { clock, world, scenario, account, invariants, endpoint };
}

/** Each as a clause, too. */
export const FLAWS: Readonly<
  Record<BadImage, { readonly what: string; bringAbout(world: World, scenario: Scenario): void }>
> = {
  agent: {
    what: 'no ECS agent comes up on it',
    bringAbout: ({ faults }, { newImage }) => faults.spoilImage(newImage.id),
  },
  tasks: {
    what: 'tasks crash on it',
    bringAbout: ({ faults }, { newImage }) => faults.crashTasksOn({ imageId: newImage.id }),
  },
  launch: {
    what: 'launches of it fail',
    bringAbout: ({ faults }, { group, newImage }) =>
      faults.failLaunches(group.name, {
        message: `Client error on launch of ${newImage.id}`,
        imageId: newImage.id,
      }),
  },
};

function mostDetached({ surge, instances }: RollOptions): number {
  const value = Number.parseInt(surge, 10);
  return surge.endsWith('%')
    ? surgeCount({ kind: 'percent', percent: value }, instances)
    : surgeCount({ kind: 'count', count: value }, instances);
}
