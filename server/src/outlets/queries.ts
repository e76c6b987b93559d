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
