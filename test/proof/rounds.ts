import type { Stage } from '../rollout/stage.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import type { Draw } from './random.ts';
import type { Weather } from './weather.ts';

export interface Rounds {
  readonly storm: Stage;
  readonly weathers: ReadonlySet<Weather>;
  /** The function's own settings, which its owner may change between two invocations. */
  readonly environment: Record<string, string>;
  readonly draw: Draw;
  readonly count: (weather: Weather) => void;
}

/** An undisturbed invocation makes about twice as many calls. */
const MOST_CALLS_BEFORE_KILL = 120;

/**
 * The first invocations of a roll: some killed, some concurrent, with settings that change in between.
 *
 * @returns whether a `resume` failed, so that it must be given again
 */
export async function invokeInWeather(rounds: Rounds): Promise<boolean> {
  const { storm, weathers, draw } = rounds;
  const most = weathers.has('kills') ? draw.whole(2, 4) : 2;
  let resumeFailed = false;
  for (let round = 0; round < most; round++) {
    if (round > 0 && weathers.has('changed settings')) changeSettings(rounds);
    await invokeOnce(rounds, round === 0 || draw.chance(0.3) ? 'roll' : 'continue');
    storm.clock.advance(draw.between(0, 300));
    if (weathers.has('orders')) resumeFailed = (await order(rounds)) || resumeFailed;
  }
  return resumeFailed;
}

/**
 * Somebody changes their plans; a roll that they pause they resume again.
 *
 * @returns whether that failed
 */
async function order({ storm, weathers, draw, count }: Rounds): Promise<boolean> {
  // Aborted onto an image that fails, a roll rightly stays blocked until somebody takes it back.
  const isBad = weathers.has('images that fail');
  const actions = ['pause', isBad ? 'rollback' : 'abort', 'rollback'] as const;
  const action = draw.oneOf(actions) ?? 'pause';
  count('orders');
  storm.tell('invoked', action);
  await storm.invoke({ action });
  if (action !== 'pause') return false;
  storm.clock.advance(draw.between(0, 900));
  return resume(storm);
}

/** @returns whether it failed */
async function resume(storm: Stage): Promise<boolean> {
  storm.tell('invoked', 'resume');
  const outcome = await storm.invoke({ action: 'resume' });
  return outcome.kind === 'answered' && outcome.groups.some(({ state }) => state === 'failed');
}

/** How often somebody repeats what failed, ten minutes apart. */
const MOST_AGAIN = 6;

/** Somebody who was told that no group has heard it repeats it until one has. */
export async function resumeAgain(storm: Stage): Promise<void> {
  for (let count = 0; count < MOST_AGAIN && (await resume(storm)); count++) storm.clock.advance(600);
}

async function invokeOnce({ storm, weathers, draw, count }: Rounds, action: string): Promise<void> {
  const together = weathers.has('overlapping invocations') ? draw.whole(2, 3) : 1;
  const events = Array.from({ length: together }, () => ({ action }));
  if (together > 1) count('overlapping invocations');
  const kills = events.map(() => (weathers.has('kills') ? [randomKill(draw)] : []));
  storm.tell('invoked', together > 1 ? `${action}, ${together} at once` : action);
  const outcomes = await storm.invokeTogether(events, draw.between(0, 60), kills);
  for (const { kind } of outcomes) storm.tell('invoked', kind);
}

const randomKill = (draw: Draw): Interceptor =>
  (draw.chance(0.5) ? killBefore : killAfter)(draw.whole(1, MOST_CALLS_BEFORE_KILL));

/** Never to a setting that the invariants would not allow. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  POLL_SECONDS: ['5', '15', '60'],
  STABLE_SECONDS: ['0', '20', '90'],
  MAX_SURGE: ['1', '2'],
  KEEP_LAUNCH_SPECS: ['0', '1', '5'],
};

function changeSettings({ storm, environment, draw, count }: Rounds): void {
  const name = draw.oneOf(Object.keys(SETTINGS)) ?? '';
  const value = draw.oneOf(SETTINGS[name] ?? []) ?? '';
  // Without surge, a group is rolled by another strategy, with other invariants.
  const isAllowed = name !== 'MAX_SURGE' || environment.MAX_SURGE === undefined;
  if (!isAllowed) return;
  environment[name] = value;
  count('changed settings');
  storm.tell('settings', `${name} is ${value}`);
}
