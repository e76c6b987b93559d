import type { Database, Tx } from '../database/db.ts';
import { setLocal } from '../database/set-local.ts';
import type { Scope } from '../database/scope.ts';
import type { Log } from '../monitoring/log.ts';
import type { Chains } from './chain-loop.ts';

/** Scheduled work, such as housekeeping. Every worker polls, and the first to lock a due chore's row runs the chore. */
export type Chore = {
  name: string;
  everySeconds: number;
  /** Whether the chore runs for each chain on its own if the database is distributed. Otherwise its scope is null. */
  isByChain?: boolean;
  run(tx: Tx, scope: Scope): Promise<string>;
};

export type Scheduler = { stop(): Promise<void> };

/** `chains` is undefined if the database is not distributed. */
export type SchedulerOptions = {
  db: Database;
  chores: Chore[];
  log: Log;
  chains: Chains | undefined;
  pollMs?: number;
  /** How long a chore waits for a lock before it gives up until the next poll, so that the others run. */
  lockSeconds?: number;
};

export function startScheduler({ pollMs = 10_000, ...options }: SchedulerOptions): Scheduler {
  let round: Promise<void> = Promise.resolve();
  const poll = () => {
    round = round.then(() => runDueChores(options));
  };
  const timer = setInterval(poll, pollMs);
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

export async function runDueChores(options: SchedulerOptions): Promise<void> {
  for (const chore of options.chores) {
    try {
      if (options.chains && chore.isByChain) await runByChain(options, options.chains, chore);
      // If the process is frozen, its locks are released after a few seconds.
      else await options.db.withIdleLimit.transaction((tx) => runIfDue(tx, chore, options));
    } catch (error) {
      options.log.warn({ event: 'chore.failed', chore: chore.name, error: String(error) });
    }
  }
}

async function runIfDue(tx: Tx, chore: Chore, options: SchedulerOptions): Promise<void> {
  if (!(await lockDue(tx, chore))) return;
  const started = performance.now();
  const result = await runWithLimit(tx, chore, null, options);
  await noteResult(tx, chore, started, result, options.log);
}

/**
 * Runs the chore for each chain in a transaction of its own. Chains whose node cannot be reached are skipped until the
 * next time. The chore counts as done when it starts, because its row cannot stay locked for as long as it can take.
 */
async function runByChain(options: SchedulerOptions, chains: Chains, chore: Chore): Promise<void> {
  const { db, log } = options;
  const started = performance.now();
  const isDue = await db.withIdleLimit.transaction(async (tx) => {
    if (!(await lockDue(tx, chore))) return false;
    await noteResult(tx, chore, started, 'running');
    return true;
  });
  if (!isDue) return;
  const counts = { chains: 0, failed: 0 };
  for (const chainId of (await chains.list()).filter((id) => !chains.isAway(id))) {
    counts.chains += 1;
    try {
      await db.withIdleLimit.transaction((tx) => runWithLimit(tx, chore, chainId, options));
    } catch (error) {
      counts.failed += 1;
      log.warn({ event: 'chore.failed', chore: chore.name, chain_id: chainId, error: String(error) });
    }
  }
  const result = `${counts.chains} chains${counts.failed > 0 ? `, ${counts.failed} failed` : ''}`;
  await db.transaction((tx) => noteResult(tx, chore, started, result, log));
}

function runWithLimit(tx: Tx, chore: Chore, scope: Scope, { lockSeconds = 5 }: SchedulerOptions): Promise<string> {
  for (const statement of setLocal('lock_timeout', `${lockSeconds}s`)) tx.send(statement);
  return chore.run(tx, scope);
}

async function lockDue(tx: Tx, chore: Chore): Promise<boolean> {
  await tx.query('insert into schedules (name) values ($1) on conflict do nothing', [chore.name]);
  // A time that is further away than the interval is from before the database's clock was set back.
  const due = await tx.query(
    `select 1 from schedules where name = $1
       and (next_run_at <= now() or next_run_at > now() + make_interval(secs => $2)) for update skip locked`,
    [chore.name, chore.everySeconds + 60],
  );
  return due.length > 0;
}

async function noteResult(tx: Tx, chore: Chore, started: number, result: string, log?: Log): Promise<void> {
  const duration = Math.round(performance.now() - started);
  await tx.query(
    `update schedules set last_run_at = now(), next_run_at = now() + make_interval(secs => $2),
       last_duration_ms = $3, last_result = $4 where name = $1`,
    [chore.name, chore.everySeconds, duration, result],
  );
  log?.info({ event: 'chore.ran', chore: chore.name, duration_ms: duration, result });
}
