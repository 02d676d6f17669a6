import type { Colors, Formatter } from 'picocolors/types.js';
import { countsOf, type Ending, type Progress, type Row, rowsOf, type Standing, timeOf } from './progress.ts';
import type { Told } from './told.ts';

/** Where a frame is to fit in. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly colors: Colors;
}

const BAR_WIDTH = 40;
const MOST_LOG_LINES = 8;
const LEAST_LOG_LINES = 3;
const MOST_DOTS = 16;
const MOST_SERVICES = 6;
/** Of header, bar, titles, the invocation with its reason, and blank lines. */
const FIXED_LINES = 12;

const MARKS: Readonly<Record<Standing, string>> = {
  waits: '○',
  drains: '◐',
  gone: '✔',
  starts: '◌',
  serves: '●',
};

/** One frame of a roll's progress, a string for each line. */
export function view(progress: Progress, canvas: Canvas): string[] {
  const rows = rowsOf(progress);
  const services = serviceLines(progress, canvas);
  const room = canvas.rows - FIXED_LINES - services.length;
  const logLines = Math.max(LEAST_LOG_LINES, Math.min(MOST_LOG_LINES, room - rows.length));
  return [
    ...headerLines(progress, canvas),
    '',
    ...instanceLines(rows, progress, canvas, room - logLines),
    '',
    ...services,
    '',
    ...phaseLines(progress, canvas),
    '',
    ...progress.told.slice(-logLines).map((told) => toldLine(told, canvas)),
  ];
}

function headerLines(progress: Progress, { colors, columns }: Canvas): string[] {
  const { cluster, newImage, speed, elapsedSeconds, calls } = progress;
  const { ended, draining, total } = countsOf(progress);
  const cells = (count: number) => Math.round((BAR_WIDTH * count) / total);
  const [full, begun] = [cells(ended), cells(ended + draining) - cells(ended)];
  const bar = [
    colors.green('█'.repeat(full)),
    colors.yellow('▓'.repeat(begun)),
    colors.dim('░'.repeat(BAR_WIDTH - full - begun)),
  ].join('');
  const title = fit(`cluster ${cluster} onto ${newImage.id} (${newImage.name})`, columns - 10);
  return [
    `  ${colors.bold('Rolling')} ${title}`,
    `  ${bar}  ${colors.bold(`${ended} of ${total}`)} replaced   ${timeOf(elapsedSeconds)} ${colors.dim(
      `at ${speed} times the speed, ${calls} calls`,
    )}`,
  ];
}

function instanceLines(rows: readonly Row[], progress: Progress, canvas: Canvas, room: number): string[] {
  const { colors } = canvas;
  const names = progress.snapshot.services.map(({ name }) => name);
  const shown = mostTelling(rows, Math.max(3, room));
  const hidden = rows.length - shown.length;
  return [
    colors.dim(`     ${columnsOf('instance', 'image', 'group', 'EC2', 'ECS')}tasks`),
    ...shown.map((row) => instanceLine(row, names, colors)),
    ...(hidden > 0 ? [colors.dim(`     and ${hidden} more`)] : []),
  ];
}

/** Those that something happens to come first, where there is no room for all. */
function mostTelling(rows: readonly Row[], room: number): Row[] {
  const order: readonly Standing[] = ['drains', 'starts', 'waits', 'serves', 'gone'];
  const byInterest = [...rows].sort((a, b) => order.indexOf(a.standing) - order.indexOf(b.standing));
  const kept = new Set(rows.length > room ? byInterest.slice(0, room - 1) : rows);
  return rows.filter((row) => kept.has(row));
}

function instanceLine(row: Row, services: readonly string[], colors: Colors): string {
  const paint = paints(colors)[row.standing];
  const line = paint(`  ${MARKS[row.standing]}  ${columnsOf(row.id, row.age, row.group, row.ec2, row.ecs)}`);
  if (row.tasks.length === 0) return line;
  const dots = row.tasks
    .slice(0, MOST_DOTS)
    .map((task) => colorOf(services.indexOf(task), colors)('•'))
    .join('');
  return `${line}${String(row.tasks.length).padStart(2)} ${dots}`;
}

