import type { Tx } from '../kernel/database/db.ts';
import { numberColumns, valuesOf } from './queries.ts';
import type { OrderNumbers } from './rules/order-numbers.ts';
import type { OrderRow } from './rules/order-response.ts';
import type { SearchEntry } from './rules/search.ts';

/** Lists recent orders of all chains that cannot be found, because an earlier version has placed them. */
export function listUnsearchable(tx: Tx, hours: number, max: number): Promise<OrderRow[]> {
  return tx.query(
    `select o.* from orders o where created_at > now() - make_interval(hours => $1) and not exists (
       select from order_search s where s.chain_id = o.chain_id and s.order_id = o.order_id) limit $2`,
    [hours, max],
  );
}

export async function insertSearchEntry(
  tx: Tx,
  row: OrderRow,
  { order_code, name, phone }: SearchEntry,
): Promise<void> {
  await tx.query(
    `insert into order_search (chain_id, order_id, vendor_id, created_at, order_code, external_order_id, name, phone)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [row.chain_id, row.order_id, row.vendor_id, row.created_at, order_code, row.external_order_id, name, phone],
  );
}

/** Lists recent orders of all chains without numbers, because an earlier version has fulfilled them. */
export function listUncounted(
  tx: Tx,
  hours: number,
  max: number,
  fulfilled: readonly string[],
): Promise<{ chain_id: string; order_id: string }[]> {
  return tx.query(
    `select o.chain_id, o.order_id from orders o
     where o.created_at > now() - make_interval(hours => $1) and o.status = any ($3) and not exists (
       select from order_numbers n where n.chain_id = o.chain_id and n.order_id = o.order_id)
     limit $2`,
    [hours, max, fulfilled],
  );
}

/** Returns nothing if another transaction is changing the order, or if it is no longer fulfilled. */
export async function lockFulfilled(
  tx: Tx,
  chainId: string,
  orderId: string,
  fulfilled: readonly string[],
): Promise<(OrderRow & { fulfilled_at: Date }) | undefined> {
  const rows = await tx.query<OrderRow & { fulfilled_at: Date }>(
    `select o.*, c.at as fulfilled_at from orders o
     join order_changes c on c.chain_id = $1 and c.order_id = o.order_id and c.action = 'fulfilled'
     where o.chain_id = $1 and o.order_id = $2 and o.status = any ($3)
     for update of o skip locked`,
    [chainId, orderId, fulfilled],
  );
  return rows[0];
}

export async function insertNumbers(tx: Tx, row: OrderRow, numbers: OrderNumbers): Promise<void> {
  await tx.query(
    `insert into order_numbers ${numberColumns} values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [row.chain_id, row.order_id, ...valuesOf(numbers)],
  );
}
