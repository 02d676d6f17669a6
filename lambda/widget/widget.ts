import type { PastRoll } from '../history/past-rolls.ts';
import type { PastTermination } from '../history/past-terminations.ts';
import { type LookedAt, pictureOfPast } from '../history/picture-of-past.ts';
import { html, joined, type Markup } from '../picture/markup.ts';
import { framed, pictureOf } from '../picture/picture.ts';
import type { Theme } from '../picture/style.ts';
import type { GroupStatus } from '../status/images.ts';
import { groupNow } from './group-now.ts';
import { clusterLevers, leversIn } from './levers.ts';
import { terminationsOf } from './terminations.ts';

/** What the widget shows on a dashboard. */
export interface WidgetContent {
  /** How the groups stand; or a sentence that says why nobody knows. */
  readonly now: readonly GroupStatus[] | string;
  readonly at: Date;
  readonly rolls: readonly PastRoll[];
  /** What groups ended outside rolls, the latest first. */
  readonly terminations: readonly PastTermination[];
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
export function widgetOf(content: WidgetContent): string {
  const { now, at, rolls, terminations, missingBefore, theme, ordersArn } = content;
  const groups = typeof now === 'string' ? [] : now;
  const told = latestOf(rolls, groups);
  const latest = told.slice(0, MOST_ROLLS);
  // Those of groups come first: of others anybody's events may tell, by names of any length.
  const named = [...new Set([...groups, ...latest].map(({ cluster }) => cluster))];
  const levers = fitting(named, MOST_BYTES / 8, (each) => leversIn(clusterLevers(each), ordersArn)).shown;
  const clusters = [...levers.keys()].sort();
  const ended = fitting([...levers.keys()], MOST_BYTES / 8, (each) =>
    terminationsOf(each, terminations),
  ).shown;
  const standing = fitting(groups, MOST_BYTES / 2, (each) => groupNow(each, ordersArn));
  const drawn = fitting(
    latest,
    MOST_BYTES - bytesOf(...levers.values(), ...ended.values(), ...standing.shown.values()),
    (roll) => pictureOf(pictureOfPast(roll, lookedAt(roll, groups, at)), theme),
  );
  const parts: Markup[] = [
    ...(typeof now === 'string' ? [html`<p class="waits">${now}</p>`] : []),
    ...clusters.map((cluster) => {
      const own = groups.filter((each) => each.cluster === cluster);
      return html`<h2>${cluster}</h2>
${levers.get(cluster) ?? ''}${joined(own.flatMap((each) => standing.shown.get(each) ?? []))}${ended.get(cluster) ?? ''}`;
    }),
    ...leftOut(standing.leftOut, 'group', 'ecs-ami-deploy status shows them all'),
    ...leftOut(
      drawn.leftOut + told.length - latest.length,
      'roll',
      'ecs-ami-deploy history --html rolls.html draws them all',
    ),
    ...(missingBefore === undefined ? [] : [html`<p class="waits">${describeMissing(missingBefore)}</p>`]),
    ...(latest.length > 0 || terminations.length > 0 ? [html`<p>${AS_TOLD}</p>`] : []),
    ...(latest.length === 0 ? [html`<p>The history has no roll in this time.</p>`] : []),
  ];
  const { text } = html`<div class="cwdb-no-default-styles"></div>
${framed(joined(parts), theme)}${joined([...drawn.shown.values()])}`;
  return text;
}

/** Each takes time to draw, and anybody's events may tell of any number. */
const MOST_ROLLS = 100;

/** Nobody can check it here: see docs/events.md. */
const AS_TOLD = 'Rolls and terminations are shown as events on the event bus tell of them.';

/** Lambda takes 6 MB of JSON. So much is made of markup; what is around it takes some, too. */
const MOST_BYTES = 4_000_000;

/** As Lambda hands them over: in JSON some signs take more than they do here. */
function bytesOf(...all: readonly Markup[]): number {
  return all.reduce((sum, { text }) => sum + Buffer.byteLength(JSON.stringify(text)), 0);
}

/** The first of them, and of the others those that still have room. */
function fitting<Item>(items: readonly Item[], most: number, markupOf: (item: Item) => Markup) {
  const shown = new Map<Item, Markup>();
  let room = most;
  for (const item of items) {
    const markup = markupOf(item);
    const bytes = bytesOf(markup);
    if (bytes > room) continue;
    room -= bytes;
    shown.set(item, markup);
  }
  return { shown, leftOut: items.length - shown.size };
}

function leftOut(count: number, noun: string, where: string): Markup[] {
  if (count === 0) return [];
  const who = count === 1 ? `1 other ${noun} has` : `${count} other ${noun}s have`;
  return [html`<p class="waits">${who} no room here: ${where}.</p>`];
}

function describeMissing(before: Date): string {
  return `The history is longer than is read here: what it told before ${before.toISOString()} is not shown.`;
}

/** Of a roll that is under way. */
function lookedAt(
  { cluster, group, endedAt }: PastRoll,
  groups: readonly GroupStatus[],
  at: Date,
): LookedAt | undefined {
  const found = groups.find((each) => each.cluster === cluster && each.group === group);
  return endedAt !== undefined || found === undefined ? undefined : { at, status: found };
}

/** Groups that there are come first, then what hasn't ended. */
function latestOf(rolls: readonly PastRoll[], groups: readonly GroupStatus[]): PastRoll[] {
  const there = new Set(groups.map(({ cluster, group }) => JSON.stringify([cluster, group])));
  const latest = new Map<string, PastRoll>();
  for (const roll of rolls) {
    const key = JSON.stringify([roll.cluster, roll.group]);
    const known = latest.get(key);
    if (known === undefined || known.startedAt < roll.startedAt) latest.set(key, roll);
  }
  const rank = ({ cluster, group, endedAt }: PastRoll) =>
    (there.has(JSON.stringify([cluster, group])) ? 0 : 2) + (endedAt === undefined ? 0 : 1);
  return [...latest.values()]
    .map((roll) => ({ roll, rank: rank(roll) }))
    .sort((a, b) => a.rank - b.rank || (a.roll.startedAt < b.roll.startedAt ? 1 : -1))
    .map(({ roll }) => roll);
}