function columnsOf(id: string, age: string, group: string, ec2: string, ecs: string): string {
  return [id.padEnd(21), age.padEnd(7), group.padEnd(13), ec2.padEnd(15), ecs.padEnd(18)].join('');
}

function paints(colors: Colors): Readonly<Record<Standing, Formatter>> {
  return {
    waits: (text) => String(text),
    drains: colors.yellow,
    gone: colors.dim,
    starts: colors.cyan,
    serves: colors.green,
  };
}

/** The color of a service's tasks, so that one sees them move. */
function colorOf(index: number, colors: Colors): Formatter {
  const palette = [colors.magenta, colors.blue, colors.cyan, colors.yellow, colors.green, colors.red];
  return palette[index % palette.length] ?? colors.white;
}

function serviceLines({ snapshot, lowestPercent }: Progress, { colors }: Canvas): string[] {
  const names = snapshot.services.map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const lines = snapshot.services.map((service, index) => {
    const { name, strategy, healthyCount, desiredCount, minimumHealthyCount } = service;
    const dot = colorOf(index, colors)('•');
    if (strategy === 'DAEMON') return `  ${dot}  ${name.padEnd(width)}${colors.dim('one on each instance')}`;
    const count = `${healthyCount} of ${desiredCount} healthy`.padEnd(19);
    const lowest = Math.floor(lowestPercent[name] ?? 100);
    const paint = healthyCount < minimumHealthyCount ? colors.red : String;
    return `  ${dot}  ${name.padEnd(width)}${paint(count)}${colors.dim(
      `never less than ${lowest}% so far, ${minimumHealthyCount} are a must`,
    )}`;
  });
  const more = lines.length - MOST_SERVICES;
  return more > 0 ? [...lines.slice(0, MOST_SERVICES), colors.dim(`     and ${more} more services`)] : lines;
}

/** Always three lines, so that nothing below them jumps. */
function phaseLines(progress: Progress, { colors, columns }: Canvas): string[] {
  const { phase, reason, elapsedSeconds } = progress;
  const width = columns - 6;
  if (phase.kind === 'over')
    return [`  ${phase.completed ? colors.green('Completed.') : colors.red('Not completed.')}`, '', ''];
  if (phase.kind === 'invoked') {
    const [first = '', second = ''] = wrap(reason ?? 'looks around', width);
    return [
      `  ${colors.bold(`Invocation ${phase.number}`)} ${colors.dim(`{ "action": "${phase.action}" }`)}`,
      `     ${first}`,
      `     ${second}`,
    ];
  }
  const { ending, next, number } = phase;
  const inSeconds = timeOf(next.atSeconds - elapsedSeconds);
  const paint: Formatter =
    ending.kind === 'killed' ? (text) => colors.bold(colors.inverse(colors.red(text))) : colors.bold;
  return [
    `  ${paint(` Invocation ${number} ${endingText(ending)} `)}`,
    `     The next comes in ${inSeconds}, with { "action": "${next.action}" }; it finds its way by the tags.`,
    '     Meanwhile the world goes on.',
  ];
}

export function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'killed':
      return `was killed (SIGKILL) after ${ending.calls} calls`;
    case 'answered':
      return `ended: ${ending.state}`;
    case 'failed':
      return `failed: ${ending.message}`;
    case 'idle':
      return 'had nothing to go on with';
  }
}

function toldLine({ atSeconds, number, kind, text }: Told, { colors, columns }: Canvas): string {
  const stamp = `  ${timeOf(atSeconds)}  #${number}  `;
  const line = fit(text, columns - stamp.length - 1);
  const paint: Readonly<Record<Told['kind'], Formatter>> = {
    invoked: colors.bold,
    reason: colors.dim,
    action: String,
    trouble: colors.yellow,
    killed: (text) => colors.bold(colors.red(text)),
    ended: colors.bold,
  };
  return `${colors.dim(stamp)}${paint[kind](line)}`;
}

function fit(text: string, width: number): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
}

/** Two lines at the most. */
function wrap(text: string, width: number): string[] {
  const line = text.replaceAll('\n', ' ');
  if (line.length <= width) return [line];
  const space = line.lastIndexOf(' ', width);
  const end = space > 0 ? space : width;
  return [line.slice(0, end), fit(line.slice(end).trimStart(), width)];
}
