import { elapsedText } from '../../lambda/picture/time-axis.ts';
import { CHOSEN, ORACLE } from './contestants.ts';
import { callsInAll, type Result, type Results } from './results.ts';

interface Column {
  readonly title: string;
  /** Nothing where the figure doesn't apply. */
  cell(result: Result, oracle: Result | undefined): string | undefined;
}

const NONE = '–';

const COLUMNS: readonly Column[] = [
  { title: 'Who', cell: ({ contestant, source }) => (source ? `[${contestant}](${source})` : contestant) },
  {
    title: 'Takes',
    cell: (result) => (isThrough(result) ? `${whole(result.makespanSeconds)} s` : failure(result)),
  },
  {
    title: '÷ oracle',
    cell: (result, oracle) =>
      oracle && ifThrough(result, ratio(result.makespanSeconds, oracle.makespanSeconds)),
  },
  {
    title: '÷ typical',
    cell: (result) => ifThrough(result, ratio(result.makespanSeconds, result.typicalSeconds)),
  },
  {
    title: '÷ least',
    cell: (result) => ifThrough(result, ratio(result.makespanSeconds, result.leastSeconds)),
  },
  { title: 'Placements a task', cell: (result) => ifThrough(result, result.placementsPerTask.toFixed(2)) },
  { title: 'Below minimum', cell: (result) => ifThrough(result, `${whole(result.belowMinimumSeconds)} s`) },
  { title: 'Connections cut', cell: (result) => ifThrough(result, whole(result.connectionsCut)) },
  { title: 'Calls', cell: (result) => (callsInAll(result) > 0 ? whole(callsInAll(result)) : undefined) },
  {
    title: 'Extra instance hours',
    cell: (result) => ifThrough(result, result.extraInstanceHours.toFixed(1)),
  },
  { title: 'Invocations', cell: ({ invocations }) => (invocations > 0 ? whole(invocations) : undefined) },
  {
    title: 'GB-seconds',
    cell: ({ gigabyteSeconds }) => (gigabyteSeconds > 0 ? whole(gigabyteSeconds) : undefined),
  },
  { title: 'Dollars', cell: (result) => ifThrough(result, result.dollars.toFixed(2)) },
];

/** Who is in the README's table: as whom, and what is known of them beside the figures. */
const SHORT: Readonly<Record<string, readonly [way: string, wrong: string]>> = {
  ours: [
    '**One instance at a time**, unless told otherwise',
    'An image that fails its trial costs one instance, and the group gets its old one back. A stuck drain is undone. Killed halfway, it goes on',
  ],
  'ours, DRAIN_CONCURRENCY=auto': [
    '**As many as services can spare**: `drainConcurrency=auto`',
    'The same. But a fault that shows late has reached more instances by then',
  ],
  'instance refresh 100/110': [
    '[Instance refresh](https://docs.aws.amazon.com/autoscaling/ec2/userguide/asg-instance-refresh.html) with managed draining; the simulation plays it by what AWS documents',
    'An alarm can turn it back, but not with `resolve:ssm:`, `$Latest` or `$Default`. A stuck drain ends with its instance after 48 h. You start it, and it waits for no service to be steady',
  ],
  ancestor: [
    '[silinternational/ecs-ami-deploy](https://github.com/silinternational/ecs-ami-deploy), the ancestor',
    'It rolls on. Killed halfway, it detaches the new instances too',
  ],
};

/** All figures: a Markdown table for each cluster. */
export function fullTables(results: readonly Result[]): string {
  const clusters = [...new Set(results.map(({ cluster }) => cluster))];
  return clusters.map((cluster) => `### ${cluster}\n\n${tableOf(cluster, results, COLUMNS)}`).join('\n\n');
}

/** What somebody asks who chooses a way: how long does it take, and what if something goes wrong? */
export function shortTable(results: readonly Result[]): string {
  const [small, large] = ['20 spread', '250 spread'];
  const lines = Object.entries(SHORT).map(([who, [way, wrong]]) => {
    const of = (cluster: string) =>
      results.find((each) => each.contestant === who && each.cluster === cluster);
    const takes = (result = of(small)) =>
      result && isThrough(result) ? elapsedText(result.makespanSeconds) : NONE;
    const short = elapsedText(of(small)?.belowMinimumSeconds ?? 0);
    return [way, takes(), takes(of(large)), short, wrong];
  });
  const head = ['Way', '20 instances', '250', 'Services too small, in all', 'When something goes wrong'];
  return [head, ['---', '---:', '---:', '---:', '---'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** How the ways that the README compares cope when something goes wrong. */
export function troublesTable(troubles: Results['troubles'] = []): string {
  const lines = troubles.map((each, index) => [
    troubles[index - 1]?.trouble === each.trouble ? '' : each.trouble,
    CHOSEN[each.contestant] ?? each.contestant,
    each.belowMinimumSeconds === 0 ? 'never' : `for ${elapsedText(each.belowMinimumSeconds)}`,
    whole(each.connectionsCut),
    whole(each.onNewImage),
    whole(each.onOldImage),
  ]);
  const head = ['What goes wrong', 'Way', 'Services too small', 'Connections cut', 'New image', 'Old'];
  return [head, ['---', '---', '---', '---:', '---:', '---:'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function tableOf(cluster: string, results: readonly Result[], columns: readonly Column[]): string {
  const rows = results.filter((each) => each.cluster === cluster);
  const oracle = rows.find(({ contestant }) => contestant === ORACLE);
  const lines = rows.map((row) => columns.map(({ cell }) => cell(row, oracle) ?? NONE));
  const head = [columns.map(({ title }) => title), columns.map((_, index) => (index === 0 ? '---' : '---:'))];
  return [...head, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const isThrough = ({ endings }: Result) => endings.every((ending) => ending === 'completed');
const ifThrough = (result: Result, cell: string) => (isThrough(result) ? cell : undefined);
const failure = ({ endings }: Result) => endings.filter((ending) => ending !== 'completed').join('; ');
const ratio = (seconds: number, of: number) => (seconds / of).toFixed(2);
const whole = (figure: number) => Math.round(figure).toLocaleString('en');
