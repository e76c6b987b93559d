import type { Registry } from 'prom-client';
import type { Db } from '../database/db.ts';
import { registerDatabaseGauge } from '../monitoring/database-gauge.ts';

export function registerQueueMetrics(registry: Registry, db: Db): void {
  const gauge = (name: string, help: string, sql: string) =>
    registerDatabaseGauge(registry, { name, help, labels: ['kind'] }, async () => {
      const rows = await db.query<{ kind: string; value: number }>(sql);
      return rows.map(({ kind, value }) => ({ labels: { kind }, value }));
    });
  gauge(
    'aisle_queue_tasks',
    'Background tasks waiting or running.',
    'select kind, count(*)::int as value from queue_tasks group by kind',
  );
  gauge(
    'aisle_queue_oldest_due_seconds',
    'How long the oldest due task has been waiting.',
    `select kind, coalesce(extract(epoch from max(now() - run_at) filter (where run_at <= now())), 0)::float8 as value
     from queue_tasks group by kind`,
  );
  gauge(
    'aisle_queue_dead_tasks',
    'Tasks that failed every attempt.',
    'select kind, count(*)::int as value from queue_dead group by kind',
  );
  gauge(
    'aisle_chore_last_run_timestamp_seconds',
    'When each scheduled chore last ran.',
    'select name as kind, extract(epoch from last_run_at)::float8 as value from schedules where last_run_at is not null',
  );
}
