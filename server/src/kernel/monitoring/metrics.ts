import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BodyBudget } from '../bodies/budget.ts';
import type { Database } from '../database/db.ts';

export type Metrics = {
  registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  observeTask(kind: string, outcome: string, seconds: number): void;
  watchBodies(bodies: BodyBudget): void;
};

export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  const on = { registers: [registry] };
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    ...on,
    name: 'aisle_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
  });
  const durations = new Histogram({
    ...on,
    name: 'aisle_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const tasks = new Histogram({
    ...on,
    name: 'aisle_task_duration_seconds',
    help: 'Time a background task ran, by its outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  poolGauge(registry, db);
  queueGauges(registry, db);
  return {
    registry,
    observeRequest(method, route, status, seconds) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    observeTask: (kind, outcome, seconds) => tasks.observe({ kind, outcome }, seconds),
    watchBodies: (bodies) => bodyFigures(registry, bodies),
  };
}

function poolGauge(registry: Registry, db: Database): void {
  new Gauge({
    registers: [registry],
    name: 'aisle_database_connections',
    help: 'Connections of this process, by state; waiting is requests for one.',
    labelNames: ['state'],
    collect() {
      this.set({ state: 'idle' }, db.pool.idleCount);
      this.set({ state: 'busy' }, db.pool.totalCount - db.pool.idleCount);
      this.set({ state: 'waiting' }, db.pool.waitingCount);
    },
  });
}

function bodyFigures(registry: Registry, bodies: BodyBudget): void {
  new Gauge({
    registers: [registry],
    name: 'aisle_large_body_bytes',
    help: 'Memory that request bodies over 1 MiB take.',
    collect() {
      this.set(bodies.used());
    },
  });
  new Counter({
    registers: [registry],
    name: 'aisle_large_bodies_refused_total',
    help: 'Requests sent away because there was no memory for their body.',
    collect() {
      this.reset();
      this.inc(bodies.refused());
    },
  });
}

/** Asked of the database at each scrape: the figures are of the whole installation, not of this process. */
function queueGauges(registry: Registry, db: Database): void {
  const gauge = (name: string, help: string, sql: string) =>
    new Gauge({
      registers: [registry],
      name,
      help,
      labelNames: ['kind'],
      async collect() {
        this.reset();
        // Without a database there are no figures, but the others must still be served.
        const rows = await db.query<{ kind: string; value: number }>(sql).catch(() => []);
        for (const { kind, value } of rows) this.set({ kind }, value);
      },
    });
  gauge(
    'aisle_queue_tasks',
    'Background tasks waiting or running.',
    'select kind, count(*)::int as value from queue_tasks group by kind',
  );
  gauge(
    'aisle_queue_oldest_due_seconds',
    'How long the oldest task that could run has been waiting.',
    `select kind, coalesce(extract(epoch from max(now() - run_at) filter (where run_at <= now())), 0)::float8 as value
     from queue_tasks group by kind`,
  );
  gauge(
    'aisle_queue_dead_tasks',
    'Tasks that gave up.',
    'select kind, count(*)::int as value from queue_dead group by kind',
  );
  gauge(
    'aisle_chore_last_run_timestamp_seconds',
    'When each piece of housekeeping ran last.',
    'select name as kind, extract(epoch from last_run_at)::float8 as value from schedules where last_run_at is not null',
  );
}
