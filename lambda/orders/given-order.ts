import type { Decision } from '../core/actions/decision.ts';
import type { Ordered } from '../core/model/group.ts';
import type { Order, Request } from '../core/model/request.ts';
import { recordOrder } from '../core/orders.ts';
import type { Command } from '../event.ts';

/** So long may AWS's reads answer as before what somebody did before the order. */
const LAG_MILLISECONDS = 60_000;

/** What an operator says of groups, besides that they are to roll. */
export const ORDERS = ['pause', 'resume', 'abort', 'rollback'] as const satisfies readonly Order[];

export function isOrder(action: Command['action']): action is Order {
  return ORDERS.some((order) => order === action);
}

/** Whether it is for groups whose roll has begun; others are for every group. */
export function isCourse(order: Order): order is 'abort' | 'rollback' {
  return order === 'abort' || order === 'rollback';
}

/** Whoever gives it must know: a group whose instances are gone, and that is nobody's meanwhile, stays as it was. */
export function unheard(order: 'pause' | 'resume'): string {
  return (
    `no group of the cluster has heard the ${order}: name the group in GROUPS, or give the ${order} again once ` +
    'instances of it have registered'
  );
}

/**
 * Whether an order is done with for a group. It is carried out once: whoever says otherwise while the invocation goes on
 * means it, and isn't overruled at its next look. Where there is nothing to write, a look may have been behind.
 *
 * @param done the decision that was carried out, if any was
 */
export function isOrderDone(group: Ordered, request: Request, now: Date, done?: Decision): boolean {
  const { order, orderedAt } = request;
  if (order === undefined || orderedAt === undefined) return false;
  const ordered = recordOrder(group, request, { now });
  if (ordered === undefined) return now.getTime() - orderedAt.getTime() > LAG_MILLISECONDS;
  return done?.reason === ordered.reason;
}
