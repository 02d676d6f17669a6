import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './copy.ts';
import { likeliestFirst, type Rule, thatLoad } from './likely.ts';

/** Tests that are run together, one file after the other, until one of them fails. */
export interface Stage {
  readonly name: StageName;
  /** All test files below these, and single files. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Files, and all that is below folders. */
  readonly exclude: readonly string[];
  /** Slow tests run after the rest, and what matches the last of these last. */
  readonly late: readonly RegExp[];
  /** Several times what it needs, even on a busy machine: a broken rule may loop forever. */
  readonly cpuSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
}

export type StageName = 'core' | 'aws' | 'rollout';

/**
 * From fast to slow: a single decision shows that most rules are missing, but a few only show in a disturbed
 * roll.
 */
export const STAGES: readonly Stage[] = [
  {
    name: 'core',
    folders: ['test/core'],
    files: [],
    exclude: [],
    late: [/\/concurrency\./, /\/sequence\//, /\.properties\./],
    cpuSeconds: 900,
    environment: {},
  },
  {
    name: 'aws',
    folders: ['test/aws'],
    files: [],
    exclude: [],
    late: [],
    cpuSeconds: 600,
    environment: {},
  },
  {
    name: 'rollout',
    folders: ['test'],
    files: ['test/proof/mutations/storms.check.ts'],
    exclude: [
      'test/core',
      'test/aws',
      'test/comments.test.ts',
      'test/imports.test.ts',
      'test/mirror.test.ts',
      // These know nothing of the product's rules, or break them themselves.
      'test/bench',
      'test/bundle',
      'test/cli',
      'test/demo',
      'test/docs',
      'test/infra',
      'test/integ',
      'test/mutate',
      'test/proof',
      'test/sample',
      'test/second-opinion',
      'test/serve',
      'test/simulated-aws',
      'test/smoke',
      'test/strangers',
      // What is deployed, what a person reads, and what only takes more of the same kills.
      'test/rollout/bundle.test.ts',
      // In real time, which a busy machine runs away from.
      'test/rollout/served.test.ts',
      'test/rollout/plans.test.ts',
      'test/rollout/kill-sweep.launch-configuration.test.ts',
      'test/rollout/kill-sweep.launch-template.test.ts',
    ],
    late: [
      // Every distribution, and every count of zones: a third of all that runs.
      /\/purchase-options\./,
      /\/processes\./,
      /\/sequence\//,
      /\/storm\./,
      /\/storms\./,
      /\/kill-sweep/,
      /\/tags\./,
      /\/whole-rolls\./,
      /\/kinds\./,
      /\/members\./,
    ],
    cpuSeconds: 3600,
    environment: { STORMS: '30', KILL_SWEEP: 'some' },
  },
];

/** Test files, in the order in which they run. */
export interface Step extends Pick<Stage, 'cpuSeconds' | 'environment'> {
  readonly name: StageName | 'likely';
  readonly tests: readonly string[];
}

/** So many are tried before all others: most rules are caught by one of the first three. */
const LIKELY = 12;

/** All tests that a broken rule may show in: those that are likely to tell, and then all others. */
export function stepsFor(rule: Rule, stages: readonly Stage[] = STAGES): Step[] {
  const all = stages.map((stage) => {
    const tests = likeliestFirst(thatLoad(testsOf(stage), rule.file), rule);
    return { stage, tests, quick: tests.filter((test) => lateness(stage, test) < 0) };
  });
  const likely = likeliestFirst(
    all.flatMap(({ quick }) => quick),
    rule,
  ).slice(0, LIKELY);
  const others = all.map(({ stage, tests }): Step => {
    const rest = tests.filter((test) => !likely.includes(test));
    return { ...stage, tests: rest.sort((a, b) => lateness(stage, a) - lateness(stage, b)) };
  });
  const first: Step = { name: 'likely', tests: likely, cpuSeconds: 600, environment: {} };
  return [first, ...others].filter(({ tests }) => tests.length > 0);
}

const lateness = ({ late }: Stage, test: string) => late.findLastIndex((pattern) => pattern.test(test));

/** The test files of a stage. */
export function testsOf({ folders, files, exclude }: Stage): string[] {
  const isExcluded = (file: string) => exclude.some((each) => file === each || file.startsWith(`${each}/`));
  return [...folders.flatMap(testsIn).filter((file) => !isExcluded(file)), ...files];
}

function testsIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${folder}/${name}`);
}
