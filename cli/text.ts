import { isAsked } from '../lambda/core/reasons/reason.ts';
import { EXIT, type Exit, type Page } from './session.ts';

/** What an exit status is told from. */
interface Ended {
  readonly state: string;
  readonly becauseCode?: string;
  /** Absent of an order. */
  readonly instances?: { readonly drifted: number; readonly detached: number };
}

/** For a shell: whether there is something to do, or something is wrong. */
export function exitFor(groups: readonly Ended[]): Exit {
  if (groups.some(isWrong)) return EXIT.failed;
  const isOpen = (each: Ended) =>
    each.state === 'planned' || each.state === 'in-progress' || leftWhilePaused(each) > 0;
  return groups.some(isOpen) ? EXIT.planned : EXIT.done;
}

/** How many instances a group will replace once nothing pauses it. */
export function leftWhilePaused({ state, instances }: Ended): number {
  return state === 'paused' && instances !== undefined ? instances.drifted + instances.detached : 0;
}

/** A rollback that somebody asked for isn't. */
function isWrong({ state, becauseCode = 'cause-lost' }: Ended): boolean {
  if (state === 'rolled-back') return !isAsked({ code: becauseCode });
  return state === 'failed' || state === 'blocked';
}

export function json(value: unknown): string {
  return escaped(JSON.stringify(value, undefined, 2));
}

/**
 * What a terminal obeys, or hides a name behind: control characters, those that turn the direction, and
 * further ends of a line.
 */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
const isHarmless = (sign: string) => sign === '\n' || sign === '\t';

/** JSON as a terminal may see it: some of these signs are as they are in what makes JSON. */
export function escaped(text: string): string {
  return text.replace(CONTROL, (sign) =>
    isHarmless(sign) ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const ESC = '\u001b';
/** What colors.ts makes. */
const COLORS = new RegExp(`(${ESC}\\[(?:1|2|22|3[1236]|39)m)|${CONTROL.source}`, 'gu');

/**
 * A text that only tells: names, reasons and log lines are strangers', and may hold what sets a terminal's
 * clipboard or moves its cursor. Of all that the colors stay, where there are any, and end with the text.
 */
export function legible(text: string, { color }: Pick<Page, 'color'>): string {
  const shown = text
    .replaceAll('\r\n', '\n')
    .replace(COLORS, (sign, ours) => (isHarmless(sign) || (ours && color) ? sign : '\ufffd'));
  return shown.includes(ESC) ? `${shown}${ESC}[39;22m` : shown;
}

/** A stranger's text in a line of ours: with lines of its own it could pass for more of ours. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Zl}\p{Zp}\t-\r\u0085]/gu, ' ');
}

/** A text that may have several lines: none but the first begins where a line of ours does. */
export function indented(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[\p{Zl}\p{Zp}\n-\r\u0085]/gu, '\n  ');
}

/** Times within a text as people write them: to the second, UTC. */
export function withTimes(text: string): string {
  return text.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1 $2Z');
}

/** A time as people write it, where minutes are enough. */
export function timeText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}
