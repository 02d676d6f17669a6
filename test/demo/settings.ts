import { FUNCTION_TIMEOUT_MINUTES } from '../../lambda/contract.ts';
import { MARGIN_SECONDS } from '../../lambda/invocation.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import { TABLE } from '../../lambda/settings/table.ts';

/** The cluster of `standardScenario`. */
export const CLUSTER = 'demo';

/**
 * The function's environment for a world at `speed`: its default waits and limits, each divided by the speed,
 * as the function itself knows only real time.
 */
export function environmentAt(speed: number): Record<string, string> {
  const defaults = parseSettings({ [TABLE.clusters.variable]: CLUSTER });
  const scaled = (seconds: number) => (seconds / speed).toFixed(3);
  return {
    [TABLE.clusters.variable]: CLUSTER,
    [TABLE.pollSeconds.variable]: scaled(defaults.pollSeconds),
    [TABLE.bakeSeconds.variable]: scaled(defaults.bakeSeconds),
    [TABLE.alarmTimeoutSeconds.variable]: scaled(defaults.alarmTimeoutSeconds),
    [TABLE.stableSeconds.variable]: scaled(defaults.stableSeconds),
    [TABLE.readyTimeoutSeconds.variable]: scaled(defaults.readyTimeoutSeconds),
    [TABLE.drainTimeoutSeconds.variable]: scaled(defaults.drainTimeoutSeconds),
  };
}

/** How long an invocation may last. The margin that the function keeps free doesn't shrink with the speed. */
export function remainingMillisAt(speed: number): number {
  const usableSeconds = FUNCTION_TIMEOUT_MINUTES * 60 - MARGIN_SECONDS;
  return (MARGIN_SECONDS + usableSeconds / speed) * 1000;
}
