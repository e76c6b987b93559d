import type { Db } from '../kernel/database/db.ts';
import {
  type EndpointRow,
  listEndpointsById,
  listPlatformWebhooks,
  listWebhooksOf,
  type PlatformWebhookRow,
  type WebhookRow,
} from '../webhooks/index.ts';
import { listBodies, listPlatformBodies, type PendingRow } from './chain-queries.ts';
import type { ClaimedLane, Head } from './lane-queries.ts';

/**
 * The same as `listHeads`, for one chain of a distributed database and the first deliveries of its lanes. An endpoint is
 * read before its webhook, so that the number of its address is never newer than the URL: a failure of the previous URL
 * must not count against the new one.
 */
export async function readHeads(db: Db, chainId: string, lanes: ClaimedLane[], heads: PendingRow[]): Promise<Head[]> {
  if (heads.length === 0) return [];
  const first = new Map(heads.map((head) => [head.lane_id, head]));
  const own = heads.filter(({ is_platform }) => !is_platform);
  const isPlatform = own.length < heads.length;
  const [endpoints, bodies, platformWebhooks, platformBodies] = await Promise.all([
    listEndpointsById(db, chainId, distinct(own.map(({ endpoint_id }) => endpoint_id))),
    listBodies(db, chainId, heads.map(eventIdOf)),
    isPlatform ? listPlatformWebhooks(db) : [],
    isPlatform ? listPlatformBodies(db, chainId, heads.map(eventIdOf)) : [],
  ]);
  const webhooks = await listWebhooksOf(
    db,
    chainId,
    distinct(endpoints.map(({ webhook_id }) => webhook_id)),
    distinct(own.flatMap(({ vendor_id }) => vendor_id ?? [])),
  );
  const bodyOf = new Map([...platformBodies, ...bodies].map(({ event_id, body }) => [event_id, body]));
  const targets = { endpoints, webhooks, platformWebhooks };
  return lanes.flatMap((lane) => {
    const delivery = first.get(lane.lane_id);
    const target = delivery && targetOf(delivery, targets);
    if (!target) return [];
    const { order_id: _, job_id: __, ...sent } = delivery;
    const body = bodyOf.get(eventIdOf(delivery)) ?? null;
    return [{ ...sent, ...target, claim: lane.claim, event_id: eventIdOf(delivery), body }];
  });
}

type Targets = { endpoints: EndpointRow[]; webhooks: WebhookRow[]; platformWebhooks: PlatformWebhookRow[] };
type Target = Omit<Head, keyof PendingRow | 'body' | 'claim'>;

/** Where the delivery is sent. Undefined if it has to wait for `pending-deliveries.ts`. */
function targetOf(delivery: PendingRow, { endpoints, webhooks, platformWebhooks }: Targets): Target | undefined {
  if (delivery.is_platform) {
    const webhook = platformWebhooks.find(({ webhook_id }) => webhook_id === delivery.endpoint_id);
    return webhook && { ...noUrls, ...targetColumns(webhook), topic: 'orders', production_url: webhook.url };
  }
  const endpoint = endpoints.find(({ endpoint_id }) => endpoint_id === delivery.endpoint_id);
  const webhook = endpoint && webhooks.find(({ webhook_id }) => webhook_id === endpoint.webhook_id);
  if (!webhook || isTakenOver(delivery, webhook, webhooks)) return undefined;
  const { environment, staging_url, production_url, staging_catalog_url, production_catalog_url } = webhook;
  const urls = { environment, staging_url, production_url, staging_catalog_url, production_catalog_url };
  const { topic, address_no, failing_since } = endpoint;
  return { ...urls, ...targetColumns({ ...webhook, address_no, failing_since }), topic };
}

/** Whether the vendor's own webhook takes the delivery over from the chain's. */
function isTakenOver(
  { order_id, job_id, vendor_id }: PendingRow,
  webhook: WebhookRow,
  webhooks: WebhookRow[],
): boolean {
  if (webhook.vendor_id !== null || (order_id === null && job_id === null)) return false;
  return webhooks.some((own) => own.vendor_id !== null && own.vendor_id === vendor_id);
}

const noUrls = {
  environment: 'production',
  staging_url: null,
  staging_catalog_url: null,
  production_catalog_url: null,
} as const;

function targetColumns(
  webhook: Omit<PlatformWebhookRow, 'url'> | (WebhookRow & Pick<EndpointRow, 'address_no' | 'failing_since'>),
) {
  return {
    webhook_id: webhook.webhook_id,
    address_no: webhook.address_no,
    failing_since: webhook.failing_since,
    secret_sealed: webhook.secret_sealed,
    signing_sealed: webhook.signing_sealed,
    previous_signing_sealed: webhook.previous_signing_sealed,
    previous_signing_until: webhook.previous_signing_until,
  };
}

function eventIdOf({ event_id, delivery_id }: PendingRow): string {
  return event_id ?? delivery_id;
}

function distinct(values: string[]): string[] {
  return [...new Set(values)];
}
