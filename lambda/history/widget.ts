import { html, joined, type Markup } from '../picture/markup.ts';
import { pictureOf } from '../picture/picture.ts';
import type { Theme } from '../picture/style.ts';
import type { PastRoll } from './past-rolls.ts';
import { pictureOfPast } from './picture-of-past.ts';

/** What the widget shows on a dashboard. */
export interface Shown {
  readonly rolls: readonly PastRoll[];
  readonly theme: Theme;
  /** ARN of the function for orders, which the viewer invokes with rights of their own. */
  readonly ordersArn: string;
}

/** What a person may order of a cluster, and what the dashboard asks them first. */
const LEVERS = [
  ['pause', 'Pause', 'Finish the instance in hand, and begin nothing more?'],
  ['resume', 'Resume', 'Lift the pause?'],
  ['rollback', 'Roll back', 'Give the groups whose roll has begun their old image back?'],
  ['abort', 'Abort', 'End the rolls halfway? The groups keep launching the new image.'],
] as const;

/** The latest roll of each group, those that haven't ended first, and the levers of their clusters. */
export function widgetOf({ rolls, theme, ordersArn }: Shown): string {
  const latest = latestOf(rolls);
  const clusters = [...new Set(latest.map(({ cluster }) => cluster))].sort();
  const { text } = html`<div class="cwdb-no-default-styles"></div>
${html`${latest.length === 0 ? 'No roll has been told of in this time.' : ''}`}
${joined(clusters.map((cluster) => leversOf(cluster, ordersArn)))}
${joined(latest.map((roll) => pictureOf(pictureOfPast(roll), theme)))}`;
  return text;
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

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/add_custom_widget_dashboard_interactivity.html */
function leversOf(cluster: string, ordersArn: string): Markup {
  const buttons = LEVERS.map(([action, label, question]) => {
    const event = JSON.stringify({ action, clusters: [cluster] });
    return html`<a class="btn">${label}</a><cwdb-action action="call" display="popup" endpoint="${ordersArn}" confirmation="${cluster}: ${question}">${event}</cwdb-action> `;
  });
  return html`<p><b>${cluster}</b> ${joined(buttons)}</p>
`;
}
