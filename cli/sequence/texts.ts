import { cut } from '../../lambda/core/text/events.ts';
import { hanging } from '../layout.ts';
import type { Page } from '../session.ts';

/** What names each of a thousand stacks tells enough by its beginning; `--json` has all of it. */
const LONGEST = 1000;
const MOST_LINES = 30;

export const shortened = (text: string) => cut(text, LONGEST);

/** Each text in a line of its own, as many as somebody reads. */
export function listed(texts: readonly string[], page: Page): string[] {
  const left = texts.length - MOST_LINES;
  return [
    ...texts.slice(0, MOST_LINES).map((each) => hanging(page, '  ', shortened(each), { indent: 4 })),
    ...(left > 0 ? [`  … and ${left} more; --json has them`] : []),
  ];
}
