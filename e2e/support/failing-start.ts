import { startAisle } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config.ts';
import { openDatabase } from '../../server/src/kernel/database/db.ts';
import { readMigrations } from '../../server/src/kernel/database/migrate.ts';
import { createLog } from '../../server/src/kernel/monitoring/log.ts';

/** A process that cannot start because the setting named in its first argument is missing. It must exit on its own. */
const databaseUrl = process.env['DATABASE_URL'] ?? '';
const config = { ...readConfig(process.env), [process.argv[2] ?? '']: undefined };
const log = createLog('silent');
const options = { connections: 4, preparedStatements: true, name: 'failing start', onError: () => {} };
const db = openDatabase({ url: databaseUrl, ...options });
const migrations = readMigrations(new URL('../../server/migrations/', import.meta.url));
await startAisle({ config, db, databaseUrl, log, migrations }, 'all').then(
  () => console.log('started'),
  (error: unknown) => console.log(error instanceof Error ? error.name : 'failed'),
);
await db.close();
