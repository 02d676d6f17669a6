import { isAsked } from '../lambda/core/model/reason.ts';
import { EXIT, type Exit } from './session.ts';

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
