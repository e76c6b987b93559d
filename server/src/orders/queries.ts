import type { OrderStatus } from '@aisle/contract/order';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { ItemChange } from './rules/history.ts';
import type { OrderNumbers } from './rules/order-numbers.ts';
import type { OrderRow } from './rules/order-response.ts';
import type { SearchEntry } from './rules/search.ts';

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

export type OrderSummary = Pick<OrderRow, 'order_id' | 'order_code' | 'vendor_id' | 'status' | 'created_at'>;

/**
 * The newest orders at these vendors that contain the product. There is no index on the items, because it would slow
 * down every order; instead, only the most recent orders of each vendor are read.
 */
export function listOrdersWith(
  db: Db,
  chainId: string,
  vendorIds: readonly string[],
  sku: string,
  readableDays: number,
): Promise<OrderSummary[]> {
  const perVendor = Math.max(20, Math.ceil(2000 / Math.max(1, vendorIds.length)));
  return db.query(
    `select o.order_id, o.order_code, o.vendor_id, o.status, o.created_at
     from unnest($2::text[]) as v (vendor_id)
     cross join lateral (
       select * from orders where chain_id = $1 and vendor_id = v.vendor_id
         and created_at > now() - make_interval(days => $5)
       order by created_at desc, order_id desc limit $4) o
     where o.items @> jsonb_build_array(jsonb_build_object('sku', $3::text))
     order by o.created_at desc, o.order_id desc limit 20`,
    [chainId, vendorIds, sku, perVendor, readableDays],
  );
}

export async function lockOrder(tx: Tx, chainId: string, orderId: string): Promise<OrderRow | undefined> {
  const rows = await tx.query<OrderRow>('select * from orders where chain_id = $1 and order_id = $2 for update', [
    chainId,
    orderId,
  ]);
  return rows[0];
}

/** For `lockSelected`: the offers of `skus`, and of the order's lines except `unchanged`. */
export function selectOffers(orderId: string, { skus, unchanged }: { skus: string[]; unchanged: string[] }) {
  return {
    text: `select vendor_id, unnest($3::text[]) as sku from orders where chain_id = $1 and order_id = $2
      union all
      select vendor_id, line ->> 'sku' from orders, jsonb_array_elements(items) as line
      where chain_id = $1 and order_id = $2 and not line ->> 'id' = any ($4)`,
    values: [orderId, skus, unchanged],
  };
}

/** Used by the platform API, which identifies an order by its id alone. */
export async function findChainOfOrder(db: Db, orderId: string): Promise<string | undefined> {
  const rows = await db.query<{ chain_id: string }>('select chain_id from orders where order_id = $1', [orderId]);
  return rows[0]?.chain_id;
}

export type OrderOfStore = Pick<OrderRow, 'order_id' | 'vendor_id'>;

/** Returns the chain's order with this external id. */
export async function findByExternalId(db: Db, chainId: string, externalId: string): Promise<OrderOfStore | undefined> {
  const rows = await db.query<OrderOfStore>(
    'select order_id, vendor_id from orders where chain_id = $1 and external_order_id = $2 and not has_repeated_external_id',
    [chainId, externalId],
  );
  return rows[0];
}

/** Inserts the order, what it is found by, and the first entry in its history. */
export function insertOrder(tx: Tx, row: OrderRow, change: Change, entry: SearchEntry): void {
  tx.send(
    `insert into orders (chain_id, order_id, vendor_id, order_code, external_order_id, status, order_type,
       transport_type, is_test, promised_for, comment, client, customer, currency, payment_type, delivery_fee,
       service_fee, items, created_at, created_by, updated_at, updated_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $19, $20)`,
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
    ],
  );
  tx.send(
    `insert into order_search (chain_id, order_id, vendor_id, created_at, order_code, external_order_id, name, phone)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.chain_id,
      row.order_id,
      row.vendor_id,
      row.created_at,
      entry.order_code,
      row.external_order_id,
      entry.name,
      entry.phone,
    ],
  );
  insertChange(tx, row, change);
}

/** Adds an entry to the history of the order, as the change has left it. */
function insertChange(tx: Tx, row: OrderRow, change: Change): void {
  tx.send(
    `insert into order_changes
       (chain_id, order_id, revision, at, actor, action, from_status, to_status, items, event_id, event_type)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      row.chain_id,
      row.order_id,
      row.revision,
      change.at,
      change.actor,
      change.action,
      change.from_status,
      row.status,
      JSON.stringify(change.items),
      change.event?.id ?? null,
      change.event?.type ?? null,
    ],
  );
}

/**
 * Saves the order, the history entry for the change and, if the store has fulfilled the order with this change, its
 * numbers. The numbers of a cancelled order are deleted.
 */
export function saveOrder(tx: Tx, row: OrderRow, change: Change, numbers: OrderNumbers | null): void {
  const { chain_id: chainId, order_id: orderId } = row;
  tx.send(
    `update orders set status = $3, ridden = $4, items = $5, cancellation = $6, fulfilment = $7, revision = $8,
       updated_at = $9, updated_by = $10, comment = $11, promised_for = $12
     where chain_id = $1 and order_id = $2`,
    [
      chainId,
      orderId,
      row.status,
      row.ridden,
      JSON.stringify(row.items),
      row.cancellation === null ? null : JSON.stringify(row.cancellation),
      row.fulfilment,
      row.revision,
      row.updated_at,
      row.updated_by,
      row.comment,
      row.promised_for,
    ],
  );
  if (numbers) {
    tx.send(`insert into order_numbers ${numberColumns} values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
      chainId,
      orderId,
      ...valuesOf(numbers),
    ]);
  }
  if (row.status === 'CANCELLED') {
    tx.send('delete from order_numbers where chain_id = $1 and order_id = $2', [chainId, orderId]);
  }
  insertChange(tx, row, change);
}

export const numberColumns = `(chain_id, order_id, fulfilled_at, revenue, lines_ordered, lines_picked, lines_not_found,
  lines_replaced, pick_seconds, is_late)`;

/** The values for `numberColumns`, after the ids. */
export function valuesOf(numbers: OrderNumbers | null): unknown[] {
  return [
    numbers?.fulfilled_at,
    numbers?.revenue,
    numbers?.lines_ordered,
    numbers?.lines_picked,
    numbers?.lines_not_found,
    numbers?.lines_replaced,
    numbers?.pick_seconds,
    numbers?.is_late,
  ];
}

export function listChanges(db: Db, chainId: string, orderId: string): Promise<ChangeRow[]> {
  return db.query('select * from order_changes where chain_id = $1 and order_id = $2 order by revision', [
    chainId,
    orderId,
  ]);
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
