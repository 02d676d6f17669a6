import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import picocolors from 'picocolors';
import type { Page } from './session.ts';
import { oneLine, withTimes } from './text.ts';

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};
const GAP = NO_LINES.middle.length;
/** A cell that is cut to less says nothing; nor does an image's name without its date. */
const [NARROWEST, NARROWEST_NAME] = [10, 35];

/** How a table that is too wide for the terminal gets narrower; columns by their titles. */
export interface Shape {
  /** Its texts go on in further lines. */
  readonly wraps?: string;
  /** Names of images: cut at their end, and left out where there is no room for their date. */
  readonly drops?: string;
  /**
   * Ids, cut in the middle, one after the other, as they differ at their ends. Names are never cut.
   */
  readonly cuts?: readonly string[];
}

/**
 * A table without lines, as other command lines have it: to be read, and to be cut by `awk`. What goes into a
 * pipe is never made narrower.
 */
export function table(
  page: Page,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  shape: Shape = {},
): string {
  const flat = rows.map((row) => row.map((cell) => withTimes(oneLine(cell))));
  const fitted = narrowed(page.columns, { head, rows: flat }, shape);
  const { dim } = colorsOf(page);
  const made = new Table({
    head: fitted.head.map((title) => dim(title)),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  made.push(...fitted.rows.flatMap(linesOf));
  const lines = made.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** A row for each line of its cells: for a cell of many lines the table takes seconds. */
function linesOf(row: readonly string[]): string[][] {
  const cells = row.map((cell) => cell.split('\n'));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ''));
}

/** Rows of groups, whose name comes first, below that of their cluster, which stands once. */
export function underHeadings<Group extends { readonly cluster: string }>(
  groups: readonly Group[],
  rowsOf: (group: Group) => readonly (readonly string[])[],
): string[][] {
  return [...new Set(groups.map(({ cluster }) => cluster))].flatMap((name) => {
    const rows = groups.filter(({ cluster }) => cluster === name).flatMap(rowsOf);
    return [[name], ...rows.map(([group, ...cells]) => [`  ${group}`, ...cells])];
  });
}

interface Cells {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function narrowed(columns: number | undefined, { head, rows }: Cells, shape: Shape): Cells {
  if (columns === undefined) return { head, rows };
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const within = widthsWithin(columns, head, widths, shape);
  const kept = <Item>(items: readonly Item[]) => items.filter((_, index) => within[index] !== LEFT_OUT);
  const cell = (text: string, index: number) => {
    const [title, width = 0] = [head[index], within[index]];
    if (width === widths[index]) return text;
    if (title === shape.wraps) return wrapped(text, width).join('\n');
    return title === shape.drops ? cutEnd(text, width) : cutMiddle(text, width);
  };
  return { head: kept(head), rows: rows.map((row) => kept(row.map(cell))) };
}

const LEFT_OUT = 0;

function widthsWithin(
  columns: number,
  head: readonly string[],
  widths: readonly number[],
  { wraps, drops, cuts = [] }: Shape,
): number[] {
  const within = [...widths];
  let excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - columns;
  const shrink = (title: string | undefined, narrowest: number) => {
    const index = title === undefined ? -1 : head.indexOf(title);
    const width = widths[index];
    if (width === undefined || excess <= 0) return;
    const most = Math.max(Math.min(width, narrowest), width - excess);
    excess -= width - most;
    within[index] = most;
  };
  shrink(wraps, 2 * NARROWEST);
  shrink(drops, NARROWEST_NAME);
  const dropped = drops === undefined ? -1 : head.indexOf(drops);
  if (excess > 0 && dropped >= 0) {
    excess -= (within[dropped] ?? 0) + GAP;
    within[dropped] = LEFT_OUT;
  }
  for (const title of cuts) shrink(title, NARROWEST);
  return within;
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

function cutEnd(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
}

/** As many lines as it takes, broken at blanks where there are any. */
export function wrapped(text: string, room: number): string[] {
  // Less than a terminal may have left beside an indent.
  const width = Math.max(1, room);
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const end = blank > 0 ? blank : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** A text whose further lines begin where its own text does, behind its lead. */
export function hanging(
  { columns }: Page,
  lead: string,
  text: string,
  { indent = lead.length, paint = String }: { indent?: number; paint?: (lead: string) => string } = {},
): string {
  const [begun, said] = [oneLine(lead), withTimes(oneLine(text))];
  if (columns === undefined || begun.length + said.length <= columns) return `${paint(begun)}${said}`;
  const [first = '', ...others] = wrapped(`${'x'.repeat(lead.length)}${said}`, columns);
  const further = wrapped(others.join(' '), columns - indent);
  return [
    `${paint(begun)}${first.slice(lead.length)}`,
    ...further.map((line) => `${' '.repeat(indent)}${line}`),
  ].join('\n');
}

export function colorsOf({ color }: Pick<Page, 'color'>): ReturnType<typeof picocolors.createColors> {
  return picocolors.createColors(color);
}

/** A state in the color that it is worth. */
export function colored(page: Pick<Page, 'color'>, state: string): string {
  const { green, yellow, red, cyan } = colorsOf(page);
  const by: Readonly<Record<string, (text: string) => string>> = {
    'up-to-date': green,
    completed: green,
    noted: green,
    qualified: green,
    planned: cyan,
    'in-progress': cyan,
    rolling: cyan,
    soaking: cyan,
    asking: yellow,
    paused: yellow,
    skipped: yellow,
    aborted: yellow,
    'rolled-back': red,
    blocked: red,
    failed: red,
    halted: red,
  };
  return by[state]?.(state) ?? state;
}
