import type { deliveryRoutes } from '@aisle/contract/deliveries';
import type { Access } from '../identity/index.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { parseTime } from '../kernel/values/time.ts';
import { attemptResponse, deliveryResponse } from './responses.ts';
import { countDeliveries, findDelivery, findEventBody, listAttempts, listDeliveries } from './delivery-queries.ts';
import { announceDue } from './lane-queries.ts';
import { resendDelivery, resendFailed } from './resend-deliveries.ts';

export function deliveryHandlers(): Handlers<typeof deliveryRoutes, Access> {
  return {
    async listDeliveries({ access, query, db }) {
      const { chainId, actor } = access;
      const page = pageOf(query);
      const filter = { ...query, since: query.since === undefined ? undefined : timeOf(query.since) };
      const rows = await listDeliveries(db, chainId, actor.vendorIds, filter, page);
      const total = await countDeliveries(db, chainId, actor.vendorIds, filter);
      return { status: 200, body: paged('deliveries', rows.map(deliveryResponse), total, page) };
    },

    async getDelivery({ access, params, db }) {
      const delivery = await findDelivery(db, access.chainId, access.actor.vendorIds, params.delivery_id);
      if (!delivery) throw new Failure('delivery_not_found');
      const attempts = await listAttempts(db, access.chainId, params.delivery_id);
      const body = await findEventBody(db, access.chainId, params.delivery_id);
      return { status: 200, body: { ...deliveryResponse(delivery), body, attempts: attempts.map(attemptResponse) } };
    },

    async resendDelivery({ access, params, transaction }) {
      const delivery = await transaction(async (tx) => {
        announceDue(tx);
        return resendDelivery(tx, access.chainId, access.actor.vendorIds, params.delivery_id);
      });
      return { status: 202, body: deliveryResponse(delivery) };
    },

    async resendFailedDeliveries({ access, body, transaction }) {
      const resent = await transaction(async (tx) => {
        announceDue(tx);
        return resendFailed(tx, access.chainId, access.actor.vendorIds, timeOf(body.since));
      });
      return { status: 202, body: { resent } };
    },
  };
}

/** The contract has let only times through. */
function timeOf(text: string): Date {
  return parseTime(text) as Date;
}
