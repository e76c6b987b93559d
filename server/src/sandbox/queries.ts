import type { Db, Tx } from '../kernel/database/db.ts';
import type { Expectation } from './rules/expectation.ts';

/** An order that a rider will pick up or deliver, and after how long. */
export type Ride = { chain_id: string; order_id: string; revision: number; after_seconds: number };

/** Null: the store has no automatic rider. */
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

/** The orders among these, of several chains, whose store has an automatic rider. */
export function listRides(tx: Tx, orders: { chain_id: string; order_id: string }[]): Promise<Ride[]> {
  return tx.query(
    `select o.chain_id, o.order_id, o.revision, r.after_seconds
     from unnest($1::uuid[], $2::uuid[]) as given (chain_id, order_id)
     join orders o on o.chain_id = given.chain_id and o.order_id = given.order_id
     join sandbox_riders r on r.chain_id = o.chain_id and r.vendor_id = o.vendor_id`,
    [orders.map((order) => order.chain_id), orders.map((order) => order.order_id)],
  );
}

/** The latest orders of the vendor that wait for a rider. */
export function listWaiting(tx: Tx, chainId: string, vendorId: string, max: number): Promise<Ride[]> {
  return tx.query(
    `select o.chain_id, o.order_id, o.revision, r.after_seconds
     from sandbox_riders r join orders o on o.chain_id = r.chain_id and o.vendor_id = r.vendor_id
     where r.chain_id = $1 and r.vendor_id = $2 and o.status in ('READY_FOR_PICKUP', 'DISPATCHED')
     order by o.created_at desc limit $3`,
    [chainId, vendorId, max],
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
