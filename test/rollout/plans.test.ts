import { expect, test } from 'vitest';
import { FAMILY_KINDS, KINDS, type Kind } from './kinds.ts';
import { groupsOf, planText, writes } from './outcomes.ts';
import { stage, TRUE_DEFAULTS } from './stage.ts';

/**
 * Everything after the trial in one batch, unless it is about batches: more of them would only repeat the
 * same.
 */
function atOnce({ name, environment }: Kind): Kind['environment'] {
  const isInBatches = name === 'batches' || environment?.MAX_SURGE === '0';
  return { ...TRUE_DEFAULTS, ...environment, ...(!isInBatches && { MAX_SURGE: '100%' }) };
}

test.each(KINDS)('a plan changes nothing and lists each step: $name', async (kind) => {
  const { name, furnish } = kind;
  const { invoke, account, invariants } = stage({ shortcut: true, environment: atOnce(kind), furnish });
  const plan = await invoke({ action: 'plan' });
  expect(writes(account.calls.log)).toEqual([]);
  invariants.assertHeld();
  const file = `golden/plan-${name.replaceAll(/\W+/g, '-')}.golden.txt`;
  await expect(planText(plan)).toMatchFileSnapshot(file);
});

/** What differs between rolls: which instances are emptiest, and the numbers of future versions. */
function withoutNames(step: string): string {
  return step.replaceAll(/i-\d+/g, 'i-').replaceAll(/(the new version|version \d+)/g, 'a version');
}

const isEnding = (step: string) => /^(wait|drain|deregister|terminate)|as the next to drain$/.test(step);

/** A plan gives the first batch's trial as one step, a roll gives its beginning and its end. */
function withTrial(step: string): string[] {
  if (/the first batch has passed its trial$/.test(step)) return [];
  return [/(first batch is tried out$|try the first batch out)/.test(step) ? 'the trial' : step];
}

/**
 * Where AWS launches in the wrong zone, or Spot Instances, others leave than planned, or more are launched at
 * the end.
 */
const BY_LAUNCHES = /^(zones served apart|a growing warm pool$|terminate hooks run$|.*On-Demand base$)/;
const FORESEEN = KINDS.filter(({ name }) => !BY_LAUNCHES.test(name));

test.each(FORESEEN)(
  'a roll does what its plan says: $name',
  async ({ name: _, replaces: __, environment, ...options }) => {
    const { invoke, log } = stage({
      shortcut: true,
      lambdaSeconds: 10_000,
      environment: { ...TRUE_DEFAULTS, ...environment },
      ...options,
    });
    const planned = groupsOf(await invoke({ action: 'plan' }));
    const before = log.length;
    await invoke();
    for (const { group, steps = [] } of planned) {
      const actions = log.slice(before).filter((line) => line.includes(` ${group}:   `));
      const done = actions.map((line) => line.replace(/^.*?: {3}/, ''));
      const compared = (all: readonly string[]) =>
        all
          .filter((step) => !isEnding(step))
          .map(withoutNames)
          .flatMap(withTrial);
      expect(compared(done)).toEqual(compared(steps));
    }
  },
);

test('each image family is rolled onto its own newest', async () => {
  const lines: string[] = [];
  for (const { name, ...options } of FAMILY_KINDS) {
    const { invoke, account } = stage({ shortcut: true, ...options });
    const [group] = groupsOf(await invoke({ action: 'plan' }));
    expect(writes(account.calls.log)).toEqual([]);
    lines.push(`${name}: ${group?.reason}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/plan-families.golden.txt');
});
