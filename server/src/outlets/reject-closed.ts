import { Failure } from '../kernel/failures/failure.ts';
import type { StoredStatus } from './rules/status.ts';

/** Fails if the store is closed. */
export function rejectClosed(vendorId: string, { status, closed_reason, closed_until }: StoredStatus): void {
  if (status === 'OPEN') return;
  const until = closed_until === null ? '' : ` until ${closed_until.toISOString()}`;
  throw new Failure('vendor_closed', `The store ${vendorId} is closed${until} (${closed_reason ?? 'OTHER'}).`, {
    extra: { outlet_status: status, ...(closed_until && { closed_until: closed_until.toISOString() }) },
  });
}
