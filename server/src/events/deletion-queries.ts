import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';

/**
 * Which events were deleted: all of the table events, all that the platform can see except those about products, or those
 * about products. (The migration 0056 describes an earlier version, in which 'platform' did not contain events of orders.)
 */
type DeletedFeed = 'partner' | 'platform' | 'products';

/** A SQL expression for the highest deleted position of the chain $1. Null if no event was deleted. */
export const deletedOfChain = "(select position from deleted_events where chain_id = $1 and feed = 'partner')";

/** The highest deleted position in one or (null) all chains. If it is read after events, none of them is left out. */
export async function findDeletedForPlatform(
  db: Db,
  { types, chainId }: { types: readonly string[]; chainId: string | null },
): Promise<string | null> {
  const feeds: DeletedFeed[] = ['platform', ...(types.includes(productType) ? ['products' as const] : [])];
  const rows = await db.query<{ position: string | null }>(
    `select max(position) as position from deleted_events
     where feed = any ($2) and ${chainId === null ? '$1::uuid is null' : 'chain_id = $1'}`,
    [chainId, feeds],
  );
  return rows[0]?.position ?? null;
}

const productType = 'products.changed';

export function deleteOldEvents(tx: Tx, days: number): Promise<number> {
  return deleteFrom(tx, 'events', '', days, { partner: '', platform: 'and order_id is not null' });
}

/** Those that only the platform sees. */
export async function deleteOldPlatformEvents(tx: Tx, days: number, productDays: number): Promise<number> {
  const isProduct = `and type = '${productType}'`;
  const products = await deleteFrom(tx, 'platform_events', isProduct, productDays, { products: '' });
  const others = await deleteFrom(tx, 'platform_events', `and type <> '${productType}'`, days, { platform: '' });
  return products + others;
}

/**
 * `feeds` has a condition for each feed that contains such events. All statements see the same time, and those who read a
 * feed see the effects of all or none.
 */
async function deleteFrom(
  tx: Tx,
  table: 'events' | 'platform_events',
  condition: string,
  days: number,
  feeds: Partial<Record<DeletedFeed, string>>,
): Promise<number> {
  const old = `from ${table} where created_at < now() - make_interval(days => $1) and position is not null ${condition}`;
  for (const [feed, isInFeed] of Object.entries(feeds)) {
    await tx.query(
      `insert into deleted_events as d (chain_id, feed, position)
       select chain_id, '${feed}', max(position) ${old} ${isInFeed} group by chain_id
       on conflict (chain_id, feed) do update set position = greatest(d.position, excluded.position)`,
      [days],
    );
  }
  return countAffected(tx, `delete ${old}`, [days]);
}
