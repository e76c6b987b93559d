import type { Registry } from 'prom-client';
import type { Db } from '../kernel/database/db.ts';
import { registerDatabaseGauge } from '../kernel/monitoring/database-gauge.ts';
import { countUnpublished } from './queries.ts';

export function registerEventMetrics(registry: Registry, db: Db): void {
  const gauge = { name: 'aisle_events_unpublished', help: 'Events without a position in the feed yet.' };
  registerDatabaseGauge(registry, gauge, async () => [{ value: await countUnpublished(db) }]);
}
