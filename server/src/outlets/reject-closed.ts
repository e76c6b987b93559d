import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { getStatus } from './read-status.ts';

/** Fails if the store is closed. */
export async function rejectClosed(db: Db, chainId: string, vendorId: string): Promise<void> {
  const { status, closed_reason, closed_until } = await getStatus(db, chainId, vendorId);
  if (status === 'OPEN') return;
  const until = closed_until === null ? '' : ` until ${closed_until.toISOString()}`;
  throw new Failure('vendor_closed', `The store ${vendorId} is closed${until} (${closed_reason ?? 'OTHER'}).`, {
    extra: { outlet_status: status, ...(closed_until && { closed_until: closed_until.toISOString() }) },
  });
}
