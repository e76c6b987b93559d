import { deliveryHealth, type Sender } from './deliveries/index.ts';
import type { Publisher } from './events/index.ts';
import type { Worker } from './kernel/background/worker.ts';
import { checkClock } from './kernel/database/clock.ts';
import type { Database } from './kernel/database/db.ts';
import { isMigrated, type Migration } from './kernel/database/migrate.ts';
import { createWriteCheck } from './kernel/database/writable.ts';
import type { HealthCheck } from './kernel/http/health.ts';

export type Background = { worker: Worker; publisher: Publisher; sender: Sender | undefined };

/** What `/health/ready` checks. `background` is undefined if the role does not include the worker. */
export function healthChecks(
  { db, migrations }: { db: Database; migrations: Migration[] },
  background: Background | undefined,
): HealthCheck[] {
  return [
    { name: 'database', check: createWriteCheck(db) },
    {
      name: 'migrations',
      check: () => isMigrated(db, migrations).then((done) => (done ? 'ok' : 'the database is not migrated')),
    },
    {
      name: 'worker',
      check: async () => (!background || background.worker.isAlive() ? 'ok' : 'has not checked the queue for 15 s'),
    },
    deliveryHealth(db, background?.publisher, background?.sender),
    { name: 'clock', isWarning: true, check: () => checkClock(db) },
  ];
}
