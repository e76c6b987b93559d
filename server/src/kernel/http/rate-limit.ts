import { countAffected } from '../database/count-affected.ts';
import type { Db, Tx } from '../database/db.ts';

/**
 * Rate limits that apply across all processes. The per-minute count is in the database, but a process does not query
 * the database for every request. Instead, it claims a small block of requests and counts them in memory. If the limit
 * is small or almost used up, a block is a single request, so that the limit is never exceeded and almost none of it is
 * wasted.
 */
export type RateLimiter = {
  /** Counts a request. The limit is `factor` times the limit of the class. */
  take(subject: string, rateClass: string, factor?: number): Promise<Allowance>;
  /** The full allowance for a rate limit class, for responses to requests that are not counted. */
  fullAllowance(rateClass: string): Allowance;
};

export type Allowance = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

export const windowSeconds = 60;

export function createRateLimiter(db: Db, limits: Record<string, number>, enforced: boolean): RateLimiter {
  const blocks = new Map<string, Block>();
  const limitOf = (rateClass: string) => limits[rateClass] ?? 0;
  const fullAllowance = (rateClass: string): Allowance => {
    const limit = limitOf(rateClass);
    return { allowed: true, limit, remaining: limit, resetSeconds: windowSeconds };
  };
  return {
    fullAllowance,
    async take(subject, rateClass, factor = 1) {
      if (!enforced) return fullAllowance(rateClass);
      const limit = limitOf(rateClass) * factor;
      const block = currentBlock(blocks, `${rateClass} ${subject}`, limit);
      const allowed = await takeOne(block, () => claimBlock(db, block, subject, rateClass, limit));
      const remaining = Math.max(0, block.unclaimed + block.left);
      return { allowed, limit, remaining, resetSeconds: secondsLeft(block) };
    },
  };
}

/** The headers that draft-ietf-httpapi-ratelimit-headers-10 defines. */
export function rateLimitHeaders(name: string, allowance: Allowance): Record<string, string> {
  return {
    'ratelimit-policy': `"${name}";q=${allowance.limit};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${allowance.remaining};t=${allowance.resetSeconds}`,
  };
}

export function deleteOldWindows(tx: Tx): Promise<number> {
  return countAffected(tx, "delete from rate_windows where window_start < now() - interval '5 minutes'");
}

/**
 * `left` is how many requests this process can still serve. `unclaimed` is how many were left for any process to claim
 * at the last query.
 */
type Block = { left: number; unclaimed: number; endsAt: number; refill: Promise<void> | undefined };

function currentBlock(blocks: Map<string, Block>, key: string, limit: number): Block {
  const known = blocks.get(key);
  if (known && performance.now() < known.endsAt) return known;
  const fresh = { left: 0, unclaimed: limit, endsAt: Number.POSITIVE_INFINITY, refill: undefined };
  blocks.set(key, fresh);
  if (blocks.size > 10_000) deleteEnded(blocks);
  return fresh;
}

/**
 * Requests that arrive while a block is being claimed wait for that block. If the block is used up before they resume,
 * they claim the next one. `left` is checked and decremented in one synchronous step, so two requests cannot use the
 * same unit.
 */
async function takeOne(block: Block, refill: () => Promise<void>): Promise<boolean> {
  for (;;) {
    if (block.left > 0) {
      block.left -= 1;
      return true;
    }
    if (block.unclaimed <= 0) return false;
    block.refill ??= refill().finally(() => {
      block.refill = undefined;
    });
    await block.refill;
  }
}

async function claimBlock(db: Db, block: Block, subject: string, rateClass: string, limit: number): Promise<void> {
  const size = block.unclaimed > limit / 4 ? Math.ceil(limit / 60) : 1;
  const startedAt = performance.now();
  const rows = await db.query<{ granted: string; used: string; left_ms: number }>(takeSql, [
    subject,
    rateClass,
    limit,
    size,
  ]);
  const row = rows[0];
  block.left = Number(row?.granted ?? 0);
  block.unclaimed = limit - Number(row?.used ?? limit);
  block.endsAt = startedAt + (row?.left_ms ?? 1000);
}

function secondsLeft(block: Block): number {
  return Math.max(1, Math.ceil((block.endsAt - performance.now()) / 1000));
}

function deleteEnded(blocks: Map<string, Block>): void {
  const now = performance.now();
  for (const [key, block] of blocks) if (block.endsAt < now) blocks.delete(key);
}

/**
 * A statement that waited for the row can find a window that is one minute later than its own. A window further in the
 * future is from before the database's clock was set back, and is replaced.
 */
const isSameWindow = "w.window_start between excluded.window_start and excluded.window_start + interval '1 minute'";

// The window is a minute on the database's clock, so that all processes agree on it. The window and the time left in it
// are both computed from the statement's start time, so that they are consistent. The grant is computed inside the
// upsert, under its row lock, so `used` never exceeds the limit, however many processes claim at the same time.
const takeSql = `
  with clock as (
    select date_trunc('minute', statement_timestamp()) as window_start,
           60000 - floor(extract(epoch from statement_timestamp()) * 1000)::bigint % 60000 as left_ms
  ), taken as (
    insert into rate_windows as w (subject, class, window_start, used, granted)
    select $1, $2, clock.window_start, least($3::bigint, $4::bigint), least($3::bigint, $4::bigint) from clock
    on conflict (subject, class) do update
    set granted = case when ${isSameWindow} then least($3::bigint, w.used + $4::bigint) - w.used
                       else excluded.granted end,
        used = case when ${isSameWindow} then least($3::bigint, w.used + $4::bigint) else excluded.used end,
        window_start = case when ${isSameWindow} then w.window_start else excluded.window_start end
    returning w.used, w.granted
  )
  select taken.used, taken.granted, clock.left_ms::int as left_ms from taken, clock`;
