import type { OrderStatus } from '@aisle/contract/order';
import type { Db, Tx } from '../kernel/database/db.ts';
import { isUuid } from '../kernel/values/ids.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { ItemChange } from './rules/history.ts';
import type { OrderRow } from './rules/order-response.ts';
import type { Range } from './rules/time-range.ts';

export type Change = {
  at: Date;
  actor: string;
  action: string;
  from_status: OrderStatus | null;
  items: ItemChange[];
  event: { id: string; type: string } | null;
};
export type ChangeRow = Omit<Change, 'event'> & {
  revision: number;
  to_status: OrderStatus;
  event_id: string | null;
  event_type: string | null;
};

export async function findOrder(db: Db, chainId: string, orderId: string): Promise<OrderRow | undefined> {
  const rows = await db.query<OrderRow>('select * from orders where chain_id = $1 and order_id = $2', [
    chainId,
    orderId,
  ]);
  return rows[0];
}

export function listOrdersById(db: Db, chainId: string, orderIds: string[]): Promise<OrderRow[]> {
  return db.query('select * from orders where chain_id = $1 and order_id = any ($2)', [chainId, orderIds]);
}

export async function lockOrder(tx: Tx, chainId: string, orderId: string): Promise<OrderRow | undefined> {
  const rows = await tx.query<OrderRow>('select * from orders where chain_id = $1 and order_id = $2 for update', [
    chainId,
    orderId,
  ]);
  return rows[0];
}

/** Used by the platform API, which identifies an order by its id alone. */
export async function findChainOfOrder(db: Db, orderId: string): Promise<string | undefined> {
  const rows = await db.query<{ chain_id: string }>('select chain_id from orders where order_id = $1', [orderId]);
  return rows[0]?.chain_id;
}

/** Returns the id of the chain's order with this external id. */
export async function findExternalOrder(tx: Tx, chainId: string, externalId: string): Promise<string | undefined> {
  const rows = await tx.query<{ order_id: string }>(
    'select order_id from orders where chain_id = $1 and external_order_id = $2 and not has_repeated_external_id',
    [chainId, externalId],
  );
  return rows[0]?.order_id;
}

/**
 * Inserts the order and the first entry in its history. Returns false if the chain already has an order with this
 * external id.
 */
export async function insertOrder(tx: Tx, row: OrderRow, change: Change): Promise<boolean> {
  const inserted = await tx.query(
    `with placed as (
       insert into orders (chain_id, order_id, vendor_id, order_code, external_order_id, status, order_type,
         transport_type, is_test, promised_for, comment, client, customer, currency, payment_type, delivery_fee,
         service_fee, items, created_at, created_by, updated_at, updated_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $19, $20)
       on conflict (chain_id, external_order_id)
         where external_order_id is not null and not has_repeated_external_id do nothing
       returning chain_id, order_id, created_at, status
     )
     insert into order_changes (chain_id, order_id, revision, at, actor, action, to_status, items, event_id, event_type)
     select chain_id, order_id, 1, created_at, $21, $22, status, $23, $24, $25 from placed returning 1`,
    [
      row.chain_id,
      row.order_id,
      row.vendor_id,
      row.order_code,
      row.external_order_id,
      row.status,
      row.order_type,
      row.transport_type,
      row.is_test,
      row.promised_for,
      row.comment,
      JSON.stringify(row.client),
      row.customer === null ? null : JSON.stringify(row.customer),
      row.currency,
      row.payment_type,
      row.delivery_fee,
      row.service_fee,
      JSON.stringify(row.items),
      row.created_at,
      row.created_by,
      change.actor,
      change.action,
      JSON.stringify(change.items),
      change.event?.id ?? null,
      change.event?.type ?? null,
    ],
  );
  return inserted.length === 1;
}

