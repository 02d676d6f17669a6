/** The exports that Lambda calls: see `BUNDLE` in `contract.ts`. */
import type { Context } from 'aws-lambda';
import type { OrdersResult } from './orders-handler.ts';

export { handler } from './handler.ts';

/** See `widget-handler.ts`, which neither of the others needs. */
export async function widget(event: unknown, context: Context): Promise<string> {
  const { widget } = await import('./widget-handler.ts');
  return widget(event, context);
}

/** See `orders-handler.ts`, which the function that rolls needn't load. */
export async function orders(event: unknown, context: Context): Promise<OrdersResult> {
  const { orders } = await import('./orders-handler.ts');
  return orders(event, context);
}
