import { simulateAccount } from '../simulated-aws/account/account.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { OF_ANYBODY } from '../simulated-aws/invariants/anybody.ts';
import {
  type Expectations,
  type Invariants,
  watchInvariants,
} from '../simulated-aws/invariants/invariants.ts';
import { type ScenarioOptions, standardScenario } from '../simulated-aws/world/scenario.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';
import { newestImageId } from './look.ts';
import { clientsWith, type Job, type Roller } from './roller.ts';

const START = Date.parse('2026-11-21T00:00:00Z');

/** What is still in progress when a roller ends has finished by then. */
const AFTERWARDS_SECONDS = 600;

export interface Judged {
  readonly world: World;
  readonly invariants: Invariants;
  /** What the roller gave up with, if it did. */
  readonly error: unknown;
  /** Simulated, until the roller ended. */
  readonly seconds: number;
  readonly calls: number;
}

/** Has somebody's program roll the standard cluster in virtual time, by what is asked of anybody's. */
export async function judge(
  roller: Roller,
  scenario: Partial<Omit<ScenarioOptions, 'world'>> = {},
  expectations: Expectations = OF_ANYBODY,
): Promise<Judged> {
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed: 1 });
  standardScenario({ world, services: 3, ...scenario });
  const account = simulateAccount({ clock, operations: world.operations });
  const invariants = watchInvariants(world, expectations);
  const job: Job = { ...clientsWith(account.clientOptions), cluster: 'demo', sleep: clock.sleep };
  // The first client of a process reads its configuration from files, in real time, from which virtual time
  // would run away.
  await newestImageId(job);
  const error = await clock.drive(roller.roll(job)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const seconds = (clock.now() - START) / 1000;
  clock.advance(AFTERWARDS_SECONDS);
  invariants.checkFinished();
  return { world, invariants, error, seconds, calls: account.calls.log.length };
}
