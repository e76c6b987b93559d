import type { Db } from '../kernel/database/db.ts';
import { listStatuses } from './queries.ts';
import { open, type StoredStatus } from './rules/status.ts';

/** The current status of a store. */
export async function getStatus(db: Db, chainId: string, vendorId: string): Promise<StoredStatus> {
  return (await getStatuses(db, chainId, [vendorId])).get(vendorId) ?? open;
}

/** The current status of each of these stores, by their ids. A store without a row is open. */
export async function getStatuses(
  db: Db,
  chainId: string,
  vendorIds: readonly string[],
): Promise<Map<string, StoredStatus>> {
  const rows = await listStatuses(db, chainId, vendorIds);
  const stored = new Map(rows.map(({ vendor_id, ...status }) => [vendor_id, status]));
  return new Map(vendorIds.map((id) => [id, stored.get(id) ?? open]));
}
