import { existsSync } from 'node:fs';
import process from 'node:process';
import { hashOfLoaded } from '../loaded.ts';
import type { Sittings } from '../sittings.ts';
import { ROOT } from './copy.ts';
import type { Mutation, MutationResult } from './mutation.ts';
import { RULES } from './rules.ts';
import { type MutationOptions, runMutations } from './run.ts';
import { progressOf } from './table.ts';

interface Sitting extends Required<Pick<MutationOptions, 'isOver' | 'workers'>> {
  readonly sittings: Sittings;
}

/** What is kept of a broken rule. */
export interface Kept extends MutationResult {
  /** A hash of what the test loads that caught it. */
  readonly loaded: string;
}

/**
 * Breaks one in so many of the rules, but for those that an earlier sitting has broken: these stay caught as
 * long as the test that caught them, and what it loads, is the same.
 */
export async function breakEach(every: number, { sittings, isOver, workers }: Sitting) {
  const chosen = RULES.filter((_, index) => index % every === 0);
  const results = new Map<string, MutationResult>();
  for (const mutation of chosen) {
    const kept = await caughtBefore(mutation, sittings);
    if (kept !== undefined) results.set(mutation.rule, kept);
  }
  const due = new Map(chosen.filter(({ rule }) => !results.has(rule)).map((each) => [each.rule, each]));
  const onProgress = async (result: MutationResult, done: number, all: number) => {
    process.stdout.write(`broken rules: ${progressOf(result, done, all)}\n`);
    results.set(result.rule, result);
    const mutation = due.get(result.rule);
    if (mutation === undefined || result.test === undefined) return;
    await sittings.keep(partOf(mutation), { ...result, loaded: await hashOf(result.test) });
  };
  if (due.size > 0) await runMutations({ workers, isOver, rules: [...due.keys()], onProgress });
  const mutations = chosen.flatMap(({ rule }) => results.get(rule) ?? []);
  return { mutations, left: chosen.length - mutations.length };
}

/** What an earlier sitting has kept of it, if that still holds. */
export async function caughtBefore(
  mutation: Mutation,
  sittings: Pick<Sittings, 'done'>,
): Promise<Kept | undefined> {
  const kept = sittings.done<Kept>(partOf(mutation));
  if (kept?.test === undefined || !existsSync(`${ROOT}${kept.test}`)) return undefined;
  return kept.loaded === (await hashOf(kept.test)) ? kept : undefined;
}

const partOf = ({ rule, find, replace }: Mutation) => ({ rule, find, replace });

const hashes = new Map<string, Promise<string>>();

/** Each once: many rules are caught by the same test. */
function hashOf(test: string): Promise<string> {
  const hash = hashes.get(test) ?? hashOfLoaded(`${ROOT}${test}`);
  hashes.set(test, hash);
  return hash;
}
