import type { deliveryRoutes } from '@aisle/contract/deliveries';
import type { webhookRoutes } from '@aisle/contract/webhooks';
import { type Access, admitVendors } from '../identity/index.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { parseTime } from '../kernel/values/time.ts';
import { pingWebhook } from './ping-webhook.ts';
import { countDeliveries, findDelivery, findEventBody, listAttempts, listDeliveries } from './queries.ts';
import { resendDelivery, resendFailed } from './resend-deliveries.ts';
import { attemptResponse, deliveryResponse } from './response.ts';

type Routes = typeof deliveryRoutes & Pick<typeof webhookRoutes, 'pingWebhook' | 'pingVendorWebhook'>;

export function deliveryHandlers(): Handlers<Routes, Access> {
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
      if (!delivery) throw notFound('delivery_not_found', params.delivery_id);
      const attempts = await listAttempts(db, access.chainId, params.delivery_id);
      const body = await findEventBody(db, access.chainId, params.delivery_id);
      return { status: 200, body: { ...deliveryResponse(delivery), body, attempts: attempts.map(attemptResponse) } };
    },

    async resendDelivery({ access, params, transaction }) {
      const delivery = await transaction((tx) =>
        resendDelivery(tx, access.chainId, access.actor.vendorIds, params.delivery_id),
      );
      return { status: 202, body: deliveryResponse(delivery) };
    },

    async resendFailedDeliveries({ access, body, transaction }) {
      const since = timeOf(body.since);
      const resent = await transaction((tx) => resendFailed(tx, access.chainId, access.actor.vendorIds, since));
      return { status: 202, body: { resent } };
    },

    async pingWebhook({ access, transaction }) {
      admitVendors(access.actor, '*');
      const delivery = await transaction((tx) => pingWebhook(tx, access.chainId, null));
      return { status: 202, body: deliveryResponse(delivery) };
    },

    async pingVendorWebhook({ access, transaction }) {
      const delivery = await transaction((tx) => pingWebhook(tx, access.chainId, access.vendor.vendor_id));
      return { status: 202, body: deliveryResponse(delivery) };
    },
  };
}

/** The contract accepts only valid times. */
function timeOf(text: string): Date {
  return parseTime(text) as Date;
}
