import { CLUSTER_ITSELF } from '../core/result.ts';
import { html, joined, type Markup } from '../picture/markup.ts';
import type { GroupStatus } from '../status/images.ts';
import { countOf, durationText, runningText, servicesText, standingText } from '../status/words.ts';
import { answerLevers, leversIn } from './levers.ts';

/** How a group stands, and what it waits for; with a lever for each answer if it asks. */
export function groupNow(status: GroupStatus, ordersArn: string): Markup {
  const { cluster, group, question } = status;
  const rows = factsOf(status).map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`);
  const levers = question === undefined ? [] : [leversIn(answerLevers(cluster, group, question), ordersArn)];
  return html`<h3>${group === CLUSTER_ITSELF ? 'The cluster itself' : group}</h3>
<dl>${joined(rows)}</dl>
${joined(levers)}`;
}

function factsOf(status: GroupStatus): [label: string, text: string][] {
  const {
    group,
    state,
    running,
    reason,
    course = 'stopped',
    because,
    services,
    forecast,
    warnings = [],
    instances,
  } = status;
  const isGroup = group !== CLUSTER_ITSELF && running.length > 0;
  return [
    ['State', isGroup ? `${state}, ${standingText([status])}` : state],
    ...running.map((image): [string, string] => ['Runs', runningText(image)]),
    ...(instances.detached === 0 ? [] : [['Leaving', leavingText(instances.detached)] as [string, string]]),
    ['Now', reason],
    ...(because === undefined ? [] : [['Course', `${course}, because ${because}`] as [string, string]]),
    ...(services === undefined ? [] : [['Services', servicesText(services)] as [string, string]]),
    ...(forecast === undefined
      ? []
      : [['Left', `${durationText(forecast.seconds)} if all goes well`] as [string, string]]),
    ...warnings.map((warning): [string, string] => ['Warning', warning]),
  ];
}

/** A group no longer has what it has detached, though the picture still shows it serving. */
function leavingText(detached: number): string {
  return `${countOf(detached, 'old instance')}, detached or about to be, keep their tasks until they are drained`;
}
