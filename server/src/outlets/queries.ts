import type { Db, Tx } from '../kernel/database/db.ts';
import { open, type StoredStatus } from './rules/status.ts';

/** The current status. A store without a row is open, and so is one whose closure has ended by the database's clock. */
export async function getStatus(db: Db, chainId: string, vendorId: string): Promise<StoredStatus> {
  return (await getStatuses(db, chainId, [vendorId])).get(vendorId) ?? open;
}

/** The current status of each of these stores, by their ids. */
export async function getStatuses(
  db: Db,
  chainId: string,
  vendorIds: readonly string[],
): Promise<Map<string, StoredStatus>> {
  const rows = await db.query<StoredStatus & { vendor_id: string }>(
    `select vendor_id, status, closed_reason, closed_until from outlet_statuses
     where chain_id = $1 and vendor_id = any ($2) and (closed_until is null or closed_until > now())`,
    [chainId, vendorIds],
  );
  const stored = new Map(rows.map(({ vendor_id, ...status }) => [vendor_id, status]));
  return new Map(vendorIds.map((id) => [id, stored.get(id) ?? open]));
}

export async function saveStatus(tx: Tx, chainId: string, vendorId: string, next: StoredStatus): Promise<void> {
  await tx.query(
    `insert into outlet_statuses (chain_id, vendor_id, status, closed_reason, closed_until) values ($1, $2, $3, $4, $5)
     on conflict (chain_id, vendor_id) do update set status = excluded.status, closed_reason = excluded.closed_reason,
       closed_until = excluded.closed_until, updated_at = now()`,
    [chainId, vendorId, next.status, next.closed_reason, next.closed_until],
  );
}
