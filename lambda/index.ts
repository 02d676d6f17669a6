/** The exports that Lambda calls: see `BUNDLE` in `contract.ts`. */
export { handler } from './handler.ts';
export { orders } from './orders-handler.ts';