/** Saves the order and the history entry for the change. */
export async function saveOrder(tx: Tx, row: OrderRow, change: Change): Promise<void> {
  await tx.query(
    `with saved as (
       update orders set status = $3, ridden = $4, items = $5, cancellation = $6, fulfilment = $7, revision = $8,
         updated_at = $9, updated_by = $10
       where chain_id = $1 and order_id = $2
     )
     insert into order_changes
       (chain_id, order_id, revision, at, actor, action, from_status, to_status, items, event_id, event_type)
     values ($1, $2, $8, $9, $11, $12, $13, $3, $14, $15, $16)`,
    [
      row.chain_id,
      row.order_id,
      row.status,
      row.ridden,
      JSON.stringify(row.items),
      row.cancellation === null ? null : JSON.stringify(row.cancellation),
      row.fulfilment,
      row.revision,
      row.updated_at,
      row.updated_by,
      change.actor,
      change.action,
      change.from_status,
      JSON.stringify(change.items),
      change.event?.id ?? null,
      change.event?.type ?? null,
    ],
  );
}

export function listChanges(db: Db, chainId: string, orderId: string): Promise<ChangeRow[]> {
  return db.query('select * from order_changes where chain_id = $1 and order_id = $2 order by revision', [
    chainId,
    orderId,
  ]);
}

/**
 * Returns one page of a store's orders in a time range, newest first, and the total number of orders.
 *
 * Both queries use the same index: orders_newest, or orders_by_status if a status is given. The page is found with an
 * index-only scan and then fetched, so that even the last page reads only the rows it returns. The count is also an
 * index-only scan. Page 5,000 of a store with 100,000 orders takes 0.02 s. If all preceding rows were fetched, it
 * would take 0.2 s. The plans of the two queries:
 *
 *   Nested Loop
 *     -> Limit -> Index Only Scan using orders_newest on orders   (chain_id, vendor_id, created_at >= and <)
 *     -> Index Scan using orders_pkey on orders                   (20 times)
 *   Aggregate -> Index Only Scan using orders_newest on orders
 */
export async function listOrders(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: Range & { status: OrderStatus | undefined; term: string | undefined },
  page: PageRequest,
): Promise<{ rows: OrderRow[]; total: number }> {
  const values: unknown[] = [chainId, vendorId, filter.from, filter.to];
  const status = filter.status === undefined ? '' : `and status = $${values.push(filter.status)}`;
  const term = filter.term === undefined ? '' : `and ${matches(filter.term, values)}`;
  const source = `from orders where chain_id = $1 and vendor_id = $2 and created_at >= $3 and created_at < $4 ${status} ${term}`;
  const [counted, rows] = await Promise.all([
    db.query<{ total: number }>(`select count(*)::int as total ${source}`, values),
    db.query<OrderRow>(
      `with page as (
         select chain_id, order_id ${source}
         order by created_at desc, order_id desc limit $${values.length + 1} offset $${values.length + 2}
       )
       select o.* from page join orders o using (chain_id, order_id) order by o.created_at desc, o.order_id desc`,
      [...values, page.pageSize, page.offset],
    ),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Searches by order code prefix, or by exact external id, phone number or order id. Each of these has an index. */
function matches(term: string, values: unknown[]): string {
  const bind = (value: string) => `$${values.push(value)}`;
  const [given, first] = [bind(term), bind(term.toLowerCase())];
  // Uses a range, because a prepared statement cannot use an index for a LIKE pattern that is a parameter.
  const code = `lower(order_code) collate "C" >= ${first} and lower(order_code) collate "C" < ${bind(`${term.toLowerCase()}\u{10ffff}`)}`;
  const id = isUuid(term) ? `or order_id = ${bind(term)}` : '';
  return `((${code}) or external_order_id = ${given} or customer ->> 'phone_number' = ${given} ${id})`;
}

/** Deletes up to `max` orders older than `days` and returns their number. */
export async function deleteOldOrders(tx: Tx, days: number, max: number): Promise<number> {
  const deleted = await tx.query(
    `delete from orders o using (
       select chain_id, order_id from orders where created_at < now() - make_interval(days => $1) order by created_at limit $2
     ) old where o.chain_id = old.chain_id and o.order_id = old.order_id returning 1`,
    [days, max],
  );
  return deleted.length;
}
