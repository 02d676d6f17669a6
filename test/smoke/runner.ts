import { CHECKS } from './checks/checks.ts';
import { STEPS } from './make/steps.ts';
import type { Check, Finding, Smoke, Step } from './smoke.ts';

/** What must be removed by hand, or by `--clean` later. */
export interface Leftover {
  readonly step: string;
  readonly why: string;
}

export interface Outcome {
  readonly findings: readonly Finding[];
  readonly leftovers: readonly Leftover[];
  /** What broke the run off. */
  readonly error?: unknown;
}

interface Run {
  readonly steps?: readonly Step[];
  readonly checks?: readonly Check[];
  /** For the removal, which goes on when the run is broken off. */
  readonly cleaner: Smoke;
  readonly remaining?: Remaining | undefined;
}

/** Hears what is still to be removed, by the names of the steps; nothing: the removal is over. */
export type Remaining = (steps: readonly string[]) => void;

/** What the account lacks for a run, or has in its way: one sentence each. Changes nothing. */
export async function lacking(smoke: Smoke, steps: readonly Step[] = STEPS): Promise<string[]> {
  const told = await Promise.all(steps.map(({ lacks }) => lacks?.(smoke)));
  return told.filter((sentence) => sentence !== undefined);
}

/** Makes, tries and removes, whatever happens in between. */
export async function runSmoke(smoke: Smoke, run: Run): Promise<Outcome> {
  const { steps = STEPS, checks = CHECKS, cleaner, remaining } = run;
  const findings: Finding[] = [];
  let broken: { readonly error: unknown } | undefined;
  remaining?.(namesOf(steps));
  try {
    await makeAll(smoke, steps);
    for (const check of checks) findings.push(...(await tried(smoke, check)));
  } catch (error) {
    broken = { error };
    smoke.say(`broken off: ${messageOf(error)}`);
  }
  return { findings, leftovers: await clean(cleaner, steps, remaining), ...broken };
}

async function makeAll(smoke: Smoke, steps: readonly Step[]) {
  for (const step of steps) {
    smoke.say(`make: ${step.makes}`);
    await step.make(smoke);
  }
}

/** A check that throws has failed; the others don't build on its results. */
async function tried(smoke: Smoke, check: Check): Promise<readonly Finding[]> {
  smoke.say(`try: ${check.name}, some ${check.minutes} min`);
  try {
    return await check.run(smoke);
  } catch (error) {
    if (error instanceof BrokenOff) throw error;
    return [{ what: check.name, passed: false, observed: messageOf(error) }];
  }
}

/** Removes all that is there, by its tag; what can't be removed doesn't keep the rest. */
export async function clean(
  smoke: Smoke,
  steps: readonly Step[] = STEPS,
  remaining: Remaining = () => undefined,
): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  for (const [index, { name, remove }] of [...steps.entries()].reverse()) {
    remaining([...leftovers.map(({ step }) => step), ...namesOf(steps.slice(0, index + 1))]);
    try {
      for (const removed of await remove(smoke)) smoke.say(`removed: ${removed}`);
    } catch (error) {
      leftovers.push({ step: name, why: messageOf(error) });
      smoke.say(`NOT removed: ${name}: ${messageOf(error)}`);
    }
  }
  return leftovers;
}

const namesOf = (steps: readonly Step[]) => steps.map(({ name }) => name);

/** Somebody pressed Ctrl-C. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
