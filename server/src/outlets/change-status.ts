import type { ErrorCode } from '@aisle/contract/errors';
import { recordPlatformEvent } from '../events/index.ts';
import { lockVendors } from '../identity/index.ts';
import { readTime } from '../kernel/database/clock.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { listStoredStatuses, saveStatuses } from './queries.ts';
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
  const { status = open, error } = (await change(tx, chainId, [vendor], request, by)).get(vendor.vendor_id) ?? {};
  if (error) throw new Failure(error.code, error.detail);
  return status;
}

/** Changes the stores that the partner can change, and returns the result for each store by its id. */
export function changeStatuses(
  tx: Tx,
  chainId: string,
  vendors: readonly Outlet[],
  request: StatusRequest,
): Promise<Map<string, StatusChange>> {
  return change(tx, chainId, vendors, request, 'partner');
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

/** All stores are read in one round trip and saved in another, because a request can have a thousand of them. */
async function change(
  tx: Tx,
  chainId: string,
  vendors: readonly Outlet[],
  request: StatusRequest,
  by: 'partner' | 'platform',
): Promise<Map<string, StatusChange>> {
  const ids = vendors.map(({ vendor_id }) => vendor_id);
  // A store may have no status row yet, so the vendors are locked instead.
  const [, stored, now] = await Promise.all([
    lockVendors(tx, chainId, ids),
    listStoredStatuses(tx, chainId, ids),
    readTime(tx),
  ]);
  const statusOf = new Map(stored.map(({ vendor_id, ...status }) => [vendor_id, status]));
  const zones = new Set(vendors.map(({ timezone }) => timezone));
  const nextIn = new Map([...zones].map((zone) => [zone, getRequested(request, zone, now)]));
  const results = new Map<string, StatusChange>();
  const changed = new Map<string, StoredStatus>();
  for (const { vendor_id: id, timezone } of vendors) {
    const before = statusOf.get(id) ?? open;
    const next = nextIn.get(timezone) ?? open;
    const isRejected = by === 'partner' && before.status === 'CLOSED';
    results.set(id, isRejected ? { status: before, error: closedByPlatform() } : { status: next });
    if (isRejected) continue;
    changed.set(id, next);
    if (!isSameStatus(before, next)) recordStatusEvent(tx, chainId, id, next);
  }
  await saveStatuses(tx, chainId, changed);
  return results;
}

function getRequested(request: StatusRequest, timezone: string, now: Date): StoredStatus {
  const next = requestedStatus(request, timezone, now);
  if ('pointer' in next) throw invalid([next]);
  return next;
}

function closedByPlatform(): NonNullable<StatusChange['error']> {
  const { code, message } = new Failure('outlet_closed_by_platform');
  return { code, detail: message };
}
