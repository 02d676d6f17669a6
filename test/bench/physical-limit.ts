import type { Lapses } from './field-delays.ts';

/** A service of which an old instance runs a task. */
export interface Hosted {
  readonly isLoadBalanced: boolean;
}

export interface LimitOptions {
  /** For each old instance the replica services that it runs tasks of. */
  readonly hosts: readonly (readonly Hosted[])[];
  readonly lapses: Lapses;
  /** Services are watched for so long after the replacements are up; 0 where nothing is watched. */
  readonly stableSeconds: number;
  /** How many instances drain at once. */
  readonly atOnce: number;
}

/**
 * How long a roll takes where looks are free and nothing is done twice, in seconds. docs/physical-limit.md
 * tells what it assumes.
 */
export function limitSeconds({ hosts, lapses, stableSeconds, atOnce }: LimitOptions): number {
  const drains = hosts.map((services) => drainSeconds(services, lapses, stableSeconds));
  const inTurn = drains.reduce((sum, seconds) => sum + seconds, 0) / atOnce;
  const { react, boot, agent, termination } = lapses;
  return react + boot + agent + Math.max(inTurn, ...drains) + termination;
}

/** The longer of "its tasks are gone" and "their replacements were up for long enough". */
function drainSeconds(services: readonly Hosted[], lapses: Lapses, stableSeconds: number): number {
  const ends = services.map((service) => {
    const up = upSeconds(service, lapses);
    return Math.max(up + goneSeconds(service, lapses), up + stableSeconds);
  });
  return Math.max(0, ...ends);
}

/** From the drain's begin until a replacement serves. */
function upSeconds(
  { isLoadBalanced }: Hosted,
  { scheduler, pull, start, health, unchecked }: Lapses,
): number {
  return scheduler + pull + start + (isLoadBalanced ? health : unchecked);
}

/** From then until the task that it replaces is gone. */
function goneSeconds({ isLoadBalanced }: Hosted, { scheduler, deregistration, stop }: Lapses): number {
  return scheduler + (isLoadBalanced ? deregistration : 0) + stop;
}
