import { describe, expect, it } from 'vitest';
import { OF_ANYBODY } from '../simulated-aws/invariants/anybody.ts';
import type { Violation } from '../simulated-aws/invariants/invariants.ts';
import { allDrained } from './rollers/all-drained.ts';
import { ancestor } from './rollers/ancestor.ts';
import { bareVersion } from './rollers/bare-version.ts';
import { careful } from './rollers/careful.ts';
import { ROLLERS } from './rollers.ts';
import { type Judged, judge } from './stage.ts';

/** What rollers break, by the invariant's number and text. */
const BREACHES = {
  'services below their minimum': /^1\. Service \w+ has \d+ healthy tasks, fewer than/,
  'instances ended under tasks': /^2\. i-\w+ was terminated under/,
  'tasks orphaned': /^2\. i-\w+ was deregistered, which orphans/,
  'detached without a mark': /^3\. i-\w+ was detached untagged/,
  "somebody's default version moved": /^3\. demo-ecs-launch-template version 2: default/,
  'another reference to the template': /^5\. demo-ecs: .*, version \$Latest, was .*, version none$/,
  'fewer registered than desired': /^4\. demo-ecs has \d+ registered, ACTIVE and connected, less than 4/,
  'instances left over': /^5\. i-\w+ is left running in no group/,
  'user data and volumes lost': /^5\. i-\w+ was launched without its owner's user data, volumes/,
  'fewer members desired': /^7\. the desired capacity of demo-ecs is \d/,
} as const;
type Breach = keyof typeof BREACHES;

const KILLS: readonly Breach[] = [
  'services below their minimum',
  'instances ended under tasks',
  'fewer registered than desired',
];

const BREAKS: Readonly<Record<string, readonly Breach[]>> = {
  careful: [],
  ancestor: [
    'services below their minimum',
    'tasks orphaned',
    "somebody's default version moved",
    'another reference to the template',
  ],
  serial: [...KILLS, 'fewer members desired'],
  rolling: KILLS,
  'scale-out-by-one': KILLS,
  'terminate-all': KILLS,
  untagged: ['detached without a mark'],
  'all-drained': ['fewer registered than desired'],
};

const lineOf = ({ invariant, what }: Violation) => `${invariant}. ${what}`;

/** Each is one of the known breaches, or is shown in full. */
function breachesOf({ invariants }: Judged): string[] {
  const names = Object.entries(BREACHES);
  const found = invariants.violations.map(lineOf).map((line) => {
    const [name] = names.find(([, pattern]) => pattern.test(line)) ?? [];
    return name ?? line;
  });
  return [...new Set(found)].sort();
}

/** Templates of most owners leave to the image what its root volume is made from. */
const group = { namesRootSnapshot: false } as const;

const FINISHING = ROLLERS.filter((roller) => roller !== bareVersion);

describe.each(FINISHING.map((roller) => [roller.name, roller] as const))('%s', (name, roller) => {
  it('breaks exactly what it is known to break', async () => {
    const judged = await judge(roller, { group });
    expect(judged.error).toBeUndefined();
    expect(breachesOf(judged)).toEqual([...(BREAKS[name] ?? ['not known'])].sort());
    expect(judged.invariants.metrics().instancesReplaced).toBe(4);
  });
});

describe('the careful one', () => {
  it.each([
    { version: '$Latest', instances: 4 },
    { version: '1', instances: 4 },
    // More than can be detached by one call.
    { version: undefined, instances: 21 },
  ])('breaks nothing where $instances are launched from version $version', async (scenario) => {
    const judged = await judge(careful, scenario);
    expect(judged.error).toBeUndefined();
    expect(breachesOf(judged)).toEqual([]);
  });
});

describe('the bare version', () => {
  it('launches instances that never join the cluster, and so never ends', async () => {
    const judged = await judge(bareVersion, { group });
    expect(String(judged.error)).toContain('gave up waiting for replacements');
    const { instances, groups } = judged.world.state;
    const members = [...(groups.get('demo-ecs')?.members.keys() ?? [])].map((id) => instances.get(id));
    expect(members.map((one) => one?.instanceProfile)).toEqual(Array(4).fill(undefined));
    expect(members.map((one) => one?.containerInstance)).toEqual(Array(4).fill(undefined));
    expect(breachesOf(judged)).toEqual(['instances left over', 'user data and volumes lost']);
  });
});

describe('the one that drains all at once', () => {
  it('drains more than one at a time, if asked to', async () => {
    const { invariants } = await judge(allDrained, { group }, { ...OF_ANYBODY, drainConcurrency: 1 });
    const [capacity, draining, ...others] = invariants.violations.map(lineOf);
    expect(capacity).toMatch(BREACHES['fewer registered than desired']);
    expect(draining).toBe('4. 4 instances of demo-ecs are moving, more than 1');
    expect(others).toEqual([]);
  });
});

describe('the ancestor', () => {
  it('orphans dozens of tasks, and takes a service to 0 %', async () => {
    const { invariants } = await judge(ancestor, { group, instances: 6 });
    const told = invariants.violations.map(lineOf).filter((line) => BREACHES['tasks orphaned'].test(line));
    const orphans = told.flatMap((line) => line.match(/\(RUNNING\)/g) ?? []);
    // As the program itself did, run against such a cluster.
    expect(orphans.length).toBe(34);
    const percents = invariants.metrics().services.map(({ minHealthyPercentSeen }) => minHealthyPercentSeen);
    expect(Math.min(...percents)).toBe(0);
  });
});
