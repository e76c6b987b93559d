import type { Database } from '../kernel/database/db.ts';
import { migrate, type Migration } from '../kernel/database/migrate.ts';
import { isDistributed, placeTables } from './distribute.ts';
import { prepareTransaction } from './queries.ts';

/** Migrates the database. If it is distributed, tables that a migration creates are distributed in its transaction. */
export async function migrateCluster(db: Database, migrations: Migration[]): Promise<Migration[]> {
  if (!(await isDistributed(db))) return migrate(db, migrations);
  return migrate(db, migrations, {
    before: prepareTransaction,
    after: async (connection) => void (await placeTables(connection)),
  });
}
