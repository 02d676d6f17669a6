import { ORDERS } from '../contract.ts';
import type { Decision } from '../core/actions/decision.ts';
import type { Ordered } from '../core/model/group.ts';
import type { Order, Request } from '../core/model/request.ts';
import { takeOrder } from '../core/take-order.ts';
import type { Command } from '../event.ts';

/** For this long AWS's reads may miss what somebody did before the order. */
const LAG_MILLISECONDS = 60_000;

export function isOrder(action: Command['action']): action is Order {
  return ORDERS.some((order) => order === action);
}

/** Whether the order is only for groups whose roll has begun, or is announced; others are for all groups. */
export function concernsRolls(order: Order): order is Exclude<Order, 'pause' | 'resume'> {
  return order !== 'pause' && order !== 'resume';
}

/** Whether somebody answers what a roll asked. */
export function isAnswer(order: Order): order is 'approve' | 'refuse' {
  return order === 'approve' || order === 'refuse';
}

/**
 * Whether this invocation is done with an order for a group. It carries the order out once: if somebody
 * says otherwise later on, they mean it, and the next look doesn't overrule them. If there is nothing to
 * write, the read may have been stale, so it waits that out.
 *
 * @param done the decision that was carried out, if any
 */
export function isOrderDone(group: Ordered, request: Request, now: Date, done?: Decision): boolean {
  const { order, orderedAt } = request;
  if (order === undefined || orderedAt === undefined) return false;
  const ordered = takeOrder(group, request, { now });
  if (ordered === undefined) return now.getTime() - orderedAt.getTime() > LAG_MILLISECONDS;
  return JSON.stringify(done?.reason) === JSON.stringify(ordered.reason);
}
