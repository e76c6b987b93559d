import type { ErrorCode } from '@aisle/contract/errors';
import { recordPlatformEvent } from '../events/index.ts';
import { lockVendor } from '../identity/index.ts';
import { readTime } from '../kernel/database/clock.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { findStoredStatus, saveStatus } from './queries.ts';
import { getStatus } from './read-status.ts';
import {
  isSameStatus,
  open,
  requestedStatus,
  statusResponse,
  type StatusRequest,
  type StoredStatus,
} from './rules/status.ts';

export type Outlet = { vendor_id: string; timezone: string };
export type StatusChange = { status: StoredStatus; error?: { code: ErrorCode; detail: string } };

/** Opens or closes a store. Only the platform can reopen a store that it has closed. */
export async function changeStatus(
  tx: Tx,
  chainId: string,
  vendor: Outlet,
  request: StatusRequest,
  by: 'partner' | 'platform',
): Promise<StoredStatus> {
  // The store may have no status row yet, so the vendor is locked instead.
  await lockVendor(tx, chainId, vendor.vendor_id);
  const before = (await findStoredStatus(tx, chainId, vendor.vendor_id)) ?? open;
  const next = requestedStatus(request, vendor.timezone, await readTime(tx));
  if ('pointer' in next) throw invalid([next]);
  if (by === 'partner' && before.status === 'CLOSED') throw new Failure('outlet_closed_by_platform');
  await saveStatus(tx, chainId, vendor.vendor_id, next);
  if (!isSameStatus(before, next)) recordStatusEvent(tx, chainId, vendor.vendor_id, next);
  return next;
}

/** The platform gets an event for every change, also when the time until which a store is closed has passed. */
export function recordStatusEvent(tx: Tx, chainId: string, vendorId: string, next: StoredStatus): void {
  recordPlatformEvent(tx, chainId, {
    type: next.status === 'OPEN' ? 'store.opened' : 'store.closed',
    body: { chain_id: chainId, ...statusResponse(vendorId, next) },
    vendorId,
    subject: `store ${vendorId}`,
  });
}

/** Changes the stores that the partner can change, and returns the result for each store by its id. */
export async function changeStatuses(
  tx: Tx,
  chainId: string,
  vendors: readonly Outlet[],
  request: StatusRequest,
): Promise<Map<string, StatusChange>> {
  const results = new Map<string, StatusChange>();
  // In a fixed order, so that two requests for the same stores cannot deadlock.
  for (const vendor of vendors.toSorted((a, b) => (a.vendor_id < b.vendor_id ? -1 : 1))) {
    results.set(vendor.vendor_id, await tryChange(tx, chainId, vendor, request));
  }
  return results;
}

async function tryChange(tx: Tx, chainId: string, vendor: Outlet, request: StatusRequest): Promise<StatusChange> {
  try {
    return { status: await changeStatus(tx, chainId, vendor, request, 'partner') };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'outlet_closed_by_platform') throw error;
    const status = await getStatus(tx, chainId, vendor.vendor_id);
    return { status, error: { code: error.code, detail: error.message } };
  }
}
