import type { deliveryRoutes } from '@aisle/contract/deliveries';
import type { webhookRoutes } from '@aisle/contract/webhooks';
import { type Access, type Actor, admitVendors, getVendor } from '../identity/index.ts';
import { visibleTypes } from '../events/index.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { parseTime } from '../kernel/values/time.ts';
import { pingWebhook } from './ping-webhook.ts';
import { countDeliveries, listDeliveries, type Visible } from './queries.ts';
import { requestResend, resendDelivery } from './resend-deliveries.ts';
import { pingType } from './rules/attempt.ts';
import { deliveryResponse, findDeliveryDetails } from './response.ts';

type Routes = typeof deliveryRoutes & Pick<typeof webhookRoutes, 'pingWebhook' | 'pingVendorWebhook'>;

export function deliveryHandlers(): Handlers<Routes, Access> {
  return {
    async listDeliveries({ access, query, db }) {
      const { chainId, actor } = access;
      const page = pageOf(query);
      const vendor = query.vendor_id && (await getVendor(db, chainId, actor, query.vendor_id));
      const filter = {
        ...query,
        since: query.since === undefined ? undefined : timeOf(query.since),
        vendorId: vendor ? vendor.vendor_id : undefined,
      };
      const rows = await listDeliveries(db, chainId, visibleTo(actor), filter, page);
      const total = await countDeliveries(db, chainId, visibleTo(actor), filter);
      return { status: 200, body: paged('deliveries', rows.map(deliveryResponse), total, page) };
    },

    async getDelivery({ access, params, db }) {
      const delivery = await findDeliveryDetails(db, access.chainId, visibleTo(access.actor), params.delivery_id);
      if (!delivery) throw notFound('delivery_not_found', params.delivery_id);
      return { status: 200, body: delivery };
    },

    async resendDelivery({ access, params, transaction }) {
      const delivery = await transaction((tx) =>
        resendDelivery(tx, access.chainId, visibleTo(access.actor), params.delivery_id),
      );
      return { status: 202, body: deliveryResponse(delivery) };
    },

    async resendFailedDeliveries({ access, body, transaction }) {
      const since = timeOf(body.since);
      const resent = await transaction((tx) => requestResend(tx, access.chainId, visibleTo(access.actor), since));
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

/** A delivery is visible to callers with the scope for its event type; a ping is always visible. */
function visibleTo({ vendorIds, scopes }: Actor): Visible {
  const types = visibleTypes(scopes);
  return { vendorIds, types: types && [...types, pingType] };
}

/** Request validation has already rejected invalid times. */
function timeOf(text: string): Date {
  return parseTime(text) as Date;
}
