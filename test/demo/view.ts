import type { Colors, Formatter } from 'picocolors/types.js';
import { type Canvas, shorten, wrap, wrapAll } from './canvas.ts';
import { instanceLines, serviceLines } from './lists.ts';
import {
  countsOf,
  type Ending,
  isRolledBack,
  type Phase,
  type Progress,
  type Row,
  rowsOf,
  standing,
  timeOf,
} from './progress.ts';
import type { Told } from './told.ts';

const [SHORTEST_BAR, LONGEST_BAR] = [10, 40];
const MOST_LOG_LINES = 8;
const LEAST_LOG_LINES = 3;
/** Of header, bar, titles, legend, the invocation with its reason, and blank lines. */
const FIXED_LINES = 11;

/** No lower frame shows more than the first of a heading: it would leave too little room. */
const LEAST_ROWS = 30;

/**
 * A frame below a heading, which stays whole lines: one that is longer than the canvas is wide gets more of
 * them. What has no room at the end is left out.
 */
export function framed(heading: readonly string[], progress: Progress, canvas: Canvas): string[] {
  const shown = canvas.rows < LEAST_ROWS ? heading.slice(0, 1) : heading;
  const above = shown.flatMap((line) => wrapAll(line, canvas.columns));
  const lines = view(progress, { ...canvas, rows: canvas.rows - above.length });
  return [...above, ...lines].slice(0, canvas.rows);
}

/** One frame of a roll's progress, a string for each line. */
export function view(progress: Progress, canvas: Canvas): string[] {
  const rows = rowsOf(progress);
  const services = serviceLines(progress, canvas);
  const room = canvas.rows - FIXED_LINES - services.length;
  const logLines = Math.max(LEAST_LOG_LINES, Math.min(MOST_LOG_LINES, room - rows.length));
  const lines = [
    ...headerLines(progress, canvas),
    '',
    ...instanceLines(rows, progress, canvas, room - logLines),
    '',
    ...services,
    '',
    ...phaseLines(progress, canvas),
    '',
    ...happenings(progress)
      .slice(-logLines)
      .map((told) => toldLine(told, canvas)),
  ];
  return lines.map((line) => line.trimEnd());
}

/** What is waited for stands above the log, as long as it is. */
function happenings({ told }: Progress): Told[] {
  return told.filter(({ kind }) => kind !== 'reason');
}

function headerLines(progress: Progress, { colors, columns }: Canvas): string[] {
  const { cluster, newImage, flaw, speed, elapsedSeconds, calls } = progress;
  const title = shorten(`cluster ${cluster} onto ${newImage.id} (${flaw ?? newImage.name})`, columns - 10);
  const [far, time] = [standing(progress), timeOf(elapsedSeconds)];
  const rest = columns - `  ${far}   ${time} `.length - SHORTEST_BAR - 2;
  const aside = shorten(`${speed}× as fast, ${calls} calls`, rest);
  const width = Math.min(LONGEST_BAR, SHORTEST_BAR + rest - aside.length);
  return [
    `  ${colors.bold('Rolling')} ${title}`,
    `  ${barOf(progress, width, colors)}  ${colors.bold(far)}   ${time} ${colors.dim(aside)}`,
  ];
}

/** What is replaced, and what drains; on the way back, what still runs the new image. */
function barOf(progress: Progress, width: number, colors: Colors): string {
  const { ended, draining, total } = countsOf(progress);
  const cells = (count: number) => Math.round((width * Math.min(count, total)) / total);
  const empty = (count: number) => colors.dim('░'.repeat(count));
  if (progress.course === 'back' || isRolledBack(progress)) {
    const left = cells(rowsOf(progress).filter(runsNewImage).length);
    return `${colors.red('█'.repeat(left))}${empty(width - left)}`;
  }
  const [full, begun] = [cells(ended), cells(ended + draining) - cells(ended)];
  return `${colors.green('█'.repeat(full))}${colors.yellow('▓'.repeat(begun))}${empty(width - full - begun)}`;
}

function runsNewImage({ image, classified }: Row): boolean {
  return image === 'new' && classified !== 'gone';
}

/** Three lines until it is over, so that nothing below them jumps. */
function phaseLines(progress: Progress, { colors, columns }: Canvas): string[] {
  const { phase, reason, elapsedSeconds } = progress;
  const width = columns - 6;
  if (phase.kind === 'over') return [`  ${colors.bold(overText(phase, colors))}`];
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
    `  ${paint(shorten(`${ending.kind === 'killed' ? '✘ ' : ''}Invocation ${number} ${endingText(ending)}`, width))}`,
    `     The next comes in ${inSeconds}, with { "action": "${next.action}" }.`,
    '     It finds its way by the tags. Meanwhile the world goes on.',
  ];
}

function overText({ ending, isExpected }: Extract<Phase, { kind: 'over' }>, colors: Colors): string {
  const text = ending === undefined ? 'Not over' : ending === 'completed' ? 'Completed' : 'Rolled back';
  return isExpected ? colors.green(`✔ ${text}`) : colors.red(`✘ ${text}`);
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
  const line = shorten(text, columns - stamp.length - 1);
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
