import type { Config } from '../config.ts';
import type { Lookups } from '../identity/index.ts';
import type { Feature } from '../feature.ts';
import { orderChores } from './chores.ts';
import { orderHandlers } from './handlers.ts';

export type { By } from './change-order.ts';
export { findReachableOrder } from './find-order.ts';
export { type Move, moveOrder, nextMove } from './move-order.ts';
export { type Placement, placeOrder } from './place-order.ts';
export { putOrder } from './put-order.ts';
export { listRevisions, listUncollected } from './rider-queries.ts';
export { type ChangeRow, listChanges, lockOrder } from './queries.ts';
export { type OrderRow, orderResponse } from './rules/order-response.ts';

export function ordersFeature(config: Config, lookups: Lookups): Feature<ReturnType<typeof orderHandlers>> {
  return { handlers: orderHandlers(config, lookups), tasks: {}, chores: orderChores(config), close: async () => {} };
}
