import process from 'node:process';
import type { Observation } from '../../lambda/core/model/observation.ts';
import { CONTINUE, decideAll, detached, fresh, observe, SETTINGS, service } from '../core/builders.ts';
import { type Growth, growthOf } from './growth.ts';
import { median } from './median.ts';

export const SIZES = [1000, 2000, 5000, 10_000];
export const QUICK_SIZES = [500, 1000, 2000];
/** Until Node has compiled what decides. */
const WARM_UPS = 100;
const RUNS = 15;

export interface DecideTimes {
  /** The version of Node. */
  readonly node: string;
  /** Milliseconds by the number of instances. */
  readonly times: readonly (readonly [instances: number, milliseconds: number])[];
  readonly growth: Growth;
}

/** How long deciding takes, all that follows from a look included: median of many runs, by size. */
export function timeDecide(sizes: readonly number[]): DecideTimes {
  const [smallest = 0] = sizes;
  for (let run = 0; run < WARM_UPS; run++) timed(inTheMiddle(smallest));
  const times = sizes.map((instances) => [instances, millisecondsFor(instances)] as const);
  return { node: process.version, times, growth: growthOf(times) };
}

function millisecondsFor(instances: number): number {
  // Each decides about a look of its own: what is derived from one is kept.
  return median(Array.from({ length: RUNS }, () => timed(inTheMiddle(instances))));
}

/** Of processor time: others use the machine, too. */
function timed(observation: Observation): number {
  const begun = process.cpuUsage();
  decideAll(observation, SETTINGS, CONTINUE);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/**
 * Half of the instances are new members, the other half detached old ones, a twentieth of which drain. Five
 * instances share a service.
 */
function inTheMiddle(instances: number): Observation {
  const indices = Array.from({ length: instances / 2 }, (_, index) => index);
  const services = Array.from({ length: instances / 5 }, (_, index) => service(`api-${index}`));
  const tasksOn = (index: number) =>
    services
      .slice(index % services.length)
      .slice(0, 2)
      .map(({ name }) => `service:${name}`);
  const old = indices.map((index) =>
    index % 20 === 0
      ? detached(`i-old${index}`, { turn: 60, ecs: 'DRAINING', tasks: tasksOn(index) })
      : detached(`i-old${index}`, { running: 2 }),
  );
  return observe([...indices.map((index) => fresh(`i-new${index}`)), ...old], {
    services: [service('log-router', { daemon: true }), ...services],
  });
}
