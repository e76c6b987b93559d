import type { InputError } from '@aisle/contract/common';
import { describeValue } from '@aisle/contract/value-faults';
import type { Db } from '../kernel/database/db.ts';
import { invalid, notFound } from '../kernel/failures/failure.ts';
import { type Actor, admitVendors } from './gate.ts';
import { findVendors, listAllVendors, type VendorRow } from './queries.ts';

export type ResolvedVendors = {
  /** Each vendor once, in the order requested. */
  known: VendorRow[];
  /** Ids that do not belong to any vendor in the chain. */
  unknown: string[];
};

/** Resolves platform or external ids to vendors. `*` means all. Fails unless the caller can access all of them. */
export async function resolveVendors(
  db: Db,
  chainId: string,
  actor: Pick<Actor, 'vendorIds'>,
  ids: readonly string[] | '*',
): Promise<ResolvedVendors> {
  if (ids === '*') {
    admitVendors(actor, '*');
    return { known: await listAllVendors(db, chainId), unknown: [] };
  }
  const found = new Map((await findVendors(db, chainId, ids)).map((vendor) => [vendor.requested_id, vendor]));
  // For a caller with limited access, an unknown id is rejected like an inaccessible one.
  admitVendors(
    actor,
    ids.map((id) => found.get(id)?.vendor_id ?? id),
  );
  const named = ids.flatMap((id) => found.get(id) ?? []);
  const known = new Map(named.map((vendor) => [vendor.vendor_id, vendor]));
  return { known: [...known.values()], unknown: ids.filter((id) => !found.has(id)) };
}

/**
 * Resolves a new credential's `vendor_ids` to platform ids. The caller must check that the credential's creator can
 * access these vendors.
 */
export async function getVendorIds(db: Db, chainId: string, ids: readonly string[]): Promise<string[]> {
  const { known, unknown } = await resolveVendors(db, chainId, { vendorIds: null }, ids);
  const foreign = new Set(unknown);
  const errors = ids.flatMap((id, index): InputError[] =>
    foreign.has(id)
      ? [{ pointer: `/vendor_ids/${index}`, code: 'unknown', message: describeValue('foreign_store') }]
      : [],
  );
  if (errors.length > 0) throw invalid(errors);
  return known.map((vendor) => vendor.vendor_id).toSorted();
}

/** Finds a vendor whose id is in the query or body, not in the path. */
export async function getVendor(
  db: Db,
  chainId: string,
  actor: Pick<Actor, 'vendorIds'>,
  id: string,
): Promise<VendorRow> {
  const [vendor] = await findVendors(db, chainId, [id]);
  if (!vendor) throw notFound('vendor_not_found', id);
  admitVendors(actor, [vendor.vendor_id]);
  return vendor;
}
