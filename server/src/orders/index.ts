import type { Config } from '../config.ts';
import type { Lookups } from '../identity/index.ts';
import type { Feature } from '../feature.ts';
import { orderChores } from './chores.ts';
import { orderHandlers } from './handlers.ts';
import { handleTask } from '../kernel/background/worker.ts';
import { expireApproval, expireTask } from './approve-replacement.ts';
import { replacementHandlers } from './replacement-handlers.ts';
import { platformOrderHandlers } from './platform-handlers.ts';
import { historyHandlers, type ListOrderDeliveries } from './history-handlers.ts';

export { startAssigningOrders } from './assign-positions.ts';
export { repeatOpenOrders } from './change-queries.ts';
export type { By } from './change-order.ts';
export { getVisible, getVisibleOrder, type Visibility } from './get-order.ts';
export { type StoreRange, type StoreSums, sumOrders } from './list-queries.ts';
export { type Move, moveOrder, nextMove } from './move-order.ts';
export {
  announceOrder,
  findLastActor,
  listOpenOrders,
  type OpenOrder,
  orderChannel,
  orderSubject,
} from './picking-queries.ts';
export type { Placement } from './load-placement.ts';
export { placeOrder } from './place-order.ts';
export { putOrder } from './put-order.ts';
export { getPlatformOrder } from './get-platform-order.ts';
export { findOrder, listOrdersById, lockOrder } from './queries.ts';
export { listRevisions, listUncollected } from './rider-queries.ts';
export { type OrderRow, orderResponse } from './rules/order-response.ts';
export { readTerm as readOrderTerm } from './rules/search.ts';
export { isPickable } from './rules/states.ts';
export { oldestReadable } from './rules/time-range.ts';

type OrderHandlers = ReturnType<typeof orderHandlers> &
  ReturnType<typeof replacementHandlers> &
  ReturnType<typeof platformOrderHandlers> &
  ReturnType<typeof historyHandlers>;

/**
 * `listDeliveries` is passed in, so that this feature does not depend on webhooks. `isSharded` says whether the database
 * is distributed.
 */
export function ordersFeature(
  config: Config,
  lookups: Lookups,
  listDeliveries: ListOrderDeliveries,
  isSharded: boolean,
): Feature<OrderHandlers> {
  return {
    handlers: {
      ...orderHandlers(config),
      ...platformOrderHandlers(config, lookups, isSharded),
      ...replacementHandlers(config, lookups),
      ...historyHandlers(config, listDeliveries),
    },
    tasks: handleTask(expireTask, (tx, chainId, payload) => expireApproval(tx, chainId, payload, config.links)),
    chores: orderChores(config),
    close: async () => {},
  };
}
