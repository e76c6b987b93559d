import type { Db } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';

/** Lists the vendors and revisions of these orders, which can belong to several chains. */
export function listRevisions(
  db: Db,
  scope: Scope,
  orders: { chain_id: string; order_id: string }[],
): Promise<{ chain_id: string; order_id: string; vendor_id: string; revision: number }[]> {
  return db.query(
    `select o.chain_id, o.order_id, o.vendor_id, o.revision
     from unnest($2::uuid[], $3::uuid[]) as given (chain_id, order_id)
     join orders o on ${inScope('o', '$1')} and o.chain_id = given.chain_id and o.order_id = given.order_id`,
    [scope, orders.map((order) => order.chain_id), orders.map((order) => order.order_id)],
  );
}

/** Lists the vendor's latest orders that have been picked but not yet delivered or collected. */
export function listUncollected(
  db: Db,
  chainId: string,
  vendorId: string,
  max: number,
): Promise<{ order_id: string; revision: number }[]> {
  return db.query(
    `select order_id, revision from orders
     where chain_id = $1 and vendor_id = $2 and status in ('READY_FOR_PICKUP', 'DISPATCHED')
     order by created_at desc limit $3`,
    [chainId, vendorId, max],
  );
}
