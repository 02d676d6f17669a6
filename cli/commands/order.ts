import type { Order } from '../../lambda/core/model/request.ts';
import type { GroupQuestion } from '../../lambda/core/reasons/words.ts';
import { concernsRolls, isAnswer } from '../../lambda/orders/order.ts';
import { ordersIn } from '../answers.ts';
import { invoke } from '../aws/functions.ts';
import { colored } from '../colors.ts';
import { findOrders } from '../deployed.ts';
import { table } from '../layout.ts';
import { type ChangeOptions, confirm, EXIT, type Exit, type Terminal } from '../session.ts';
import { exitFor, json } from '../text.ts';

const SHAPE = { wraps: 'WHY', cuts: ['GROUP', 'CLUSTER'] } as const;

const QUESTIONS: Readonly<Record<Order, (where: string) => string>> = {
  pause: (where) => `Pause ${where}? The instance in hand is finished, and nothing more begins.`,
  resume: (where) => `Resume ${where}?`,
  abort: (where) =>
    `Abort the rolls of ${where}? The groups keep launching the new image; \`rollback\` gives the old one back.`,
  skip: (where) =>
    `Call off the announced rolls of ${where}? Their images aren't tried again until newer ones come.`,
  approve: (where) => `Let the roll of ${where} that asked this go on?`,
  refuse: (where) =>
    `Refuse what the roll of ${where} asked? After a trial it goes back, before a batch it stops halfway.`,
  rollback: (where) => `Give the groups of ${where} whose roll has begun their old image back?`,
};

/**
 * Gives an order, also while a roll is under way.
 *
 * @param answers what is approved or refused
 */
export async function order(
  action: Order,
  clusters: readonly string[],
  options: ChangeOptions,
  terminal: Terminal,
  answers?: GroupQuestion,
): Promise<Exit> {
  const found = await findOrders(options);
  const where = answers?.group ?? (clusters.length > 0 ? clusters.join(', ') : 'all clusters');
  await confirm(QUESTIONS[action](where), options, terminal);
  const event = {
    action,
    ...(clusters.length > 0 && { clusters }),
    ...answers,
  };
  const taken = `The ${action} is taken or not; \`ecs-ami-deploy status\` shows which.`;
  const answer = await terminal.outlived(taken, () =>
    terminal.waiting(`${found.name} notes the ${action}`, () => invoke(found.arn, event)),
  );
  const groups = ordersIn(answer);
  const rows = groups.map((each) => [each.cluster, each.group, colored(terminal, each.state), each.reason]);
  const head = ['CLUSTER', 'GROUP', 'STATE', 'WHY'];
  terminal.out(options.json ? json({ function: found.name, groups }) : table(terminal, head, rows, SHAPE));
  if (groups.some(({ state }) => state === 'noted') && (concernsRolls(action) || action === 'resume'))
    terminal.note(
      'A roll under way obeys within seconds, any other within 5 minutes; `ecs-ami-deploy continue` hurries.',
    );
  const isUnasked = isAnswer(action) && groups.every(({ state }) => state !== 'noted');
  return isUnasked ? EXIT.failed : exitFor(groups);
}
