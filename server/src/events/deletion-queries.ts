import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';

/** Whose events were deleted (see the migration 0056). */
type DeletedFeed = 'partner' | 'platform' | 'products';

/** A SQL expression for the highest deleted position of the chain $1. Null if no event was deleted. */
export const deletedOfChain = "(select position from deleted_events where chain_id = $1 and feed = 'partner')";

/** The highest deleted position in one or (null) all chains. If it is read after events, none of them is left out. */
export async function findDeletedForPlatform(
  db: Db,
  { types, chainId }: { types: readonly string[]; chainId: string | null },
): Promise<string | null> {
  const feeds: DeletedFeed[] = ['partner', 'platform', ...(types.includes(productType) ? ['products' as const] : [])];
  const rows = await db.query<{ position: string | null }>(
    `select max(position) as position from deleted_events
     where feed = any ($2) and ${chainId === null ? '$1::uuid is null' : 'chain_id = $1'}`,
    [chainId, feeds],
  );
  return rows[0]?.position ?? null;
}

const productType = 'products.changed';

export function deleteOldEvents(tx: Tx, days: number): Promise<number> {
  return deleteFrom(tx, 'partner', 'events', '', days);
}

/** Those that only the platform sees. */
export async function deleteOldPlatformEvents(tx: Tx, days: number, productDays: number): Promise<number> {
  const products = await deleteFrom(tx, 'products', 'platform_events', `and type = '${productType}'`, productDays);
  const others = await deleteFrom(tx, 'platform', 'platform_events', `and type <> '${productType}'`, days);
  return products + others;
}

/** Both statements see the same time, and those who read the feed see both or none. */
async function deleteFrom(
  tx: Tx,
  feed: DeletedFeed,
  table: 'events' | 'platform_events',
  condition: string,
  days: number,
): Promise<number> {
  const old = `from ${table} where created_at < now() - make_interval(days => $1) and position is not null ${condition}`;
  await tx.query(
    `insert into deleted_events as d (chain_id, feed, position)
     select chain_id, '${feed}', max(position) ${old} group by chain_id
     on conflict (chain_id, feed) do update set position = greatest(d.position, excluded.position)`,
    [days],
  );
  return countAffected(tx, `delete ${old}`, [days]);
}
