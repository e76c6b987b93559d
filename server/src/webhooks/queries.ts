import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { WebhookUrls, Topic } from './rules/urls.ts';
import type { Health } from './rules/endpoint-health.ts';

/** What is encrypted with `AISLE_SECRET_KEY`: the authorization and the signing secrets. */
export type SealedSecrets = {
  secret_sealed: Buffer | null;
  signing_sealed: Buffer;
  previous_signing_sealed: Buffer | null;
};

export type WebhookRow = WebhookUrls &
  SealedSecrets & {
    chain_id: string;
    webhook_id: string;
    vendor_id: string | null;
    previous_signing_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };

export type EndpointRow = Health & {
  chain_id: string;
  endpoint_id: string;
  webhook_id: string;
  topic: Topic;
  address_no: number;
};

/** A null `vendorId` means the chain's default. */
export async function findWebhook(db: Db, chainId: string, vendorId: string | null): Promise<WebhookRow | undefined> {
  const rows = await db.query<WebhookRow>(
    'select * from webhooks where chain_id = $1 and vendor_id is not distinct from $2',
    [chainId, vendorId],
  );
  return rows[0];
}

/** If `only` is null, lists all webhooks; otherwise, only these vendors' webhooks, without the chain's default. */
export function listWebhooks(
  db: Db,
  chainId: string,
  only: readonly string[] | null,
  page: PageRequest,
): Promise<(WebhookRow & { total: number })[]> {
  return db.query(
    `select *, count(*) over ()::int as total from webhooks
     where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))
     order by vendor_id nulls first limit $3 offset $4`,
    [chainId, only, page.pageSize, page.offset],
  );
}

/** Whether the vendor's orders are sent to a webhook, either its own or the chain's default. */
export async function hasOrderWebhook(db: Db, chainId: string, vendorId: string): Promise<boolean> {
  const rows = await db.query(
    'select 1 from webhooks where chain_id = $1 and (vendor_id = $2 or vendor_id is null) limit 1',
    [chainId, vendorId],
  );
  return rows.length > 0;
}

export async function lockWebhook(tx: Tx, chainId: string, vendorId: string | null): Promise<WebhookRow | undefined> {
  const rows = await tx.query<WebhookRow>(
    'select * from webhooks where chain_id = $1 and vendor_id is not distinct from $2 for update',
    [chainId, vendorId],
  );
  return rows[0];
}

export async function hasChainWebhook(db: Db, chainId: string): Promise<boolean> {
  const rows = await db.query('select 1 from webhooks where chain_id = $1 limit 1', [chainId]);
  return rows.length > 0;
}

/** Whether any chain, or the platform, has a webhook. */
export async function hasWebhooks(db: Db): Promise<boolean> {
  const rows = await db.query('select 1 from webhooks union all select 1 from platform_webhooks limit 1');
  return rows.length > 0;
}

export type SealedRow = Pick<
  WebhookRow,
  'chain_id' | 'webhook_id' | 'secret_sealed' | 'signing_sealed' | 'previous_signing_sealed' | 'previous_signing_until'
>;

/** Lists the encrypted secrets of all chains, because all are encrypted with the same keys. */
export function listSealed(db: Db): Promise<SealedRow[]> {
  return db.query(
    `select chain_id, webhook_id, secret_sealed, signing_sealed, previous_signing_sealed, previous_signing_until
     from webhooks`,
  );
}

/** Sets a new signing secret, and removes the previous one and the authorization. */
export async function replaceSecrets(tx: Tx, chainId: string, webhookId: string, signing: Buffer): Promise<void> {
  await tx.query(
    `update webhooks set signing_sealed = $3, secret_sealed = null, previous_signing_sealed = null,
       previous_signing_until = null, updated_at = now()
     where chain_id = $1 and webhook_id = $2`,
    [chainId, webhookId, signing],
  );
}

export async function insertWebhook(
  tx: Tx,
  chainId: string,
  webhook: Omit<
    WebhookRow,
    'chain_id' | 'previous_signing_sealed' | 'previous_signing_until' | 'created_at' | 'updated_at'
  >,
): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(
    `insert into webhooks (chain_id, webhook_id, vendor_id, environment, staging_url, production_url,
       staging_catalog_url, production_catalog_url, secret_sealed, signing_sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *`,
    [
      chainId,
      webhook.webhook_id,
      webhook.vendor_id,
      ...urlValues(webhook),
      webhook.secret_sealed,
      webhook.signing_sealed,
    ],
  );
  return rows[0] as WebhookRow;
}

export async function updateWebhook(
  tx: Tx,
  chainId: string,
  webhookId: string,
  change: WebhookUrls & SealedSecrets,
): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(
    `update webhooks set environment = $3, staging_url = $4, production_url = $5, staging_catalog_url = $6,
       production_catalog_url = $7, secret_sealed = $8, signing_sealed = $9,
       previous_signing_sealed = $10, updated_at = now()
     where chain_id = $1 and webhook_id = $2 returning *`,
    [
      chainId,
      webhookId,
      ...urlValues(change),
      change.secret_sealed,
      change.signing_sealed,
      change.previous_signing_sealed,
    ],
  );
  return rows[0] as WebhookRow;
}

