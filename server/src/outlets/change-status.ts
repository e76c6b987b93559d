import { lockVendor } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { findStatus, saveStatus } from './queries.ts';
import { requestedStatus, type StatusRequest, type StoredStatus, statusAt } from './rules/status.ts';

/** Opens or closes a store. Only the platform can reopen a store that it has closed. */
export async function changeStatus(
  tx: Tx,
  chainId: string,
  vendor: { vendor_id: string; timezone: string },
  request: StatusRequest,
  by: 'partner' | 'platform',
  now: Date,
): Promise<StoredStatus> {
  // The store may have no status row yet, so the vendor is locked instead.
  await lockVendor(tx, chainId, vendor.vendor_id);
  const before = statusAt(await findStatus(tx, chainId, vendor.vendor_id), now);
  const next = requestedStatus(request, vendor.timezone, now);
  if ('pointer' in next) throw invalid([next]);
  if (by === 'partner' && before.status === 'CLOSED') throw new Failure('outlet_closed_by_platform');
  await saveStatus(tx, chainId, vendor.vendor_id, next);
  return next;
}
