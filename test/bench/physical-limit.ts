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
}

/**
 * How long a roll takes where looks are free and nothing is done twice, in seconds. docs/physical-limit.md
 * tells what it assumes.
 */
export function limitSeconds({ hosts, lapses, stableSeconds }: LimitOptions): number {
  const moves = hosts.map((services) => Math.max(0, ...services.map((each) => upSeconds(each, lapses))));
  const stable = moves.map((seconds) => (seconds > 0 ? seconds + stableSeconds : 0));
  const inTurn = stable.reduce((sum, seconds) => sum + seconds, 0);
  const goodbyes = hosts.flat().map((each) => goneSeconds(each, lapses) - stableSeconds);
  const { react, boot, agent, termination } = lapses;
  return react + boot + agent + inTurn + Math.max(0, ...goodbyes) + termination;
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
