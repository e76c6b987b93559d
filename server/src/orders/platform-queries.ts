import type { OrderStatus } from '@aisle/contract/order';
import type { Db } from '../kernel/database/db.ts';
import type { Since } from '../kernel/http/walk.ts';
import { maxExamined } from './change-queries.ts';
import type { OrderRow } from './rules/order-response.ts';

type OrderKey = { chain_id: string; order_id: string };
export type ChangeKey = OrderKey & { revision: number; position: number };

/** Orders to look at. Undefined fields mean all. */
export type Selection = { chainId: string | undefined; orders: OrderKey[] | undefined };

/** Returns the last position in all chains, or 0. */
export async function findLastPositionOfAll(db: Db): Promise<number> {
  const rows = await db.query<{ position: number }>(
    'select coalesce(max(position), 0)::float8 as position from order_changes',
  );
  return rows[0]?.position ?? 0;
}

/** The orders with this external id in these chains. */
export function listOrdersByExternalId(db: Db, chainIds: string[], externalId: string): Promise<OrderKey[]> {
  return db.query(
    `select s.chain_id, s.order_id from unnest($1::uuid[]) as c (chain_id)
     join order_search s on s.chain_id = c.chain_id and s.external_order_id = $2`,
    [chainIds, externalId],
  );
}

/** Lists the next changes to orders, across chains unless the selection names one, up to a position if it is given. */
export function listNextChanges(
  db: Db,
  { chainId, orders }: Selection,
  after: { position: number; orderId: string },
  upTo: number | undefined,
): Promise<ChangeKey[]> {
  const values: unknown[] = [after.position, after.orderId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const inChain = chainId === undefined ? '' : `and c.chain_id = ${bind(chainId)}`;
  const isSettled = upTo === undefined ? '' : `and c.position <= ${bind(upTo)}`;
  const selected =
    orders === undefined
      ? ''
      : `join unnest(${bind(orders.map((order) => order.chain_id))}::uuid[],
           ${bind(orders.map((order) => order.order_id))}::uuid[]) as s (chain_id, order_id)
         on s.chain_id = c.chain_id and s.order_id = c.order_id`;
  return db.query(
    `select c.chain_id, c.order_id, c.revision, c.position::float8 as position from order_changes c ${selected}
     where c.position is not null and (c.position, c.order_id) > ($1::bigint, $2::uuid) ${inChain} ${isSettled}
     order by c.position, c.order_id limit ${maxExamined}`,
    values,
  );
}

export type ChangedOrder = OrderRow & { position: number };

export type OrderConditions = {
  vendorId: string | undefined;
  status: OrderStatus | undefined;
  /** The time at which the order was placed: from inclusive, to exclusive. */
  from: Date | undefined;
  to: Date | undefined;
  since: Since | undefined;
};

/**
 * Returns the orders after these changes, in the order of the changes. Leaves out orders that have changed again since,
 * which are returned at their later change, and orders that do not meet the conditions.
 */
export function listOrdersOfChanges(
  db: Db,
  changes: ChangeKey[],
  { vendorId, status, from, to, since }: OrderConditions,
): Promise<ChangedOrder[]> {
  return db.query(
    `select o.*, c.position from unnest($1::uuid[], $2::uuid[], $3::int[], $4::float8[])
       as c (chain_id, order_id, revision, position)
     join orders o on o.chain_id = c.chain_id and o.order_id = c.order_id and o.revision = c.revision
     where ($5::text is null or o.vendor_id = $5) and ($6::text is null or o.status = $6)
       and ($7::timestamptz is null or o.created_at >= $7) and ($8::timestamptz is null or o.created_at < $8)
       and ($9::timestamptz is null or o.updated_at >= $9 or c.position > $10)
     order by c.position, o.order_id`,
    [
      changes.map((change) => change.chain_id),
      changes.map((change) => change.order_id),
      changes.map((change) => change.revision),
      changes.map((change) => change.position),
      vendorId,
      status,
      from,
      to,
      since && new Date(since.ms),
      since?.upTo ?? 0,
    ],
  );
}
