import type { Static } from 'typebox';
import type { Delivery } from '@aisle/contract/deliveries';
import type { orderRoutes } from '@aisle/contract/orders';
import type { Config } from '../config.ts';
import type { Access } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { getVisibleOrder } from './get-order.ts';
import { type ChangeRow, listChanges } from './queries.ts';

/** Lists the deliveries for an order, oldest first. Implemented by the `deliveries` feature. */
export type ListOrderDeliveries = (db: Db, chainId: string, orderId: string) => Promise<Static<typeof Delivery>[]>;

type Routes = Pick<typeof orderRoutes, 'getOrderHistory'>;

/** The history of an order: its changes, their events, and the events' deliveries. */
export function historyHandlers({ limits }: Config, listDeliveries: ListOrderDeliveries): Handlers<Routes, Access> {
  return {
    async getOrderHistory({ db, access: { chainId, actor }, params }) {
      const visibility = { vendorIds: actor.vendorIds, readableDays: limits.readableDays, now: new Date() };
      const order = await getVisibleOrder(db, chainId, params.order_id, visibility);
      const changes = await listChanges(db, chainId, order.order_id);
      return {
        status: 200,
        body: {
          order_id: order.order_id,
          changes: changes.map(changeResponse),
          events: changes.flatMap(eventResponse),
          deliveries: await listDeliveries(db, chainId, order.order_id),
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
