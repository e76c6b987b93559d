import type { deliveryRoutes } from '@aisle/contract/deliveries';
import type { webhookRoutes } from '@aisle/contract/webhooks';
import { type Access, admitVendors } from '../identity/index.ts';
import type { AddressGuard } from '../kernel/outbound/addresses.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, type PageRequest, pageOf } from '../kernel/http/page.ts';
import { deliveryResponse, webhookResponse } from './responses.ts';
import { announceDue } from './lane-queries.ts';
import { findWebhook, listEndpoints, listWebhooks } from './queries.ts';
import { pingWebhook } from './resend-deliveries.ts';
import { healthWhenDisabled, healthWhenEnabled } from './rules/endpoint-health.ts';
import { removeWebhook, rotateSecret, saveWebhook, switchWebhook, type WebhookInput } from './save-webhook.ts';
import type { Secrets } from './secrets.ts';

type Routes = Omit<typeof webhookRoutes, keyof typeof deliveryRoutes>;

/** Every route exists twice: for the chain's default, and for a vendor's override. */
export function webhookHandlers(guard: AddressGuard, secrets: Secrets): Handlers<Routes, Access> {
  const chain = handlersAt(guard, secrets, ({ actor, chainId }) => {
    admitVendors(actor, '*');
    return { chainId, vendorId: null };
  });
  const store = handlersAt(guard, secrets, ({ chainId, vendor }) => ({ chainId, vendorId: vendor.vendor_id }));
  return {
    async listWebhooks({ db, access, query }) {
      const page = pageOf(query);
      const list = (part: PageRequest) => listWebhooks(db, access.chainId, access.actor.vendorIds, part);
      const rows = await list(page);
      const total = (rows[0] ?? (await list(pageOf({ page_size: 1 })))[0])?.total ?? 0;
      const found = await Promise.all(
        rows.map(async (webhook) => {
          const endpoints = await listEndpoints(db, access.chainId, webhook.webhook_id);
          return webhookResponse({ webhook, endpoints });
        }),
      );
      return { status: 200, body: paged('webhooks', found, total, page) };
    },
    getWebhook: chain.get,
    putWebhook: chain.put,
    deleteWebhook: chain.delete,
    rotateWebhookSecret: chain.rotate,
    pingWebhook: chain.ping,
    enableWebhook: chain.enable,
    disableWebhook: chain.disable,
    getVendorWebhook: store.get,
    putVendorWebhook: store.put,
    deleteVendorWebhook: store.delete,
    rotateVendorWebhookSecret: store.rotate,
    pingVendorWebhook: store.ping,
    enableVendorWebhook: store.enable,
    disableVendorWebhook: store.disable,
  };
}

type Place = { chainId: string; vendorId: string | null };
type Reading = { access: Access; db: Database };
type Writing = { access: Access; transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> };

function handlersAt(guard: AddressGuard, secrets: Secrets, placeOf: (access: Access) => Place) {
  return {
    async get({ access, db }: Reading) {
      const { chainId, vendorId } = placeOf(access);
      const webhook = await findWebhook(db, chainId, vendorId);
      if (!webhook) throw new Failure('webhook_not_found');
      const endpoints = await listEndpoints(db, chainId, webhook.webhook_id);
      return { status: 200 as const, body: webhookResponse({ webhook, endpoints }) };
    },

    async put({ access, body, transaction }: Writing & { body: WebhookInput }) {
      const { chainId, vendorId } = placeOf(access);
      const saved = await transaction(async (tx) => {
        announceDue(tx);
        return saveWebhook(tx, chainId, vendorId, body, { guard, secrets });
      });
      return { status: 200 as const, body: webhookResponse(saved) };
    },

    async delete({ access, transaction }: Writing) {
      const { chainId, vendorId } = placeOf(access);
      const removed = await transaction((tx) => removeWebhook(tx, chainId, vendorId));
      return { status: 200 as const, body: webhookResponse(removed) };
    },

    async rotate({ access, transaction }: Writing) {
      const { chainId, vendorId } = placeOf(access);
      const { signingSecret, expiresAt } = await transaction((tx) => rotateSecret(tx, chainId, vendorId, secrets));
      const body = { signing_secret: signingSecret, previous_secret_expires_at: expiresAt.toISOString() };
      return { status: 200 as const, body };
    },

    async ping({ access, transaction }: Writing) {
      const { chainId, vendorId } = placeOf(access);
      const delivery = await transaction(async (tx) => {
        announceDue(tx);
        return pingWebhook(tx, chainId, vendorId);
      });
      return { status: 202 as const, body: deliveryResponse(delivery) };
    },

    async enable({ access, transaction }: Writing) {
      const { chainId, vendorId } = placeOf(access);
      const saved = await transaction(async (tx) => {
        announceDue(tx);
        return switchWebhook(tx, chainId, vendorId, healthWhenEnabled);
      });
      return { status: 200 as const, body: webhookResponse(saved) };
    },

    async disable({ access, transaction }: Writing) {
      const { chainId, vendorId } = placeOf(access);
      const health = healthWhenDisabled(new Date());
      const saved = await transaction((tx) => switchWebhook(tx, chainId, vendorId, health));
      return { status: 200 as const, body: webhookResponse(saved) };
    },
  };
}
