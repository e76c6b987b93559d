import type { Database, Db } from '../../src/kernel/database/db.ts';
import { isCluster } from './database.ts';

type LockType = 'advisory' | 'relation' | 'transactionid';

/** Whether a connection to the database waits for a lock of this type, on any node of a cluster. */
export async function isLockAwaited(db: Db, type: LockType): Promise<boolean> {
  return (await countLockWaits(db, type)) > 0;
}

/** How many connections wait for a lock of this type, on all nodes of a cluster. Those of the request log do not count. */
export async function countLockWaits(db: Db, type: LockType): Promise<number> {
  const waits = `select count(*) from pg_locks join pg_stat_activity a using (pid)
    where not granted and locktype = '${type}' and a.datname = current_database()
      and a.query not like 'copy requests %'`;
  const rows = await (isCluster
    ? db.query<{ count: string }>('select result as count from run_command_on_all_nodes($1)', [waits])
    : db.query<{ count: string }>(waits));
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}

/** Takes the locks of a statement. They are held until the returned function is called. */
export async function holdLocks(db: Database, statement: string, values: string[] = []): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = db.withoutTimeout.transaction(async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    await tx.query(statement, values);
    locked.resolve();
    await release.promise;
  });
  await Promise.race([locked.promise, holder]);
  return async () => {
    release.resolve();
    await holder;
  };
}
