import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../kernel/database/db.ts';
import { findMaxShare } from './storage-queries.ts';

/** Queries the database at each scrape, because the metric covers the whole installation. */
export function registerStorageMetrics(registry: Registry, db: Db): void {
  new Gauge({
    registers: [registry],
    aggregator: 'max',
    name: 'aisle_job_data_max_share',
    help: 'How much of AISLE_MAX_JOB_BYTES the chain with the most job data uses, from 0 to 1.',
    async collect() {
      // If the database is unreachable, the other metrics must still be served.
      const share = await findMaxShare(db).catch(() => undefined);
      if (share !== undefined) this.set(share);
    },
  });
}
