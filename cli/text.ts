import Table from 'cli-table3';
import picocolors from 'picocolors';
import { isAsked } from '../lambda/core/model/reason.ts';
import { EXIT, type Exit, type Terminal } from './session.ts';

type Colors = ReturnType<typeof picocolors.createColors>;

export function colorsOf({ color }: Pick<Terminal, 'color'>): Colors {
  return picocolors.createColors(color);
}

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

/** A table without lines, as other command lines have it: to be read, and to be cut by `awk`. */
export function table(
  { color }: Pick<Terminal, 'color'>,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const { dim } = colorsOf({ color });
  const made = new Table({
    head: head.map((title) => dim(title)),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  made.push(...rows.map((row) => [...row]));
  const lines = made.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** A state in the color that it is worth. */
export function colored({ color }: Pick<Terminal, 'color'>, state: string): string {
  const { green, yellow, red, cyan } = colorsOf({ color });
  const by: Readonly<Record<string, (text: string) => string>> = {
    'up-to-date': green,
    completed: green,
    noted: green,
    planned: cyan,
    'in-progress': cyan,
    paused: yellow,
    skipped: yellow,
    aborted: yellow,
    'rolled-back': red,
    blocked: red,
    failed: red,
  };
  return by[state]?.(state) ?? state;
}

/** What an exit status is told from. */
interface Ended {
  readonly state: string;
  readonly becauseCode?: string;
}

/** For a shell: whether there is something to do, or something is wrong. */
export function exitFor(groups: readonly Ended[]): Exit {
  if (groups.some(isWrong)) return EXIT.failed;
  const isOpen = groups.some(({ state }) => state === 'planned' || state === 'in-progress');
  return isOpen ? EXIT.planned : EXIT.done;
}

/** A rollback that somebody asked for isn't. */
function isWrong({ state, becauseCode = 'cause-lost' }: Ended): boolean {
  if (state === 'rolled-back') return !isAsked({ code: becauseCode });
  return state === 'failed' || state === 'blocked';
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** As people write a time: to the minute, UTC. */
export function timeText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}
