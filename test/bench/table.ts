import { callsInAll, type Result } from './results.ts';

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

const SHORT_TITLES: readonly string[] = [
  'Who',
  'Takes',
  '÷ oracle',
  'Below minimum',
  'Connections cut',
  'Calls',
  'Dollars',
];

/** All figures: a Markdown table for each cluster. */
export function fullTables(results: readonly Result[]): string {
  const clusters = [...new Set(results.map(({ cluster }) => cluster))];
  return clusters.map((cluster) => `### ${cluster}\n\n${tableOf(cluster, results, COLUMNS)}`).join('\n\n');
}

/** What somebody wants to know who chooses a roller: one table of one cluster. */
export function shortTable(cluster: string, results: readonly Result[]): string {
  return tableOf(
    cluster,
    results,
    COLUMNS.filter(({ title }) => SHORT_TITLES.includes(title)),
  );
}

function tableOf(cluster: string, results: readonly Result[], columns: readonly Column[]): string {
  const rows = results.filter((each) => each.cluster === cluster);
  const oracleFor = ({ oracle }: Result) => rows.find(({ contestant }) => contestant === oracle);
  const lines = rows.map((row) => columns.map(({ cell }) => cell(row, oracleFor(row)) ?? NONE));
  const head = [columns.map(({ title }) => title), columns.map((_, index) => (index === 0 ? '---' : '---:'))];
  return [...head, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const isThrough = ({ endings }: Result) => endings.every((ending) => ending === 'completed');
const ifThrough = (result: Result, cell: string) => (isThrough(result) ? cell : undefined);
const failure = ({ endings }: Result) => endings.filter((ending) => ending !== 'completed').join('; ');
const ratio = (seconds: number, of: number) => (seconds / of).toFixed(2);
const whole = (figure: number) => Math.round(figure).toLocaleString('en');
