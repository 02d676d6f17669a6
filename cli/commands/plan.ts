import { planText } from '../plan-text.ts';
import { type ReadOptions, read } from '../read.ts';
import type { Exit, Terminal } from '../session.ts';
import { exitFor, json } from '../text.ts';
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
  const found = await read({ action: 'plan', clusters, force: options.force ?? false }, options, terminal);
  const groups = await described(found, terminal);
  terminal.out(options.json ? json({ ...found, groups }) : planText(groups, terminal));
  return exitFor(groups);
}
