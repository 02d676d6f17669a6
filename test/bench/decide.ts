import process from 'node:process';
import type { Observation } from '../../lambda/core/model/observation.ts';
import { CONTINUE, decideAll, detached, fresh, observe, SETTINGS } from '../core/builders.ts';
import { type Growth, growthOf } from './growth.ts';
import { median } from './median.ts';

const SIZES = [1000, 2000, 5000, 10_000];
export const QUICK_SIZES = [500, 1000, 2000];
const WARM_UPS = 3;
const RUNS = 9;

export interface DecideTimes {
  /** Milliseconds by the number of instances. */
  readonly times: readonly (readonly [instances: number, milliseconds: number])[];
  readonly growth: Growth;
}

/** How long deciding takes, all that follows from a look included: median of many runs, by size. */
export function timeDecide(sizes: readonly number[] = SIZES): DecideTimes {
  const times = sizes.map((instances) => [instances, millisecondsFor(instances)] as const);
  return { times, growth: growthOf(times) };
}

export function describeTimes({ times, growth: { exponent, rSquared } }: DecideTimes): string {
  const lines = times.map(([instances, time]) => `${instances} instances: ${time.toFixed(1)} ms`);
  const fit = `It grows with the number of instances to the power of ${exponent.toFixed(2)} (R² ${rSquared.toFixed(3)})`;
  return ['decide, in the middle of a roll', ...lines, fit].join('\n');
}

function millisecondsFor(instances: number): number {
  const observation = inTheMiddle(instances);
  const runs = Array.from({ length: WARM_UPS + RUNS }, () => timed(observation));
  return median(runs.slice(WARM_UPS));
}

/** Of processor time: others use the machine, too. */
function timed(observation: Observation): number {
  const begun = process.cpuUsage();
  decideAll(observation, SETTINGS, CONTINUE);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** Half of the instances are new members, the other half detached old ones, the first of which drains. */
function inTheMiddle(instances: number): Observation {
  const indices = Array.from({ length: instances / 2 }, (_, index) => index);
  return observe([
    ...indices.map((index) => fresh(`i-new${index}`)),
    detached('i-old0', { turn: 60, ecs: 'DRAINING', tasks: ['service:api'] }),
    ...indices.slice(1).map((index) => detached(`i-old${index}`, { running: 2 })),
  ]);
}
