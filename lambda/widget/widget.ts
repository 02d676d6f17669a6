import type { PastRoll } from '../history/past-rolls.ts';
import { pictureOfPast } from '../history/picture-of-past.ts';
import { html, joined, type Markup } from '../picture/markup.ts';
import { framed, pictureOf } from '../picture/picture.ts';
import type { Theme } from '../picture/style.ts';
import type { GroupStatus } from '../status/images.ts';
import { groupNow } from './group-now.ts';
import { clusterLevers, leversIn } from './levers.ts';

/** What the widget shows on a dashboard. */
export interface Shown {
  /** How the groups stand; or a sentence that says why nobody knows. */
  readonly now: readonly GroupStatus[] | string;
  readonly rolls: readonly PastRoll[];
  /** What the history tells of the time before is missing in them; absent if nothing is. */
  readonly missingBefore?: Date;
  readonly theme: Theme;
  /** ARN of the function for orders, which the viewer invokes with rights of their own. */
  readonly ordersArn: string;
}

/**
 * Each cluster with its levers and its groups as they stand; below, the latest roll of each group, those that
 * haven't ended first.
 */
export function widgetOf({ now, rolls, missingBefore, theme, ordersArn }: Shown): string {
  const groups = typeof now === 'string' ? [] : now;
  const latest = latestOf(rolls);
  const clusters = [...new Set([...groups, ...latest].map(({ cluster }) => cluster))].sort();
  const parts: Markup[] = [
    ...(typeof now === 'string' ? [html`<p class="waits">${now}</p>`] : []),
    ...clusters.map((cluster) => {
      const own = groups.filter((each) => each.cluster === cluster);
      return html`<h2>${cluster}</h2>
${leversIn(clusterLevers(cluster), ordersArn)}${joined(own.map((each) => groupNow(each, ordersArn)))}`;
    }),
    ...(missingBefore === undefined ? [] : [html`<p class="waits">${describeMissing(missingBefore)}</p>`]),
    ...(latest.length === 0 ? [html`<p>No roll has been told of within this time.</p>`] : []),
  ];
  const { text } = html`<div class="cwdb-no-default-styles"></div>
${framed(joined(parts), theme)}${joined(latest.map((roll) => pictureOf(pictureOfPast(roll, waitsFor(roll, groups)), theme)))}`;
  return text;
}

function describeMissing(before: Date): string {
  return `The history is longer than is read here: what it told before ${before.toISOString()} is not shown.`;
}

/** Of a roll that is under way. */
function waitsFor({ cluster, group, endedAt }: PastRoll, groups: readonly GroupStatus[]): string | undefined {
  if (endedAt !== undefined) return undefined;
  return groups.find((each) => each.cluster === cluster && each.group === group)?.reason;
}

function latestOf(rolls: readonly PastRoll[]): PastRoll[] {
  const latest = new Map<string, PastRoll>();
  for (const roll of rolls) {
    const key = JSON.stringify([roll.cluster, roll.group]);
    const known = latest.get(key);
    if (known === undefined || known.startedAt < roll.startedAt) latest.set(key, roll);
  }
  const isOver = ({ endedAt }: PastRoll) => Number(endedAt !== undefined);
  return [...latest.values()].sort((a, b) => isOver(a) - isOver(b) || (a.startedAt < b.startedAt ? 1 : -1));
}
