import type { Order } from '../core/model/request.ts';
import { html, joined, type Markup } from '../picture/markup.ts';
import { DOES } from '../status/words.ts';

/** A button, and what it has the function for orders do. */
export interface Lever {
  readonly action: Order;
  readonly label: string;
  readonly cluster: string;
  /** Whose question is answered. */
  readonly answers?: { readonly group: string; readonly question: string };
}

/** What a person may order of a cluster. */
const OF_CLUSTER = [
  ['pause', 'Pause'],
  ['resume', 'Resume'],
  ['skip', 'Skip'],
  ['rollback', 'Roll back'],
  ['abort', 'Abort'],
] as const;

export function clusterLevers(cluster: string): Lever[] {
  return OF_CLUSTER.map(([action, label]) => ({ action, label, cluster }));
}

/**
 * What a person may answer a group that asks. Its tags are taken at their word here; the function for orders
 * lets the answer count for this group only, and only if it asks that.
 */
export function answerLevers(cluster: string, group: string, question: string): Lever[] {
  const answers = { group, question };
  return [
    { action: 'approve', label: 'Approve', cluster, answers },
    { action: 'refuse', label: 'Refuse', cluster, answers },
  ];
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/add_custom_widget_dashboard_interactivity.html */
export function leversIn(levers: readonly Lever[], ordersArn: string): Markup {
  const buttons = levers.map(({ action, label, cluster, answers }) => {
    const asks = `${answers ? `${cluster}/${answers.group}` : cluster}: ${DOES[action]}?`;
    const event = JSON.stringify({ action, clusters: [cluster], ...answers });
    return html`<a class="btn">${label}</a><cwdb-action action="call" display="popup" endpoint="${ordersArn}" confirmation="${asks}">${event}</cwdb-action> `;
  });
  return html`<p>${joined(buttons)}</p>
`;
}
