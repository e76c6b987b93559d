import { deliveryHealth, type Sender } from './deliveries/index.ts';
import type { Cluster } from './cluster/index.ts';
import type { Publisher } from './events/index.ts';
import type { Worker } from './kernel/background/worker.ts';
import { checkClock } from './kernel/database/clock.ts';
import type { Database } from './kernel/database/db.ts';
import { isMigrated, type Migration } from './kernel/database/migrate.ts';
import { checkWrite } from './kernel/database/writable.ts';
import type { HealthCheck } from './kernel/http/health.ts';

export type Background = { worker: Worker; publisher: Publisher; sender: Sender | undefined };

/** What `/health/ready` checks. `background` is undefined if the role does not include the worker. */
export function healthChecks(
  { db, migrations, cluster }: { db: Database; migrations: Migration[]; cluster: Cluster | undefined },
  background: Background | undefined,
): HealthCheck[] {
  return [
    { name: 'database', check: () => checkWrite(db) },
    {
      name: 'migrations',
      check: () => isMigrated(db, migrations).then((done) => (done ? 'ok' : 'the database is not migrated')),
    },
    {
      name: 'worker',
      check: async () => (!background || background.worker.isAlive() ? 'ok' : 'has not checked the queue for 15 s'),
    },
    deliveryHealth({ db, cluster, publisher: background?.publisher, sender: background?.sender }),
    // Only a warning, because a process that is not ready gets no requests for the chains on other nodes either.
    { name: 'nodes', isWarning: true, check: async () => describeNodes(cluster?.listNodes() ?? []) },
    { name: 'clock', isWarning: true, check: () => checkClock(db) },
  ];
}

function describeNodes(nodes: ReturnType<Cluster['listNodes']>): string {
  const away = nodes.filter(({ isAway }) => isAway).map(({ address }) => address);
  return away.length === 0 ? 'ok' : `the coordinator cannot reach ${away.join(', ')}`;
}
