import type { Db, Tx } from '../kernel/database/db.ts';
import type { StoredStatus } from './rules/status.ts';

/** The status of these stores. Leaves out closures that have ended by the database's clock: those stores are open. */
export function listStatuses(
  db: Db,
  chainId: string,
  vendorIds: readonly string[],
): Promise<(StoredStatus & { vendor_id: string })[]> {
  return db.query(
    `select vendor_id, status, closed_reason, closed_until from outlet_statuses
     where chain_id = $1 and vendor_id = any ($2) and (closed_until is null or closed_until > now())`,
    [chainId, vendorIds],
  );
}

export async function saveStatus(tx: Tx, chainId: string, vendorId: string, next: StoredStatus): Promise<void> {
  await tx.query(
    `insert into outlet_statuses (chain_id, vendor_id, status, closed_reason, closed_until) values ($1, $2, $3, $4, $5)
     on conflict (chain_id, vendor_id) do update set status = excluded.status, closed_reason = excluded.closed_reason,
       closed_until = excluded.closed_until, updated_at = excluded.updated_at`,
    [chainId, vendorId, next.status, next.closed_reason, next.closed_until],
  );
}

/** The status as stored, also if the closure has ended. */
export async function findStoredStatus(db: Db, chainId: string, vendorId: string): Promise<StoredStatus | undefined> {
  const rows = await db.query<StoredStatus>(
    'select status, closed_reason, closed_until from outlet_statuses where chain_id = $1 and vendor_id = $2',
    [chainId, vendorId],
  );
  return rows[0];
}

/** The stores, in these or (null) all chains, whose closure has ended. Requests already treat them as open. */
export function listEndedClosures(
  db: Db,
  limit: number,
  chainIds: readonly string[] | null,
): Promise<{ chain_id: string; vendor_id: string }[]> {
  return db.query(
    `select chain_id, vendor_id from outlet_statuses
     where closed_until <= now() and ($2::uuid[] is null or chain_id = any ($2)) order by closed_until limit $1`,
    [limit, chainIds],
  );
}

/** Returns false if the closure has not ended, or another process was faster. */
export async function reopenStore(tx: Tx, chainId: string, vendorId: string): Promise<boolean> {
  const rows = await tx.query(
    `update outlet_statuses set status = 'OPEN', closed_reason = null, closed_until = null, updated_at = now()
     where chain_id = $1 and vendor_id = $2 and closed_until <= now() returning 1`,
    [chainId, vendorId],
  );
  return rows.length > 0;
}
