import { cut } from '../core/text/events.ts';
import type { PastTermination } from '../history/past-terminations.ts';
import { html, joined, type Markup } from '../picture/markup.ts';

/** Anybody's events may tell of any number. */
const MOST_GROUPS = 100;
const LONGEST = 500;

/** By group, how many instances it ended outside rolls, and the last whose tasks were cut off. */
export function terminationsOf(cluster: string, told: readonly PastTermination[]): Markup {
  const own = told.filter((each) => each.cluster === cluster);
  const groups = [...new Set(own.map(({ group }) => group))].sort().slice(0, MOST_GROUPS);
  return joined(
    groups.map((group) => {
      const ended = own.filter((each) => each.group === group);
      const cutShort = ended.filter((each) => each.ended === 'timed-out');
      const drained = `${group}, outside rolls: ${ended.length - cutShort.length} drained`;
      const [last] = cutShort;
      if (last === undefined) return html`<p>${drained}</p>`;
      return html`<p class="waits">${drained}, ${cutShort.length} timed out, the last at ${last.at}: ${cut(last.text, LONGEST)}</p>`;
    }),
  );
}
