import { CHECKS } from './checks/checks.ts';
import { STEPS } from './make/steps.ts';
import type { Check, Finding, Smoke, Step } from './smoke.ts';

/** What is to be removed by hand, or by `--clean` later on. */
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
}

/** Makes, tries and removes, whatever happens in between. */
export async function runSmoke(smoke: Smoke, run: Run): Promise<Outcome> {
  const { steps = STEPS, checks = CHECKS, cleaner } = run;
  const findings: Finding[] = [];
  let broken: { readonly error: unknown } | undefined;
  try {
    await makeAll(smoke, steps);
    for (const check of checks) findings.push(...(await tried(smoke, check)));
  } catch (error) {
    broken = { error };
    smoke.say(`broken off: ${messageOf(error)}`);
  }
  return { findings, leftovers: await clean(cleaner, steps), ...broken };
}

async function makeAll(smoke: Smoke, steps: readonly Step[]) {
  for (const step of steps) {
    smoke.say(`make: ${step.makes}`);
    await step.make(smoke);
  }
}

/** A check that breaks is one that failed; the others don't build on what it finds. */
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
export async function clean(smoke: Smoke, steps: readonly Step[] = STEPS): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  for (const { name, remove } of [...steps].reverse())
    try {
      for (const removed of await remove(smoke)) smoke.say(`removed: ${removed}`);
    } catch (error) {
      leftovers.push({ step: name, why: messageOf(error) });
      smoke.say(`NOT removed: ${name}: ${messageOf(error)}`);
    }
  return leftovers;
}

/** Somebody pressed Ctrl-C. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
