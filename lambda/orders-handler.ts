import type { Context } from 'aws-lambda';
import { systemClock } from './clock.ts';
import { awsBy, beginInvocation, logger } from './lambda-process.ts';
import type { OrderCommand, Taken } from './orders/order-in-group.ts';
import { orderOf, takeOrder } from './orders/take-order.ts';
import { parseSettings } from './settings/parse-settings.ts';

/** What the function for orders answers. */
export interface OrdersResult {
  readonly groups: readonly Taken[];
}

/** Some group did not get the order. The others did. */
export class OrderFailed extends Error {
  override readonly name = 'OrderFailed';

  constructor({ action }: OrderCommand, failed: readonly Taken[]) {
    const groups = failed.map(({ cluster, group, reason }) => `${cluster}/${group}: ${reason}`);
    super(`${action} was not noted; give it again\n${groups.join('\n')}`);
  }
}

/**
 * The Lambda function that takes orders while the other one rolls: beside its reserved slot, it writes them on the tags of
 * groups, where that one finds them at its next look.
 *
 * @param event `{ action, clusters? }` with an action of `ORDERS`
 * @throws ConfigurationError, EventError before anything is looked at
 * @throws OrderFailed when a group did not get the order, after the others did
 */
export async function orders(event: unknown, context: Context): Promise<OrdersResult> {
  const remainingSeconds = beginInvocation(context);
  const settings = parseSettings(process.env);
  const command = orderOf(event, settings.clusters, context.invokedFunctionArn);
  logger.info('ordered', { ...command });
  const invocation = { aws: awsBy(settings), settings, clock: systemClock, remainingSeconds };
  const groups = await takeOrder(invocation, command);
  for (const taken of groups) logger.info(`order: ${taken.state}`, { ...taken });
  const failed = groups.filter(({ state }) => state === 'failed');
  if (failed.length > 0) throw new OrderFailed(command, failed);
  return { groups };
}
