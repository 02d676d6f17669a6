import picocolors from 'picocolors';
import type { Page } from './session.ts';

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
