import type { PlatformDelivery } from '@aisle/contract/platform-webhooks';
import type { Static } from 'typebox';
import type { Access } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { parseTime } from '../kernel/values/time.ts';
import { findPlatformWebhook, type PlatformDeliveryRoutes } from '../webhooks/index.ts';
import { pingPlatformWebhook } from './ping-webhook.ts';
import { countPlatformDeliveries, findPlatformDelivery, listPlatformDeliveries } from './platform-queries.ts';
import type { DeliveryRow } from './queries.ts';
import { resendToPlatform } from './resend-deliveries.ts';
import { requestPlatformResend } from './resend-platform-failed.ts';
import { deliveryResponse, findContent } from './response.ts';

export function platformDeliveryHandlers(): Handlers<PlatformDeliveryRoutes, Access> {
  return {
    async platformPingWebhook({ params, transaction }) {
      const row = await transaction((tx) => pingPlatformWebhook(tx, params.webhook_id));
      return { status: 202, body: platformResponse(row) };
    },

    async platformListDeliveries({ db, params, query }) {
      await getWebhook(db, params.webhook_id);
      const { page: _page, page_size: _size, since, ...rest } = query;
      const filter = { ...rest, since: since === undefined ? undefined : (parseTime(since) as Date) };
      const page = pageOf(query);
      const rows = await listPlatformDeliveries(db, params.webhook_id, filter, page);
      const total = await countPlatformDeliveries(db, params.webhook_id, filter);
      return { status: 200, body: paged('deliveries', rows.map(platformResponse), total, page) };
    },

    async platformGetDelivery({ db, access, params }) {
      const row = await findPlatformDelivery(db, access.chainId, params.delivery_id);
      if (!row) throw notFound('delivery_not_found', params.delivery_id);
      return { status: 200, body: { ...platformResponse(row), ...(await findContent(db, row)) } };
    },

    async platformResendDelivery({ access, params, transaction }) {
      const row = await transaction((tx) => resendToPlatform(tx, access.chainId, params.delivery_id));
      return { status: 202, body: platformResponse(row) };
    },

    async platformResendFailedDeliveries({ params, body, transaction }) {
      const resent = await transaction(async (tx) => {
        await getWebhook(tx, params.webhook_id);
        return requestPlatformResend(tx, params.webhook_id, parseTime(body.since) as Date);
      });
      return { status: 202, body: { resent } };
    },
  };
}

async function getWebhook(db: Db, webhookId: string): Promise<void> {
  if (!(await findPlatformWebhook(db, webhookId))) throw notFound('webhook_not_found', webhookId, null);
}

function platformResponse(row: DeliveryRow): Static<typeof PlatformDelivery> {
  return {
    ...deliveryResponse(row),
    type: row.type as Static<typeof PlatformDelivery>['type'],
    event_id: row.event_id ?? row.delivery_id,
    chain_id: row.chain_id,
    webhook_id: row.endpoint_id,
  };
}
