import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';

/**
 * Counts an attempt as failed, unless the account is blocked for this network. The first five failures are free; each
 * further one doubles the time until the next attempt, from one second to 15 minutes. Failures are forgotten after an
 * hour without one. Returns false if the account is blocked.
 */
export async function insertFailure(db: Db, account: string, network: string): Promise<boolean> {
  const rows = await db.query(
    `insert into failed_attempts as f (account, network, failures, last_failed_at, blocked_until)
     values ($1, $2, 1, now(), now())
     on conflict (account, network) do update
     set failures = case when ${isForgotten} then 1 else f.failures + 1 end,
         last_failed_at = now(),
         blocked_until = case when ${isForgotten} or f.failures < 4 then now()
           else now() + least(interval '15 minutes', interval '1 second' * power(2, least(f.failures - 4, 10))) end
     where f.blocked_until <= now() or ${isForgotten}
     returning 1`,
    [account, network],
  );
  return rows.length > 0;
}

/**
 * Counts an attempt as failed and reserves the next free time for it. Returns how long the attempt must wait. The first
 * five failures are free; each further one doubles the time that the attempt after it waits, from one second to
 * `maxWaitSeconds`. Undefined if earlier attempts are already waiting, so that this one would have to wait longer.
 */
export async function reserveAttempt(
  db: Db,
  account: string,
  network: string,
  maxWaitSeconds: number,
): Promise<number | undefined> {
  const failures = `case when ${isForgotten} then 1 else f.failures + 1 end`;
  // The delay after this many failures, in seconds.
  const delay = (count: string) =>
    `case when ${count} < 5 then 0 else least($3, power(2, least(${count} - 5, 10))) end`;
  const rows = await db.query<{ seconds: number }>(
    `insert into failed_attempts as f (account, network, failures, last_failed_at, blocked_until)
     values ($1, $2, 1, now(), now())
     on conflict (account, network) do update
     set failures = ${failures}, last_failed_at = now(),
         blocked_until = case when ${isForgotten} then now() else greatest(f.blocked_until, now()) end
           + make_interval(secs => ${delay(`(${failures})`)})
     where f.blocked_until <= now() + make_interval(secs => $3) or ${isForgotten}
     returning extract(epoch from blocked_until - now())::float8 - ${delay('failures')} as seconds`,
    [account, network, maxWaitSeconds],
  );
  return rows[0]?.seconds;
}

/** Undefined if the account is not blocked. */
export async function findBlock(
  db: Db,
  account: string,
  network: string,
): Promise<{ failures: number; seconds: number } | undefined> {
  const rows = await db.query<{ failures: number; seconds: number }>(
    `select failures, ceil(extract(epoch from blocked_until - now()))::int as seconds
     from failed_attempts where account = $1 and network = $2 and blocked_until > now()`,
    [account, network],
  );
  return rows[0];
}

/** Takes back one attempt that turned out to be successful. The failures before it still count. */
export async function subtractFailure(db: Db, account: string, network: string): Promise<void> {
  await db.query(
    'update failed_attempts set failures = greatest(failures - 1, 0) where account = $1 and network = $2',
    [account, network],
  );
}

export async function deleteFailures(db: Db, account: string, network: string): Promise<void> {
  await db.query('delete from failed_attempts where account = $1 and network = $2', [account, network]);
}

export function deleteOldFailures(tx: Tx): Promise<number> {
  return countAffected(tx, `delete from failed_attempts f where ${isForgotten}`);
}

/** After an hour, or if the failure is in the future: then the database's clock was ahead of the time, and has been set. */
const isForgotten = `(f.last_failed_at < now() - interval '1 hour' or f.last_failed_at > now() + interval '1 minute')`;
