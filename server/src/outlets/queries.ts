import type { Db, Tx } from '../kernel/database/db.ts';
import type { StoredStatus } from './rules/status.ts';

type StatusRow = StoredStatus & { vendor_id: string };

const selectStatuses = `select vendor_id, status, closed_reason, closed_until from outlet_statuses
  where chain_id = $1 and vendor_id = any ($2)`;

/** The status of these stores. Leaves out closures that have ended by the database's clock: those stores are open. */
export function listStatuses(db: Db, chainId: string, vendorIds: readonly string[]): Promise<StatusRow[]> {
  return db.query(`${selectStatuses} and (closed_until is null or closed_until > now())`, [chainId, vendorIds]);
}

/** Replaces the status of these stores, by their ids. */
export async function saveStatuses(
  tx: Tx,
  chainId: string,
  statuses: ReadonlyMap<string, StoredStatus>,
): Promise<void> {
  const rows = [...statuses.values()];
  await tx.query(
    `insert into outlet_statuses (chain_id, vendor_id, status, closed_reason, closed_until)
     select $1, new.* from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) as new
     on conflict (chain_id, vendor_id) do update set status = excluded.status, closed_reason = excluded.closed_reason,
       closed_until = excluded.closed_until, updated_at = excluded.updated_at`,
    [
      chainId,
      [...statuses.keys()],
      rows.map(({ status }) => status),
      rows.map(({ closed_reason }) => closed_reason),
      rows.map(({ closed_until }) => closed_until),
    ],
  );
}

/** The status of these stores as stored, also if a closure has ended. */
export function listStoredStatuses(db: Db, chainId: string, vendorIds: readonly string[]): Promise<StatusRow[]> {
  return db.query(selectStatuses, [chainId, vendorIds]);
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
