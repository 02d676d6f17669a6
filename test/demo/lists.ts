import type { Colors, Formatter } from 'picocolors/types.js';
import { type Canvas, shorten } from './canvas.ts';
import type { Classification, Progress, Row } from './progress.ts';

const MOST_SERVICES = 6;
const FEW_SERVICES = 3;
/** A terminal with fewer rows has them for the instances. */
const LOW_ROWS = 32;
/** Before the dots of the tasks. */
const LINE_WIDTH = 69;
/** Before a service's name. */
const DOT_WIDTH = 5;
const HEALTHY_WIDTH = 19;

const MARKS: Readonly<Record<Classification, string>> = {
  waits: '○',
  drains: '◐',
  gone: '✔',
  starts: '◌',
  tried: '◎',
  serves: '●',
};

const LEGEND = '○ old  ◐ drains  ✔ ended  ◌ starts  ◎ on trial  ● serves  • a task';

/** A line for each instance, as far as there is room; those come first that something happens to. */
export function instanceLines(
  rows: readonly Row[],
  progress: Progress,
  canvas: Canvas,
  room: number,
): string[] {
  const { colors } = canvas;
  const names = progress.snapshot.services.map(({ name }) => name);
  const shown = mostTelling(rows, Math.max(3, room));
  const hidden = rows.length - shown.length;
  return [
    colors.dim(`     ${columnsOf('instance', 'image', 'group', 'EC2', 'ECS')}tasks`),
    ...shown.map((row) => instanceLine(row, names, canvas)),
    colors.dim(`  ${hidden > 0 ? `${hidden} more` : ' '}  ${LEGEND}`.slice(0, canvas.columns)),
  ];
}

/** Those that something happens to come first, where there is no room for all. */
function mostTelling(rows: readonly Row[], room: number): Row[] {
  const order: readonly Classification[] = ['tried', 'drains', 'starts', 'waits', 'serves', 'gone'];
  const byInterest = [...rows].sort((a, b) => order.indexOf(a.classified) - order.indexOf(b.classified));
  const kept = new Set(rows.length > room ? byInterest.slice(0, room) : rows);
  return rows.filter((row) => kept.has(row));
}

function instanceLine(row: Row, services: readonly string[], { colors, columns }: Canvas): string {
  const paint = paints(colors)[row.classified];
  const line = paint(
    `  ${MARKS[row.classified]}  ${columnsOf(row.id, row.image, row.group, row.ec2, row.ecs)}`,
  );
  if (row.tasks.length === 0) return line;
  const dots = row.tasks
    .slice(0, Math.max(0, columns - LINE_WIDTH - 2))
    .map((task) => colorOf(services.indexOf(task), colors)('•'))
    .join('');
  return `${line}${String(row.tasks.length).padStart(2)} ${dots}`;
}

function columnsOf(id: string, image: string, group: string, ec2: string, ecs: string): string {
  return [id.padEnd(21), image.padEnd(6), group.padEnd(12), ec2.padEnd(14), ecs.padEnd(9)].join('');
}

function paints(colors: Colors): Readonly<Record<Classification, Formatter>> {
  return {
    waits: (text) => String(text),
    drains: colors.yellow,
    gone: colors.dim,
    starts: colors.cyan,
    tried: colors.cyan,
    serves: colors.green,
  };
}

/** The color of a service's tasks, so that one sees them move. */
function colorOf(index: number, colors: Colors): Formatter {
  const palette = [colors.magenta, colors.blue, colors.cyan, colors.yellow, colors.green, colors.red];
  return palette[index % palette.length] ?? colors.white;
}

/** A line for each service, with the color of its tasks. */
export function serviceLines({ snapshot, lowestPercent }: Progress, canvas: Canvas): string[] {
  const { colors, rows, columns } = canvas;
  const most = rows < LOW_ROWS ? FEW_SERVICES : MOST_SERVICES;
  const names = snapshot.services.map(({ name }) => name);
  const longest = Math.max(...names.map((name) => name.length)) + 2;
  const width = Math.min(longest, Math.max(10, columns - DOT_WIDTH - HEALTHY_WIDTH - 1));
  const room = columns - DOT_WIDTH - width;
  const lines = snapshot.services.map((service, index) => {
    const { name, strategy, healthyCount, desiredCount, minimumHealthyCount } = service;
    const start = `  ${colorOf(index, colors)('•')}  ${shorten(name, width - 2).padEnd(width)}`;
    if (strategy === 'DAEMON') return `${start}${colors.dim(shorten('one on each instance', room))}`;
    const count = `${healthyCount} of ${desiredCount} healthy`.padEnd(HEALTHY_WIDTH);
    const lowest = Math.floor(lowestPercent[name] ?? 100);
    const paint = healthyCount < minimumHealthyCount ? colors.red : String;
    const rest = `lowest so far ${lowest}%, at least ${minimumHealthyCount} must be`;
    return `${start}${paint(count)}${colors.dim(shorten(rest, room - HEALTHY_WIDTH))}`;
  });
  const more = lines.length - most;
  if (more <= 0) return lines;
  return [
    ...lines.slice(0, most),
    colors.dim(`     and ${more} more ${more === 1 ? 'service' : 'services'}`),
  ];
}
