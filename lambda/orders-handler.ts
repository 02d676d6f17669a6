import type { Context } from 'aws-lambda';
import { systemClock } from './clock.ts';
import { awsBy, beginInvocation, logger } from './lambda-process.ts';
import { type OrderCommand, type OrderResult, orderOf, writeOrder } from './orders/write-order.ts';
import { parseSettings } from './settings/parse-settings.ts';

/** The answer of the orders function. */
export interface OrdersResult {
  readonly groups: readonly OrderResult[];
}

/** Some groups didn't get the order. The others did. */
export class OrderFailed extends Error {
  override readonly name = 'OrderFailed';

  constructor({ action }: OrderCommand, failed: readonly OrderResult[]) {
    const groups = failed.map(({ cluster, group, reason }) => `${cluster}/${group}: ${reason}`);
    super(`${action} was not noted\n${groups.join('\n')}`);
  }
}

/**
 * The Lambda function that takes orders while the other one rolls. It doesn't use that one's reserved slot:
 * it writes the order on the groups' tags, where the other finds it at its next look.
 *
 * @param event `{ action, clusters? }` with one of the actions in `ORDERS`
 * @throws ConfigurationError, EventError before anything is read from AWS
 * @throws OrderFailed if a group didn't get the order, after all the others did
 */
export async function orders(event: unknown, context: Context): Promise<OrdersResult> {
  const remainingSeconds = beginInvocation(context);
  const settings = parseSettings(process.env);
  const command = orderOf(event, settings.clusters, context.invokedFunctionArn);
  logger.info('ordered', { ...command });
  const invocation = { aws: awsBy(settings), settings, clock: systemClock, remainingSeconds };
  const groups = await writeOrder(invocation, command);
  for (const taken of groups) logger.info(`order: ${taken.state}`, { ...taken });
  const failed = groups.filter(({ state }) => state === 'failed');
  if (failed.length > 0) throw new OrderFailed(command, failed);
  return { groups };
}
