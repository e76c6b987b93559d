import type { orderRoutes } from '@aisle/contract/orders';
import type { Config } from '../config.ts';
import type { Access } from '../identity/index.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { pageOf } from '../kernel/http/page.ts';
import { type ChangeRow, findReachableOrder, listChanges } from '../orders/index.ts';
import { deliveryResponse } from './responses.ts';
import { listDeliveries } from './delivery-queries.ts';

/** The history of an order: what changed it, the events of that, and what became of them. */
export function historyHandlers({ limits }: Config): Handlers<Pick<typeof orderRoutes, 'getOrderHistory'>, Access> {
  return {
    async getOrderHistory({ db, access: { chainId, actor }, params }) {
      const reach = { vendorIds: actor.vendorIds, readableDays: limits.readableDays, now: new Date() };
      const order = await findReachableOrder(db, chainId, params.order_id, reach);
      const changes = await listChanges(db, chainId, order.order_id);
      const about = { order_id: order.order_id };
      const deliveries = await listDeliveries(db, chainId, null, about, pageOf({ page_size: 500 }));
      return {
        status: 200,
        body: {
          order_id: order.order_id,
          changes: changes.map(changeResponse),
          events: changes.flatMap(eventResponse),
          deliveries: deliveries.map(deliveryResponse).toReversed(),
        },
      };
    },
  };
}

function changeResponse({ revision, at, actor, action, from_status, to_status, items }: ChangeRow) {
  return { revision, at: at.toISOString(), actor, action, from_status, to_status, items };
}

function eventResponse({ at, event_id, event_type }: ChangeRow) {
  return event_id === null ? [] : [{ event_id, type: event_type ?? '', created_at: at.toISOString() }];
}
