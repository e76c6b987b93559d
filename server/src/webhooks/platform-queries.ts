import type { PlatformEventType } from '@aisle/contract/platform-events';
import type { Db, Tx } from '../kernel/database/db.ts';
import { namedLock } from '../kernel/database/locks.ts';
import type { SealedSecrets } from './queries.ts';
import type { Health } from './rules/endpoint-health.ts';

/** A webhook of the platform. Deliveries name it as their endpoint. */
export type PlatformWebhookRow = Health &
  SealedSecrets & {
    webhook_id: string;
    description: string | null;
    url: string;
    event_types: PlatformEventType[];
    previous_signing_until: Date | null;
    address_no: number;
    created_at: Date;
    updated_at: Date;
  };

export function listPlatformWebhooks(db: Db): Promise<PlatformWebhookRow[]> {
  return db.query('select * from platform_webhooks order by created_at, webhook_id');
}

export async function findPlatformWebhook(db: Db, webhookId: string): Promise<PlatformWebhookRow | undefined> {
  const rows = await db.query<PlatformWebhookRow>('select * from platform_webhooks where webhook_id = $1', [webhookId]);
  return rows[0];
}

/** Those that have been failing for `minutes`, or were disabled because they failed. The query of a URL can be secret. */
export function listFailingPlatformWebhooks(
  db: Db,
  minutes: number,
): Promise<{ webhook_id: string; url: string; since: Date }[]> {
  return db.query(
    `select webhook_id, split_part(url, '?', 1) as url, coalesce(failing_since, disabled_at) as since
     from platform_webhooks where case when disabled_at is null
       then failing_since <= now() - make_interval(mins => $1) else disabled_reason <> 'MANUAL' end`,
    [minutes],
  );
}

/** An advisory lock instead of one on the row, which a distributed database has on every node. */
export async function lockPlatformWebhook(tx: Tx, webhookId: string): Promise<PlatformWebhookRow | undefined> {
  tx.send(`select pg_advisory_xact_lock(${namedLock('endpoint')})`, [webhookId]);
  return findPlatformWebhook(tx, webhookId);
}

/** Until the transaction ends, the webhook cannot be deleted. */
export async function holdPlatformWebhook(tx: Tx, webhookId: string): Promise<PlatformWebhookRow | undefined> {
  tx.send(`select pg_advisory_xact_lock_shared(${namedLock('endpoint')})`, [webhookId]);
  return findPlatformWebhook(tx, webhookId);
}

/** Whether a webhook of the platform receives this type of event. */
export async function hasPlatformWebhookFor(db: Db, type: PlatformEventType): Promise<boolean> {
  const rows = await db.query('select 1 from platform_webhooks where $1 = any (event_types) limit 1', [type]);
  return rows.length > 0;
}

export type PlatformWebhookValues = Pick<PlatformWebhookRow, 'url' | 'event_types' | 'description' | 'secret_sealed'>;

export async function insertPlatformWebhook(
  tx: Tx,
  webhookId: string,
  { url, event_types, description, secret_sealed }: PlatformWebhookValues,
  signing: Buffer,
): Promise<PlatformWebhookRow> {
  const rows = await tx.query<PlatformWebhookRow>(
    `insert into platform_webhooks (webhook_id, url, event_types, description, secret_sealed, signing_sealed)
     values ($1, $2, $3, $4, $5, $6) returning *`,
    [webhookId, url, event_types, description, secret_sealed, signing],
  );
  return rows[0] as PlatformWebhookRow;
}

export async function updatePlatformWebhook(
  tx: Tx,
  webhookId: string,
  values: PlatformWebhookValues & SealedSecrets & Health & { address_no: number },
): Promise<PlatformWebhookRow> {
  const rows = await tx.query<PlatformWebhookRow>(
    `update platform_webhooks set url = $2, event_types = $3, description = $4, secret_sealed = $5, address_no = $6,
       failing_since = $7, disabled_at = $8, disabled_reason = $9, signing_sealed = $10,
       previous_signing_sealed = $11, updated_at = now()
     where webhook_id = $1 returning *`,
    [
      webhookId,
      values.url,
      values.event_types,
      values.description,
      values.secret_sealed,
      values.address_no,
      values.failing_since,
      values.disabled_at,
      values.disabled_reason,
      values.signing_sealed,
      values.previous_signing_sealed,
    ],
  );
  return rows[0] as PlatformWebhookRow;
}

/** The current secret becomes the previous one. */
export async function updatePlatformSigning(
  tx: Tx,
  webhookId: string,
  sealed: SealedSecrets,
  hours: number,
): Promise<PlatformWebhookRow> {
  const rows = await tx.query<PlatformWebhookRow>(
    `update platform_webhooks set secret_sealed = $2, signing_sealed = $3, previous_signing_sealed = $4,
       previous_signing_until = now() + make_interval(hours => $5), updated_at = now()
     where webhook_id = $1 returning *`,
    [webhookId, sealed.secret_sealed, sealed.signing_sealed, sealed.previous_signing_sealed, hours],
  );
  return rows[0] as PlatformWebhookRow;
}

/** Sets a new signing secret, and removes the previous one and the authorization. */
export async function replacePlatformSecrets(tx: Tx, webhookId: string, signing: Buffer): Promise<void> {
  await tx.query(
    `update platform_webhooks set signing_sealed = $2, secret_sealed = null, previous_signing_sealed = null,
       previous_signing_until = null, updated_at = now()
     where webhook_id = $1`,
    [webhookId, signing],
  );
}

export async function updatePlatformHealth(tx: Tx, webhookId: string, health: Health): Promise<void> {
  await tx.query(
    'update platform_webhooks set failing_since = $2, disabled_at = $3, disabled_reason = $4 where webhook_id = $1',
    [webhookId, health.failing_since, health.disabled_at, health.disabled_reason],
  );
}

export function clearPlatformFailing(tx: Tx, webhookId: string, addressNo: number): void {
  tx.send(
    `update platform_webhooks set failing_since = null
     where webhook_id = $1 and address_no = $2 and failing_since is not null`,
    [webhookId, addressNo],
  );
}

export async function deletePlatformWebhook(tx: Tx, webhookId: string): Promise<void> {
  await tx.query('delete from platform_webhooks where webhook_id = $1', [webhookId]);
}
