import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { clockToleranceMs, lockPositions, positionNow } from '../kernel/database/positions.ts';

/** A promotion that changed, started or ended. `size` is the number of SKUs that changed; null means all. */
export type PromotionChange = { position: number; promotion_id: string; size: number | null };

/** Whether there are changes without a position, or a promotion has started or ended since the last time. */
export async function hasPendingChanges(db: Db, chainId: string): Promise<boolean> {
  const rows = await db.query<{ pending: boolean }>(
    `select exists (select from promotion_changes where chain_id = $1 and position is null)
       or not exists (select from promotion_changes where chain_id = $1 and position is not null)
       or exists (select from promotions p join promotion_clocks c on c.chain_id = $1
         where p.chain_id = $1 and ${isCrossed})
       or not exists (select from promotion_clocks c where c.chain_id = $1 and not ${isAhead}) as pending`,
    [chainId],
  );
  return rows[0]?.pending ?? false;
}

/** Those of these chains that have promotion changes after their positions, or starts and ends without a position. */
export async function listChainsChangedAfter(
  db: Db,
  chains: { chain_id: string; position: string }[],
): Promise<string[]> {
  const rows = await db.query<{ chain_id: string }>(
    `select c.chain_id from promotion_changes c where c.chain_id = any ($1) and c.position is null
     union
     select c.chain_id from promotion_changes c
     join unnest($1::uuid[], $2::bigint[]) as given (chain_id, position) on given.chain_id = c.chain_id
     where c.position > given.position
     union
     select p.chain_id from promotions p join promotion_clocks c on c.chain_id = p.chain_id
     where p.chain_id = any ($1) and ${isCrossed}`,
    [chains.map((one) => one.chain_id), chains.map((one) => one.position)],
  );
  return rows.map(({ chain_id }) => chain_id);
}

/** The latest time that the clock of a chain can have, because the clocks of servers differ. */
const latestClock = `now() + interval '${clockToleranceMs / 1000} s'`;

/** Whether the clock `c` is from a time when the database's clock was wrong. */
const isAhead = `c.seen_until > ${latestClock}`;

const isBetween = (time: string) => `(${time} > case when ${isAhead} then now() else c.seen_until end
  and ${time} <= case when ${isAhead} then c.seen_until else now() end)`;

/**
 * Whether the promotion `p` has started or ended after the time of the clock `c`. If the clock is ahead, whether readers
 * have seen its start or end too early: they must read the promotion again.
 */
const isCrossed = `(${isBetween('p.start_time')} or ${isBetween('p.end_time')})`;

/**
 * Records which promotions have started or ended since the last time, and assigns positions to all committed changes. A
 * chain without changes gets one without a promotion, so that every reader starts at a position. The time is read once,
 * together with the promotions, because the nodes of a sharded database have different clocks.
 */
export async function assignPositions(tx: Tx, chainId: string): Promise<void> {
  const [, clocks] = await Promise.all([
    lockPositions(tx, `promotion changes ${chainId}`),
    tx.query<{ time: string; latest: string; crossed: string[] }>(
      `select now()::text as time, (${latestClock})::text as latest, array(
         select p.promotion_id from promotions p join promotion_clocks c on c.chain_id = $1
         where p.chain_id = $1 and p.is_published and not p.is_cancelled and ${isCrossed}
         order by p.promotion_id) as crossed`,
      [chainId],
    ),
  ]);
  const { time, latest, crossed } = clocks[0] as (typeof clocks)[number];
  if (crossed.length > 0) {
    tx.send('insert into promotion_changes (chain_id, promotion_id) select $1, unnest($2::uuid[])', [chainId, crossed]);
  }
  tx.send(
    `insert into promotion_clocks (chain_id, seen_until) values ($1, $2::timestamptz)
     on conflict (chain_id) do update set seen_until = case when promotion_clocks.seen_until > $3::timestamptz
       then excluded.seen_until else greatest(promotion_clocks.seen_until, excluded.seen_until) end`,
    [chainId, time, latest],
  );
  tx.send(
    `insert into promotion_changes (chain_id, skus)
     select $1, '{}' where not exists (select from promotion_changes where chain_id = $1)`,
    [chainId],
  );
  const rows = await tx.query<{ first: string }>(
    `select greatest(${positionNow}, (select coalesce(max(position), 0) + 1 from promotion_changes where chain_id = $1))
       as first`,
    [chainId],
  );
  await tx.query(
    `update promotion_changes c set position = placed.position
     from (
       select change_no, row_number() over (order by change_no) - 1 + $2::bigint as position
       from promotion_changes where chain_id = $1 and position is null
     ) placed
     where c.chain_id = $1 and c.change_no = placed.change_no`,
    [chainId, rows[0]?.first],
  );
}

