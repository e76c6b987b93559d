import type { deliveryRoutes } from '@aisle/contract/deliveries';
import type { webhookRoutes } from '@aisle/contract/webhooks';
import { type Access, admitVendors } from '../identity/index.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, type PageRequest, pageOf } from '../kernel/http/page.ts';
import { findWebhook, listEndpoints, listEndpointsOf, listWebhooks } from './queries.ts';
import { webhookResponse } from './response.ts';
import {
  disableWebhook,
  enableWebhook,
  removeWebhook,
  rotateSecret,
  saveWebhook,
  type SaveOptions,
  type WebhookInput,
  webhookNotFound,
} from './save-webhook.ts';

type Pings = 'pingWebhook' | 'pingVendorWebhook';
type Routes = Omit<typeof webhookRoutes, keyof typeof deliveryRoutes | Pings>;

/** Every route exists twice: for the chain's default webhook, and for a vendor's own webhook. */
export function webhookHandlers(options: SaveOptions): Handlers<Routes, Access> {
  const chain = handlersFor(options, ({ actor, chainId }) => {
    admitVendors(actor, '*');
    return { chainId, vendorId: null };
  });
  const store = handlersFor(options, ({ chainId, vendor }) => ({ chainId, vendorId: vendor.vendor_id }));
  return {
    async listWebhooks({ db, access, query }) {
      const page = pageOf(query);
      const list = (part: PageRequest) => listWebhooks(db, access.chainId, access.actor.vendorIds, part);
      const rows = await list(page);
      const total = (rows[0] ?? (await list(pageOf({ page_size: 1 })))[0])?.total ?? 0;
      const ids = rows.map(({ webhook_id }) => webhook_id);
      const endpoints = Map.groupBy(await listEndpointsOf(db, access.chainId, ids), (endpoint) => endpoint.webhook_id);
      const webhooks = rows.map((webhook) =>
        webhookResponse({ webhook, endpoints: endpoints.get(webhook.webhook_id) ?? [] }),
      );
      return { status: 200, body: paged('webhooks', webhooks, total, page) };
    },
    getWebhook: chain.get,
    putWebhook: chain.put,
    deleteWebhook: chain.delete,
    rotateWebhookSecret: chain.rotate,
    enableWebhook: chain.enable,
    disableWebhook: chain.disable,
    getVendorWebhook: store.get,
    putVendorWebhook: store.put,
    deleteVendorWebhook: store.delete,
    rotateVendorWebhookSecret: store.rotate,
    enableVendorWebhook: store.enable,
    disableVendorWebhook: store.disable,
  };
}

type Owner = { chainId: string; vendorId: string | null };
type Reading = { access: Access; db: Database };
type Writing = { access: Access; transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> };

function handlersFor(options: SaveOptions, ownerOf: (access: Access) => Owner) {
  return {
    async get({ access, db }: Reading) {
      const { chainId, vendorId } = ownerOf(access);
      const webhook = await findWebhook(db, chainId, vendorId);
      if (!webhook) throw webhookNotFound(vendorId);
      const endpoints = await listEndpoints(db, chainId, webhook.webhook_id);
      return { status: 200 as const, body: webhookResponse({ webhook, endpoints }) };
    },

    async put({ access, body, transaction }: Writing & { body: WebhookInput }) {
      const { chainId, vendorId } = ownerOf(access);
      const saved = await transaction((tx) => saveWebhook(tx, chainId, vendorId, body, options));
      return { status: 200 as const, body: webhookResponse(saved) };
    },

    async delete({ access, transaction }: Writing) {
      const { chainId, vendorId } = ownerOf(access);
      const removed = await transaction((tx) => removeWebhook(tx, chainId, vendorId, options.pending));
      return { status: 200 as const, body: webhookResponse(removed) };
    },

    async rotate({ access, transaction }: Writing) {
      const { chainId, vendorId } = ownerOf(access);
      const rotated = await transaction((tx) => rotateSecret(tx, chainId, vendorId, options.secrets));
      const { signingSecret, expiresAt } = rotated;
      const body = { signing_secret: signingSecret, previous_secret_expires_at: expiresAt.toISOString() };
      return { status: 200 as const, body };
    },

    async enable({ access, transaction }: Writing) {
      const { chainId, vendorId } = ownerOf(access);
      const saved = await transaction((tx) => enableWebhook(tx, chainId, vendorId, options.pending));
      return { status: 200 as const, body: webhookResponse(saved) };
    },

    async disable({ access, transaction }: Writing) {
      const { chainId, vendorId } = ownerOf(access);
      const saved = await transaction((tx) => disableWebhook(tx, chainId, vendorId, new Date()));
      return { status: 200 as const, body: webhookResponse(saved) };
    },
  };
}
