import type { Db, Tx } from '../kernel/database/db.ts';

/** Up to where a chain's product changes have been turned into events. */
export type DueCursor = {
  chain_id: string;
  catalog_position: string;
  promotion_position: string;
  /** Whether the last round left changes behind, or there was no round yet. */
  has_more: boolean;
};

/** The content of a cursor that begins with all products. Without content, it begins with the changes from now on. */
export const fromTheStart: unknown[] = [];

/** A time that is further away than a claim lasts is from before the database's clock was set back. */
const isDue = "(due_at <= now() or due_at > now() + interval '1 minute')";

/** The cursors that may be advanced now, of these or (null) all chains. */
export function listDueCursors(db: Db, chainIds: readonly string[] | null): Promise<DueCursor[]> {
  return db.query(
    `select chain_id, catalog_position, promotion_position,
       has_more or cursor is null or jsonb_array_length(cursor) = 0 as has_more
     from product_event_cursors where ${isDue} and ($1::uuid[] is null or chain_id = any ($1))`,
    [chainIds],
  );
}

/** One of the cursors of these or (null) all chains. */
export function findCursors(db: Db, chainIds: readonly string[] | null): Promise<{ chain_id: string }[]> {
  return db.query(
    'select chain_id from product_event_cursors where $1::uuid[] is null or chain_id = any ($1) limit 1',
    [chainIds],
  );
}

/** Adds cursors for chains that have none. */
export async function insertCursors(db: Db, chainIds: string[], content: unknown[] | null): Promise<void> {
  await db.query(
    `insert into product_event_cursors (chain_id, cursor) select unnest($1::uuid[]), $2::jsonb
     on conflict (chain_id) do nothing`,
    [chainIds, content && JSON.stringify(content)],
  );
}

/** If the events have no receiver any more, the next reader starts with the changes from then on. */
export async function deleteCursors(db: Db): Promise<void> {
  await db.query('delete from product_event_cursors');
}

/** Returns undefined if another process advances the cursor. */
export async function claimCursor(
  db: Db,
  chainId: string,
  seconds: number,
): Promise<{ cursor: unknown[] | null; claim: string } | undefined> {
  const rows = await db.query<{ cursor: unknown[] | null; claim: string }>(
    `update product_event_cursors set due_at = now() + make_interval(secs => $2), claim = claim + 1
     where chain_id = $1 and ${isDue} returning cursor, claim`,
    [chainId, seconds],
  );
  return rows[0];
}

/** Returns false if another process has claimed the cursor since. It can be advanced again after `seconds`. */
export async function saveCursor(
  tx: Tx,
  chainId: string,
  claim: string,
  next: { content: unknown[]; catalogPosition: number; promotionPosition: number; hasMore: boolean; seconds: number },
): Promise<boolean> {
  const rows = await tx.query(
    `update product_event_cursors set cursor = $3, catalog_position = $4, promotion_position = $5, has_more = $6,
       due_at = now() + make_interval(secs => $7)
     where chain_id = $1 and claim = $2 returning 1`,
    [
      chainId,
      claim,
      JSON.stringify(next.content),
      next.catalogPosition,
      next.promotionPosition,
      next.hasMore,
      next.seconds,
    ],
  );
  return rows.length > 0;
}
