import { type PastRoll, pastTimes } from '../../lambda/history/past-rolls.ts';
import { findFunction } from '../deployed.ts';
import { isRolled, type PlannedGroup, planText } from '../plan-text.ts';
import { type LookResult, type ReadOptions, read } from '../read.ts';
import type { Exit, Terminal } from '../session.ts';
import { exitFor, json } from '../text.ts';
import { rollsOf } from './history.ts';
import { described } from './status.ts';

export interface PlanOptions extends ReadOptions {
  /** As if every member were outdated. */
  readonly force?: boolean;
}

/** What a roll would do, step by step. It changes nothing. */
export async function plan(
  clusters: readonly string[],
  options: PlanOptions,
  terminal: Terminal,
): Promise<Exit> {
  const { found, groups } = await lookAhead(clusters, options, terminal);
  terminal.out(options.json ? json({ ...found, groups }) : planText(groups, terminal));
  return exitFor(groups);
}

/** What a roll would do, and what the last ones took. */
export async function lookAhead(
  clusters: readonly string[],
  options: PlanOptions,
  terminal: Terminal,
): Promise<{ readonly found: LookResult; readonly groups: readonly PlannedGroup[] }> {
  const found = await read({ action: 'plan', clusters, force: options.force ?? false }, options, terminal);
  const groups = await described(found, terminal);
  if (!groups.some(isRolled)) return { found, groups };
  const rolls = await terminal.waiting('reading the history', () => rollsThereHaveBeen(options));
  return { found, groups: groups.map((each) => ({ ...each, past: pastTimes(rolls, each) })) };
}

const PAST_SECONDS = 180 * 86_400;

/** A plan does without them where they can't be read. */
async function rollsThereHaveBeen(options: PlanOptions): Promise<readonly PastRoll[]> {
  try {
    const deployed = await findFunction(options);
    return deployed === undefined ? [] : ((await rollsOf(deployed, PAST_SECONDS))?.rolls ?? []);
  } catch {
    return [];
  }
}
