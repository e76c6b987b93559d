import type { Db, Tx } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import type { Expectation } from './rules/expectation.ts';

/** A vendor's automatic rider. It acts `after_seconds` after an order is ready for pickup or dispatched. */
export type Rider = { chain_id: string; vendor_id: string; after_seconds: number };

/** Null means that the vendor has no automatic rider. */
export async function findRider(db: Db, chainId: string, vendorId: string): Promise<number | null> {
  const rows = await db.query<{ after_seconds: number }>(
    'select after_seconds from sandbox_riders where chain_id = $1 and vendor_id = $2',
    [chainId, vendorId],
  );
  return rows[0]?.after_seconds ?? null;
}

export async function saveRider(tx: Tx, chainId: string, vendorId: string, afterSeconds: number): Promise<void> {
  await tx.query(
    `insert into sandbox_riders (chain_id, vendor_id, after_seconds) values ($1, $2, $3)
     on conflict (chain_id, vendor_id) do update set after_seconds = excluded.after_seconds`,
    [chainId, vendorId, afterSeconds],
  );
}

export async function deleteRider(tx: Tx, chainId: string, vendorId: string): Promise<void> {
  await tx.query('delete from sandbox_riders where chain_id = $1 and vendor_id = $2', [chainId, vendorId]);
}

/** Lists the automatic riders for these vendors, which can belong to several chains if the scope is all chains. */
export function listRiders(tx: Tx, scope: Scope, vendors: { chain_id: string; vendor_id: string }[]): Promise<Rider[]> {
  if (scope !== null) {
    return tx.query(
      'select chain_id, vendor_id, after_seconds from sandbox_riders where chain_id = $1 and vendor_id = any ($2)',
      [scope, vendors.map((vendor) => vendor.vendor_id)],
    );
  }
  return tx.query(
    `select distinct r.chain_id, r.vendor_id, r.after_seconds
     from unnest($2::uuid[], $3::text[]) as given (chain_id, vendor_id)
     join sandbox_riders r on ${inScope('r', '$1')} and r.chain_id = given.chain_id and r.vendor_id = given.vendor_id`,
    [scope, vendors.map((vendor) => vendor.chain_id), vendors.map((vendor) => vendor.vendor_id)],
  );
}

export async function insertExpectation(
  tx: Tx,
  chainId: string,
  orderId: string,
  expected: Expectation,
): Promise<void> {
  await tx.query('insert into test_orders (chain_id, order_id, expected) values ($1, $2, $3)', [
    chainId,
    orderId,
    JSON.stringify(expected),
  ]);
}

export async function findExpectation(db: Db, chainId: string, orderId: string): Promise<Expectation | undefined> {
  const rows = await db.query<{ expected: Expectation }>(
    'select expected from test_orders where chain_id = $1 and order_id = $2',
    [chainId, orderId],
  );
  return rows[0]?.expected;
}
