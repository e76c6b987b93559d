import type { Db } from '../../src/kernel/database/db.ts';
import { isCluster } from './database.ts';

/** Whether a connection to the database waits for a lock of this type, on any node of a cluster. */
export async function isLockAwaited(db: Db, type: 'advisory' | 'relation' | 'transactionid'): Promise<boolean> {
  const waits = `select count(*) from pg_locks join pg_stat_activity a using (pid)
    where not granted and locktype = '${type}' and a.datname = current_database()`;
  const rows = await (isCluster
    ? db.query<{ count: string }>('select result as count from run_command_on_all_nodes($1)', [waits])
    : db.query<{ count: string }>(waits));
  return rows.some(({ count }) => Number(count) > 0);
}
