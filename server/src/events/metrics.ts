import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../kernel/database/db.ts';
import { countUnpublished } from './queries.ts';

/** Queries the database at each scrape, because the metric covers the whole installation. */
export function registerEventMetrics(registry: Registry, db: Db): void {
  new Gauge({
    registers: [registry],
    aggregator: 'max',
    name: 'aisle_events_unpublished',
    help: 'Events without a position in the feed yet.',
    async collect() {
      // If the database is unreachable, the other metrics must still be served.
      const count = await countUnpublished(db).catch(() => undefined);
      if (count !== undefined) this.set(count);
    },
  });
}
