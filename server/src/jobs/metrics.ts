import type { Registry } from 'prom-client';
import type { Db } from '../kernel/database/db.ts';
import { registerDatabaseGauge } from '../kernel/monitoring/database-gauge.ts';
import { findMaxShare } from './storage-queries.ts';

export function registerStorageMetrics(registry: Registry, db: Db): void {
  const gauge = {
    name: 'aisle_job_data_max_share',
    help: 'How much of AISLE_MAX_JOB_BYTES the chain with the most job data uses, from 0 to 1.',
  };
  registerDatabaseGauge(registry, gauge, async () => [{ value: await findMaxShare(db) }]);
}
