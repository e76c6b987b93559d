import type { OrderStatus } from '@aisle/contract/order';
import { countAffected } from '../kernel/database/count-affected.ts';
import { type Db, idleLimit, type Tx } from '../kernel/database/db.ts';
import { lockPositions } from '../kernel/database/positions.ts';
import type { Since } from '../kernel/http/walk.ts';
import type { OrderRow } from './rules/order-response.ts';

export type ChangeFilter = {
  /** Null means all vendors. */
  vendorIds: readonly string[] | null;
  status: OrderStatus | undefined;
  createdSince: Date;
  since: Since | undefined;
};

export type ChangedPage = {
  rows: (OrderRow & { position: number })[];
  /** The number of changes examined, and the position of the last one. */
  examined: number;
  lastExamined: number | null;
};

/**
 * The maximum number of changes examined for a page, which bounds the cost of a page. A page can have fewer orders,
 * because of filters or because orders have changed again. The next page continues after the last examined change.
 */
export const maxExamined = 2000;

export async function hasPendingChanges(db: Db, chainId: string): Promise<boolean> {
  const rows = await db.query('select 1 from order_changes where chain_id = $1 and position is null limit 1', [
    chainId,
  ]);
  return rows.length > 0;
}

/** Among these or (null) all chains. */
export function listChainsWithPendingChanges(
  db: Db,
  limit: number,
  chainIds: readonly string[] | null,
): Promise<{ chain_id: string }[]> {
  return db.query(
    `select distinct chain_id from order_changes where position is null and ($2::uuid[] is null or chain_id = any ($2))
     limit $1`,
    [limit, chainIds],
  );
}

/**
 * Assigns positions to up to `limit` committed changes in the chain, oldest first, after all existing positions in all
 * chains, because the platform reads the changes of all chains in one order. Returns the number of changes. All chains
 * wait for the second lock, so the transaction must be short, and must not do this for another chain too. The first lock
 * excludes processes of versions before the migration 0040, which take only that one.
 *
 * The sequence contains the last position of all chains, because a sharded database would have to ask every node for it.
 * Versions before the migration 0051 do not use it, so a position must also be higher than the chain's others and the
 * time at which the locks are held.
 */
export async function assignPositions(tx: Tx, chainId: string, limit: number): Promise<number> {
  const [, , last] = await Promise.all([
    lockPositions(tx, `order changes ${chainId}`),
    lockAllPositions(tx),
    findLastPosition(tx, chainId),
  ]);
  const rows = await tx.query<{ first: string }>(
    `select setval('order_positions',
       greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, last_value + 1, $1::bigint + 1) + $2 - 1)
       - $2 + 1 as first from order_positions`,
    [last, limit],
  );
  return countAffected(
    tx,
    `update order_changes c set position = placed.position
     from (
       select order_id, revision, row_number() over (order by at, order_id, revision) - 1 + $3::bigint as position
       from (
         select order_id, revision, at from order_changes where chain_id = $1 and position is null
         order by at, order_id, revision limit $2
       ) fresh
     ) placed
     where c.chain_id = $1 and c.order_id = placed.order_id and c.revision = placed.revision`,
    [chainId, limit, rows[0]?.first],
  );
}

/**
 * Makes every walk return the open orders again. After a restore, readers that were further than the backup may have seen
 * them change.
 */
export async function repeatOpenOrders(db: Db): Promise<void> {
  await db.query(
    `update order_changes c set position = null from orders o
     where o.chain_id = c.chain_id and o.order_id = c.order_id and o.revision = c.revision
       and o.status in ('RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED')`,
  );
}

/** Until the transaction ends, no other one assigns positions in any chain. */
export function lockAllPositions(tx: Tx): Promise<void> {
  tx.send(`select ${idleLimit()}`);
  return lockPositions(tx, 'order changes');
}

/** A position that no lower one follows. The caller has locked the positions of all chains. */
export async function findHighestPosition(tx: Tx): Promise<number> {
  const rows = await tx.query<{ position: number }>('select last_value::float8 as position from order_positions');
  return rows[0]?.position ?? 0;
}

/** Returns 0 if no change has a position yet. */
export async function findLastPosition(db: Db, chainId: string): Promise<number> {
  const rows = await db.query<{ position: number }>(
    'select coalesce(max(position), 0)::float8 as position from order_changes where chain_id = $1',
    [chainId],
  );
  return rows[0]?.position ?? 0;
}

/**
 * Lists the orders changed after a position, each once, at its latest change. Both subqueries read the same changes
 * from one snapshot. The subquery with the join stops at the limit, because the index returns the changes in order.
 * Without `offset 0`, the planner could read all of a vendor's orders instead of looking up the changed ones:
 *
 *   Limit -> Nested Loop
 *     -> Limit -> Index Scan using order_changes_walk on order_changes   (chain_id, position >)
 *     -> Index Scan using orders_pkey on orders                          (once per change)
 */
export async function listChangedOrders(
  db: Db,
  chainId: string,
  after: number,
  filter: ChangeFilter,
  limit: number,
): Promise<ChangedPage> {
  const values: unknown[] = [chainId, after, filter.createdSince, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    filter.vendorIds === null ? '' : `and o.vendor_id = any (${bind(filter.vendorIds)})`,
    filter.status === undefined ? '' : `and o.status = ${bind(filter.status)}`,
    filter.since
      ? `and (o.updated_at >= ${bind(new Date(filter.since.ms))} or c.position > ${bind(filter.since.upTo)})`
      : '',
  ].join(' ');
  const changes = (columns: string) => `
    select ${columns} from order_changes where chain_id = $1 and position > $2 order by position limit ${maxExamined}`;
  const found = await db.query<Partial<OrderRow> & { position: number | null; examined: number; last: number | null }>(
    `select page.*, bounds.examined, bounds.last
     from (select count(*)::int as examined, max(position)::float8 as last from (${changes('position')}) c) bounds
     left join lateral (
       select o.*, c.position::float8 as position from (${changes('order_id, revision, position')}) c
       join lateral (
         select * from orders where chain_id = $1 and order_id = c.order_id and revision = c.revision offset 0
       ) o on true
       where o.created_at >= $3 ${conditions}
       order by c.position limit $4
     ) page on true
     order by page.position`,
    values,
  );
  const { examined = 0, last = null } = found[0] ?? {};
  const rows = found.filter((row): row is typeof row & ChangedPage['rows'][number] => row.position !== null);
  return { rows, examined, lastExamined: last };
}
