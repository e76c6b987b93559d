import type { Tx } from '../kernel/database/db.ts';
import { numberColumns, valuesOf } from './queries.ts';
import { orderNumbers } from './rules/order-numbers.ts';
import type { OrderRow } from './rules/order-response.ts';
import { fulfilledStatuses } from './rules/order-tally.ts';
import { searchEntry } from './rules/search.ts';

/**
 * Adds what an earlier version, which runs at the same time during an upgrade, has not written: the entry by which an
 * order is found, and the numbers of a fulfilled one. Returns how many were added.
 */
export async function completeOrders(tx: Tx, hours: number, max: number): Promise<number> {
  const placed = await tx.query<OrderRow>(
    `select o.* from orders o where created_at > now() - make_interval(hours => $1) and not exists (
       select from order_search s where s.chain_id = o.chain_id and s.order_id = o.order_id) limit $2`,
    [hours, max],
  );
  for (const row of placed) {
    const { order_code, name, phone } = searchEntry(row);
    await tx.query(
      `insert into order_search (chain_id, order_id, vendor_id, created_at, order_code, external_order_id, name, phone)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [row.chain_id, row.order_id, row.vendor_id, row.created_at, order_code, row.external_order_id, name, phone],
    );
  }
  const fulfilled = await tx.query<OrderRow & { fulfilled_at: Date }>(
    `select o.*, c.at as fulfilled_at from orders o
     join order_changes c on c.chain_id = o.chain_id and c.order_id = o.order_id and c.action = 'fulfilled'
     where o.created_at > now() - make_interval(hours => $1) and o.status = any ($3) and not exists (
       select from order_numbers n where n.chain_id = o.chain_id and n.order_id = o.order_id)
     limit $2 for update of o skip locked`,
    [hours, max, fulfilledStatuses],
  );
  for (const row of fulfilled) {
    await tx.query(
      `insert into order_numbers ${numberColumns} values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
      [row.chain_id, row.order_id, ...valuesOf(orderNumbers(row, row.fulfilled_at))],
    );
  }
  return placed.length + fulfilled.length;
}
