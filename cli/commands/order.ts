import type { Order } from '../../lambda/core/model/request.ts';
import type { GroupQuestion } from '../../lambda/core/reasons/words.ts';
import { concernsRolls, isAnswer } from '../../lambda/orders/order.ts';
import { DOES } from '../../lambda/status/words.ts';
import { ordersIn } from '../answers.ts';
import { invoke } from '../aws/functions.ts';
import { findOrders } from '../deployed.ts';
import { colored, table, underHeadings } from '../layout.ts';
import { demandGroup, demandRolled, rolledBy } from '../read.ts';
import { type ChangeOptions, confirm, EXIT, type Exit, type Terminal } from '../session.ts';
import { exitFor, json } from '../text.ts';

/** What a group's tag may ask for, of that group alone. */
const BY_TAG: readonly Order[] = ['pause', 'resume', 'rollback', 'abort'];
const OF_A_GROUP = ', all of it, or write the tag of that group alone: docs/orders.md';

const SHAPE = { wraps: 'WHY' } as const;

/**
 * Gives an order, also while a roll is under way.
 *
 * @param answers what is approved or refused
 */
export async function order(
  action: Order,
  options: ChangeOptions,
  terminal: Terminal,
  clusters: readonly string[],
  answers?: GroupQuestion,
): Promise<Exit> {
  const found = await findOrders(options);
  await demandRolled(clusters, rolledBy(found), BY_TAG.includes(action) ? OF_A_GROUP : '');
  if (answers !== undefined) await demandGroup(answers.group, rolledBy(found));
  const where = answers?.group ?? (clusters.length > 0 ? clusters.join(', ') : 'all clusters');
  await confirm(`${action} ${where}: ${DOES[action]}?`, options, terminal);
  const event = {
    action,
    ...(clusters.length > 0 && { clusters }),
    ...answers,
  };
  const taken = `The order is taken or not; \`ecs-ami-deploy status\` shows which.`;
  const answer = await terminal.outlived(taken, () =>
    terminal.waiting(`${found.name} notes the order to ${action}`, () => invoke(found.arn, event)),
  );
  const groups = ordersIn(answer);
  const rows = underHeadings(groups, (each) => [[each.group, colored(terminal, each.state), each.reason]]);
  const head = ['GROUP', 'STATE', 'WHY'];
  terminal.out(options.json ? json({ function: found.name, groups }) : table(terminal, head, rows, SHAPE));
  if (
    groups.some(({ state }) => state === 'noted') &&
    (concernsRolls(action) || action === 'pause' || action === 'resume')
  )
    terminal.note(
      'Obeyed within seconds where the function is at work, otherwise within 5 minutes; `ecs-ami-deploy continue` hurries.',
    );
  const isUnasked = isAnswer(action) && groups.every(({ state }) => state !== 'noted');
  return isUnasked ? EXIT.failed : exitFor(groups);
}
