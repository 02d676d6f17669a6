import type { Service } from './cluster.ts';

/** How the services of a cluster fare, but for daemons. */
export interface ServicesHealth {
  readonly total: number;
  /** Those that run fewer tasks than they want; at most as many as are worth listing. */
  readonly short: readonly ShortService[];
  /** Others that do, beyond those listed. */
  readonly shortLeftOut: number;
}

export interface ShortService {
  readonly name: string;
  readonly running: number;
  readonly desired: number;
  /** What its minimumHealthyPercent asks for. */
  readonly least: number;
}

const MOST_LISTED = 20;

export function servicesHealth(services: readonly Service[]): ServicesHealth {
  const replicas = services.filter(({ daemon }) => !daemon);
  const short = replicas.filter(({ runningCount, desiredCount }) => runningCount < desiredCount);
  return {
    total: replicas.length,
    short: short.slice(0, MOST_LISTED).map(({ name, runningCount, desiredCount, minimumHealthyPercent }) => ({
      name,
      running: runningCount,
      desired: desiredCount,
      least: Math.ceil((desiredCount * minimumHealthyPercent) / 100),
    })),
    shortLeftOut: Math.max(0, short.length - MOST_LISTED),
  };
}
