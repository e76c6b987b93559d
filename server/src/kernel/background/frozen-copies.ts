import type { Tx } from '../database/db.ts';
import type { Chore } from './schedule.ts';

/**
 * A process that freezes while it sends rows with COPY keeps its locks, and no timeout of PostgreSQL applies, because the
 * statement is running. A healthy process ends the connection, so that the task is run again.
 */
export const frozenCopyChore: Chore = {
  name: 'end frozen copies',
  everySeconds: 30,
  run: async (tx) => `${await endFrozenCopies(tx, 60)} connections`,
};

/** Our copies take less than a second each. */
export async function endFrozenCopies(tx: Tx, seconds: number): Promise<number> {
  const rows = await tx.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
       and state = 'active' and wait_event = 'ClientRead' and query ilike 'copy %'
       and query_start < clock_timestamp() - make_interval(secs => $1)`,
    [seconds],
  );
  return rows.length;
}