/** The current secret becomes the previous one. */
export async function updateSigningSecret(
  tx: Tx,
  chainId: string,
  webhookId: string,
  sealed: SealedSecrets,
  hours: number,
): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(
    `update webhooks set secret_sealed = $3, signing_sealed = $4, previous_signing_sealed = $5,
       previous_signing_until = now() + make_interval(hours => $6), updated_at = now()
     where chain_id = $1 and webhook_id = $2 returning *`,
    [chainId, webhookId, sealed.secret_sealed, sealed.signing_sealed, sealed.previous_signing_sealed, hours],
  );
  return rows[0] as WebhookRow;
}

export async function deleteWebhook(tx: Tx, chainId: string, webhookId: string): Promise<void> {
  await tx.query('delete from webhooks where chain_id = $1 and webhook_id = $2', [chainId, webhookId]);
}

export async function insertEndpoint(
  tx: Tx,
  chainId: string,
  endpoint: { endpoint_id: string; webhook_id: string; topic: Topic },
): Promise<void> {
  await tx.query('insert into endpoints (chain_id, endpoint_id, webhook_id, topic) values ($1, $2, $3, $4)', [
    chainId,
    endpoint.endpoint_id,
    endpoint.webhook_id,
    endpoint.topic,
  ]);
}

export function listEndpoints(db: Db, chainId: string, webhookId: string): Promise<EndpointRow[]> {
  return db.query('select * from endpoints where chain_id = $1 and webhook_id = $2 order by topic', [
    chainId,
    webhookId,
  ]);
}

export function listEndpointsOf(db: Db, chainId: string, webhookIds: string[]): Promise<EndpointRow[]> {
  return db.query('select * from endpoints where chain_id = $1 and webhook_id = any ($2) order by webhook_id, topic', [
    chainId,
    webhookIds,
  ]);
}

export function listEndpointsById(db: Db, chainId: string, endpointIds: string[]): Promise<EndpointRow[]> {
  return db.query('select * from endpoints where chain_id = $1 and endpoint_id = any ($2)', [chainId, endpointIds]);
}

/** The webhooks with these ids, and those of these vendors. */
export function listWebhooksOf(
  db: Db,
  chainId: string,
  webhookIds: string[],
  vendorIds: string[],
): Promise<WebhookRow[]> {
  return db.query('select * from webhooks where chain_id = $1 and (webhook_id = any ($2) or vendor_id = any ($3))', [
    chainId,
    webhookIds,
    vendorIds,
  ]);
}

export async function hasEndpoint(db: Db, chainId: string, endpointId: string): Promise<boolean> {
  const rows = await db.query('select 1 from endpoints where chain_id = $1 and endpoint_id = $2', [
    chainId,
    endpointId,
  ]);
  return rows.length > 0;
}

export async function lockEndpoint(tx: Tx, chainId: string, endpointId: string): Promise<EndpointRow | undefined> {
  const rows = await tx.query<EndpointRow>(
    'select * from endpoints where chain_id = $1 and endpoint_id = $2 for update',
    [chainId, endpointId],
  );
  return rows[0];
}

export async function updateHealth(tx: Tx, chainId: string, endpointId: string, health: Health): Promise<void> {
  await tx.query(
    `update endpoints set failing_since = $3, disabled_at = $4, disabled_reason = $5
     where chain_id = $1 and endpoint_id = $2`,
    [chainId, endpointId, health.failing_since, health.disabled_at, health.disabled_reason],
  );
}

/** Clears `failing_since` for endpoints that have just succeeded. They can belong to different chains. */
export function clearFailing(tx: Tx, chainId: string, endpointId: string, addressNo: number): void {
  tx.send(
    `update endpoints set failing_since = null
     where chain_id = $1 and endpoint_id = $2 and address_no = $3 and failing_since is not null`,
    [chainId, endpointId, addressNo],
  );
}

export async function incrementAddressNo(tx: Tx, chainId: string, endpointId: string): Promise<void> {
  await tx.query('update endpoints set address_no = address_no + 1 where chain_id = $1 and endpoint_id = $2', [
    chainId,
    endpointId,
  ]);
}

/**
 * Finds the endpoint for this vendor and topic, in the vendor's own webhook if it has one, otherwise in the chain's.
 * Until the transaction ends, the endpoint cannot be deleted, and no webhook of a vendor can replace it.
 */
export async function lockEndpointFor(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  topic: Topic,
): Promise<string | undefined> {
  const lock = () =>
    tx.query<{ endpoint_id: string }>(
      `select e.endpoint_id from webhooks w join endpoints e using (chain_id, webhook_id)
       where w.chain_id = $1 and (w.vendor_id = $2 or w.vendor_id is null) and e.topic = $3
       order by w.vendor_id nulls last limit 1 for key share of e`,
      [chainId, vendorId, topic],
    );
  // While the first statement waited for the lock, the vendor may have got a webhook, which only the second one sees.
  await lock();
  return (await lock())[0]?.endpoint_id;
}

/** Until the transaction ends, `lockEndpointFor` waits. */
export function lockEndpoints(tx: Tx, chainId: string, webhookId: string): Promise<EndpointRow[]> {
  return tx.query('select * from endpoints where chain_id = $1 and webhook_id = $2 order by endpoint_id for update', [
    chainId,
    webhookId,
  ]);
}

function urlValues(urls: WebhookUrls): unknown[] {
  const { environment, staging_url, production_url, staging_catalog_url, production_catalog_url } = urls;
  return [environment, staging_url, production_url, staging_catalog_url, production_catalog_url];
}