/** The last position, and the time up to which starts and ends have positions. */
export async function getChangeState(db: Db, chainId: string): Promise<{ position: number; seenUntil: Date }> {
  const rows = await db.query<{ position: number; seen_until: Date }>(
    `select (select coalesce(max(position), 0)::float8 from promotion_changes where chain_id = $1) as position, seen_until
     from promotion_clocks where chain_id = $1`,
    [chainId],
  );
  return { position: rows[0]?.position ?? 0, seenUntil: rows[0]?.seen_until ?? new Date(0) };
}

/** Whether all changes after the position still exist. The oldest are deleted first. */
export async function isCovered(db: Db, chainId: string, position: number): Promise<boolean> {
  const rows = await db.query('select 1 from promotion_changes where chain_id = $1 and position <= $2 limit 1', [
    chainId,
    position,
  ]);
  return rows.length > 0;
}

/**
 * Leaves out changes of all products of a promotion that are followed by another such change, because a reader that
 * gets to the later one reads the same products again. The change at `begun` is never left out: a reader that has begun
 * to read it must be able to finish, even if the promotion changes again and again.
 */
export function listChangesAfter(
  db: Db,
  chainId: string,
  { after, begun }: { after: number; begun: number | undefined },
  limit: number,
): Promise<PromotionChange[]> {
  return db.query(
    `select position::float8 as position, promotion_id, cardinality(skus) as size from promotion_changes c
     where chain_id = $1 and position > $2 and promotion_id is not null
       and (skus is not null or position = $3 or not exists (
         select from promotion_changes later
         where later.chain_id = $1 and later.promotion_id = c.promotion_id and later.skus is null
           and later.position > c.position))
     order by position limit $4`,
    [chainId, after, begun, limit],
  );
}

/** The SKUs of a change after a given SKU, in their order. */
export async function listChangedSkus(
  db: Db,
  chainId: string,
  { position, promotion_id: promotionId, size }: PromotionChange,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await (size === null
    ? db.query<{ sku: string }>(
        `select sku from promotion_entries where chain_id = $1 and promotion_id = $2 and sku > $3 order by sku limit $4`,
        [chainId, promotionId, after, limit],
      )
    : db.query<{ sku: string }>(
        `select sku from promotion_changes c cross join lateral unnest(c.skus) as changed (sku)
         where c.chain_id = $1 and c.position = $2 and sku > $3 order by sku limit $4`,
        [chainId, position, after, limit],
      ));
  return rows.map(({ sku }) => sku);
}

/** Makes every reader start over, because no position is covered any more. */
export async function restartWalks(db: Db): Promise<void> {
  await db.query('delete from promotion_changes where position is not null');
}

/** Deletes changes older than `days` days, except the last one in each chain, which `isCovered` needs. */
export function deleteOldChanges(tx: Tx, days: number): Promise<number> {
  return countAffected(
    tx,
    `delete from promotion_changes c where position < ${positionNow} - $1::bigint * 86400000000
       and position < (select max(position) from promotion_changes where chain_id = c.chain_id)`,
    [days],
  );
}
