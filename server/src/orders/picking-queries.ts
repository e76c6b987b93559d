import type { Db, Tx } from '../kernel/database/db.ts';
import type { OrderRow } from './rules/order-response.ts';

/** Notified with the subject `orderSubject` when an order, or what has been picked of it, has changed. */
export const orderChannel = 'aisle_orders_changed';

export function announceOrder(tx: Tx, chainId: string, orderId: string): void {
  tx.announce(orderChannel, orderSubject(chainId, orderId));
}

export function orderSubject(chainId: string, orderId: string): string {
  return `${chainId} ${orderId}`.toLowerCase();
}

export type OpenOrder = Pick<
  OrderRow,
  | 'order_id'
  | 'order_code'
  | 'vendor_id'
  | 'status'
  | 'revision'
  | 'created_at'
  | 'promised_for'
  | 'comment'
  | 'is_test'
> & { vendor_name: string; item_count: number };

/**
 * Lists the orders that wait for picking, most urgent first. Each vendor's orders are found with the index
 * orders_by_status, so the orders that were fulfilled before are not read. Their items, which take most of the time, are
 * read of the listed orders only. With `OLDEST`, at most `limit` orders of each vendor are compared, those placed first.
 * The result is right if it has fewer rows than `limit`.
 */
export function listOpenOrders(
  db: Db,
  chainId: string,
  vendorIds: readonly string[],
  createdSince: Date,
  limit: number,
  compared: 'OLDEST' | 'ALL',
): Promise<OpenOrder[]> {
  const first = compared === 'OLDEST' ? 'created_at' : 'coalesce(promised_for, created_at)';
  return db.query(
    `select o.order_id, o.order_code, o.vendor_id, o.status, o.revision, o.created_at, o.promised_for, o.comment,
       o.is_test, o.client ->> 'name' as vendor_name, jsonb_array_length(o.items) as item_count
     from (
       select own.* from unnest($2::text[]) as v (vendor_id)
       cross join lateral (
         select * from orders where chain_id = $1 and vendor_id = v.vendor_id and status = 'RECEIVED' and created_at >= $3
         order by ${first}, order_id limit $4
       ) own
       order by coalesce(own.promised_for, own.created_at), own.order_id limit $4
     ) o
     order by coalesce(o.promised_for, o.created_at), o.order_id`,
    [chainId, vendorIds, createdSince, limit],
  );
}

/** Who made the last change to the order, as in its history. */
export async function findLastActor(db: Db, chainId: string, orderId: string): Promise<string | undefined> {
  const rows = await db.query<{ actor: string }>(
    'select actor from order_changes where chain_id = $1 and order_id = $2 order by revision desc limit 1',
    [chainId, orderId],
  );
  return rows[0]?.actor;
}
