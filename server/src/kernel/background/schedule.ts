import type { Database, Tx } from '../database/db.ts';
import type { Log } from '../monitoring/log.ts';

/** Scheduled work, such as housekeeping. Every worker polls, and the first to lock a due chore's row runs the chore. */
export type Chore = { name: string; everySeconds: number; run(tx: Tx): Promise<string> };

export type Scheduler = { stop(): Promise<void> };

export function startScheduler(db: Database, chores: Chore[], log: Log, pollMs = 10_000): Scheduler {
  let round: Promise<void> = Promise.resolve();
  const poll = () => {
    round = round.then(() => runDueChores(db, chores, log));
  };
  const timer = setInterval(poll, pollMs);
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

export async function runDueChores(db: Database, chores: Chore[], log: Log): Promise<void> {
  for (const chore of chores) {
    try {
      // If the process is frozen, its locks are released after a few seconds.
      await db.withIdleLimit.transaction((tx) => runIfDue(tx, chore, log));
    } catch (error) {
      log.warn({ event: 'chore.failed', chore: chore.name, error: String(error) });
    }
  }
}

async function runIfDue(tx: Tx, chore: Chore, log: Log): Promise<void> {
  await tx.query('insert into schedules (name) values ($1) on conflict do nothing', [chore.name]);
  const due = await tx.query(
    'select 1 from schedules where name = $1 and next_run_at <= now() for update skip locked',
    [chore.name],
  );
  if (due.length === 0) return;
  const started = performance.now();
  const result = await chore.run(tx);
  const duration = Math.round(performance.now() - started);
  await tx.query(
    `update schedules set last_run_at = now(), next_run_at = now() + make_interval(secs => $2),
       last_duration_ms = $3, last_result = $4 where name = $1`,
    [chore.name, chore.everySeconds, duration, result],
  );
  log.info({ event: 'chore.ran', chore: chore.name, duration_ms: duration, result });
}
