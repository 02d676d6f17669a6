import type { MutationResult } from './mutations/mutation.ts';
import { mutationTable } from './mutations/table.ts';
import { describeOrigin, type Origin } from './origin.ts';
import { type RollOutcome, SECTIONS, type Section } from './outcome.ts';
import { describeSeeds, type Seeds } from './seeds.ts';
import { type Tally, tallies, tally, totalOf } from './tally.ts';
import { WEATHERS, type Weather } from './weather.ts';

/** Everything the report is written from. */
export interface Proof {
  readonly origin: Origin;
  readonly seeds: Seeds;
  /** Of kills and orders, every nth was tried. */
  readonly share: number;
  /** Of the rules, every nth was broken. */
  readonly rules: number;
  readonly outcomes: readonly RollOutcome[];
  /** Seconds that threads took for each section. */
  readonly seconds: Readonly<Partial<Record<Section, number>>>;
  readonly mutations: readonly MutationResult[];
}

/** The report as Markdown. Except for its origin and times, it is the same whenever the same is proved. */
export function reportOf(proof: Proof): string {
  const parts = [
    '# How reliable a roll is',
    `Written by \`npm run prove\` ${describeOrigin(proof.origin)}: ` +
      'rolls of simulated clusters in virtual time, each to its end, with every invariant of ' +
      '`test/simulated-aws/invariants` and `test/invariants` checked after everything that happens:',
    INVARIANTS.map((invariant, index) => `${index + 1}. ${invariant}`).join('\n'),
    'What a roll ended in is told by the tags that are left: `completed`, `rolled-back` or `aborted`, and `nothing` where it ' +
      'was killed or stopped before it had begun.',
    treeOf(proof),
    summary(proof),
    ...SECTIONS.flatMap((section) => sectionOf(proof, section)),
    mutations(proof),
    failures(proof),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Read by `.ci/proved.sh`. */
function treeOf({ origin: { revision } }: Proof): string {
  return revision === undefined
    ? ''
    : `The product that was rolled is tree \`${revision.lambda}\` of \`lambda/\`.`;
}

function summary({ outcomes, seconds }: Proof): string {
  const rows = [...tallies(outcomes, ({ section }) => [section]), tally('all', outcomes)];
  return table(
    ['', 'rolls', 'faults', 'invariants checked', 'rolls in which one broke', 'seconds'],
    rows.map((row) => [
      row.name,
      count(row.rolls),
      count(totalOf(row.faults)),
      count(row.checked),
      count(row.broken),
      String(Math.round(seconds[row.name as Section] ?? sum(Object.values(seconds)))),
    ]),
  );
}

function sectionOf(proof: Proof, section: Section): string[] {
  const outcomes = proof.outcomes.filter((outcome) => outcome.section === section);
  if (outcomes.length === 0) return [];
  return [`## ${TITLES[section]}`, TEXTS[section](proof), ...TABLES[section](outcomes)];
}

/** Their numbers are those of `watchInvariants`. */
const INVARIANTS = [
  'By what is called no service has fewer healthy tasks than it must have, and no target group fewer healthy targets.',
  'No instance is ended under a task, no task is stopped unless a setting says so, and no member is ended but as the strategy is.',
  'Only what is to be replaced, and is tagged so, is ended.',
  'No more instances are detached, or drain, than the settings allow, and no less is registered, ACTIVE and connected than ' +
    'is desired.',
  'In the end all runs what it is to run, with the volumes and user data that it had, nothing of ours is left, and sizes, ' +
    'processes and references are as they were.',
  'An invocation gets on, waits for something that it names, or tells why it can not; and never starts over.',
  'Nothing is done that the settings and what happened before do not explain, whatever somebody has made of our tags.',
  'The event bus is told of the beginning and the end of each roll before its tags go.',
  'Where there is a hook, no batch begins and no trial passes without its go.',
];

/** How much was tried of what could be. */
const shareOf = (share: number) => (share > 1 ? ` Of these one in ${share} was tried.` : '');

const TITLES: Readonly<Record<Section, string>> = {
  sweep: 'Killed at every moment',
  storm: 'Bad weather',
  groups: 'Random groups in bad weather',
  interleavings: 'Several invocations at once',
};

const TEXTS: Readonly<Record<Section, (proof: Proof) => string>> = {
  sweep: (proof) =>
    'Each scenario is killed at each call that writes, before it took effect and after, and before the first of those ' +
    'that read at one moment: between two reads nothing changes. And twice, at random. What invokes it every five ' +
    `minutes goes on with it.${shareOf(proof.share)}`,
  storm: ({ seeds, outcomes }) => {
    const rolls = outcomes.filter(
      ({ section, replay }) => section === 'storm' && !replay.startsWith('ends/'),
    ).length;
    return (
      'Each roll is of a random kind of group, in a random mixture of weathers, by a seed of its own: ' +
      `${describeSeeds(seeds, rolls, 'storm')}. A fifth of them are played once more while groups end instances of their own, ` +
      'which the function for that drains, killed at times. One roll is counted under each of its weathers.'
    );
  },
  groups: ({ seeds, outcomes }) =>
    'The same of clusters of which no list has been made: what launches, zones, load balancers, pools, hooks, sizes, ' +
    'services and settings are each drawn by the seed, among those that AWS takes together: ' +
    `${describeSeeds(seeds, outcomes.filter(({ section }) => section === 'groups').length, 'groups')}.`,
  interleavings: (proof) =>
    'A small roll by two and three invocations that begin at the same moment. Every order of their calls with one ' +
    'preemption is tried, those with a second soon after it, and random ones. Time passes only when all are asleep.' +
    shareOf(proof.share),
};

const TABLES: Readonly<Record<Section, (outcomes: readonly RollOutcome[]) => string[]>> = {
  sweep: (outcomes) => [
    tallyTable(
      'scenario',
      tallies(outcomes, ({ name }) => [name]),
    ),
  ],
  storm: inWeather,
  groups: inWeather,
  interleavings: (outcomes) => [
    tallyTable(
      'roll',
      tallies(outcomes, ({ name }) => [name]),
    ),
  ],
};

function inWeather(outcomes: readonly RollOutcome[]): string[] {
  // What was drawn of a random one comes after the colon.
  const kinds = tallies(outcomes, ({ name }) => [name.replace(/: \{.*/, '')]);
  return [weatherTable(outcomes), tallyTable('kind of group', kinds)];
}

function weatherTable(outcomes: readonly RollOutcome[]): string {
  const rows = tallies(outcomes, ({ weathers }) => (weathers.length > 0 ? weathers : ['fair weather']));
  const order = (name: string) => WEATHERS.indexOf(name as Weather);
  return table(
    ['weather', 'rolls', 'faults of its sort', 'ended in', 'rolls in which an invariant broke'],
    rows
      .sort((a, b) => order(a.name) - order(b.name))
      .map(({ name, rolls, faults, endings, broken }) => [
        name,
        count(rolls),
        count(faults[name as Weather] ?? 0),
        endingsText(endings),
        count(broken),
      ]),
  );
}

function tallyTable(what: string, rows: readonly Tally[]): string {
  return table(
    [what, 'rolls', 'faults', 'invariants checked', 'ended in', 'rolls in which an invariant broke'],
    rows.map(({ name, rolls, faults, checked, endings, broken }) => [
      name,
      count(rolls),
      count(totalOf(faults)),
      count(checked),
      endingsText(endings),
      count(broken),
    ]),
  );
}

function mutations(proof: Proof): string {
  const { mutations: results } = proof;
  if (results.length === 0) return '';
  const text =
    'Each rule that keeps the promise is broken in a copy of the code, in turn, and a check must tell.' +
    shareOf(proof.rules);
  return ['## Broken rules', text, mutationTable(results)].join('\n\n');
}

/** At most this many failures are listed one by one. */
const TOLD = 50;

function failures({ outcomes }: Proof): string {
  const broken = outcomes.filter((outcome) => outcome.broken.length > 0);
  if (broken.length === 0) return '';
  const lines = broken
    .slice(0, TOLD)
    .map((outcome) => `- \`${commandOf(outcome)}\` (${outcome.name}): ${firstLine(outcome.broken[0] ?? '')}`);
  const more = broken.length > TOLD ? [`- and ${count(broken.length - TOLD)} more`] : [];
  return ['## What broke', [...lines, ...more].join('\n')].join('\n\n');
}

/** What does a roll once more, with its whole log. */
export function commandOf({ replay }: RollOutcome): string {
  return `npm run prove -- --replay ${/^\d+$/.test(replay) ? replay : `'${replay}'`}`;
}

export const firstLine = (text: string) => text.split('\n')[0] ?? '';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)].join(
    '\n',
  );
}

function endingsText(endings: Readonly<Record<string, number>>): string {
  return Object.entries(endings)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([ending, rolls]) => `${ending} ${count(rolls)}`)
    .join(', ');
}

/** With thousands separators, the same on every machine. */
const count = (number: number) => number.toLocaleString('en-US');

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
