import { html, joined, type Markup } from '../picture/markup.ts';

/** A button, and what it orders. */
export interface Lever {
  readonly label: string;
  /** What somebody is asked first. */
  readonly asks: string;
  /** What the function for orders gets. */
  readonly event: {
    readonly action: string;
    readonly clusters: readonly string[];
    readonly group?: string;
    readonly question?: string;
  };
}

const OF_CLUSTER = [
  ['pause', 'Pause', 'Finish the instance in hand, and begin nothing more?'],
  ['resume', 'Resume', 'Lift the pause?'],
  ['skip', 'Skip', 'Call off the rolls that are announced?'],
  ['rollback', 'Roll back', 'Give the groups whose roll has begun their old image back?'],
  ['abort', 'Abort', 'End the rolls halfway? The groups keep launching the new image.'],
] as const;

/** What a person may order of a cluster. */
export function clusterLevers(cluster: string): Lever[] {
  return OF_CLUSTER.map(([action, label, asks]) => ({
    label,
    asks: `${cluster}: ${asks}`,
    event: { action, clusters: [cluster] },
  }));
}

/**
 * What a person may answer a group that asks. Its tags are taken at their word here; the function for orders
 * lets the answer count for this group only, and only if it asks that.
 */
export function answerLevers(cluster: string, group: string, question: string): Lever[] {
  const lever = (action: string, label: string, asks: string): Lever => ({
    label,
    asks: `${cluster}/${group}: ${asks}`,
    event: { action, clusters: [cluster], group, question },
  });
  return [
    lever('approve', 'Approve', 'Let the roll go on?'),
    lever('refuse', 'Refuse', 'Stop the roll? After a trial it goes back.'),
  ];
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/add_custom_widget_dashboard_interactivity.html */
export function leversIn(levers: readonly Lever[], ordersArn: string): Markup {
  const buttons = levers.map(
    ({ label, asks, event }) =>
      html`<a class="btn">${label}</a><cwdb-action action="call" display="popup" endpoint="${ordersArn}" confirmation="${asks}">${JSON.stringify(event)}</cwdb-action> `,
  );
  return html`<p>${joined(buttons)}</p>
`;
}
