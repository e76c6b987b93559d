import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './db.ts';

export type Metrics = {
  registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  observeTask(kind: string, outcome: string, seconds: number): void;
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

/** Asked of the database at each scrape: the figures are of the whole installation, not of this process. */
function queueGauges(registry: Registry, db: Database): void {
  const gauge = (name: string, help: string) => new Gauge({ registers: [registry], name, help, labelNames: ['kind'] });
  const age = gauge('aisle_queue_oldest_due_seconds', 'How long the oldest task that could run has been waiting.');
  const dead = gauge('aisle_queue_dead_tasks', 'Tasks that gave up.');
  new Gauge({
    registers: [registry],
    name: 'aisle_queue_tasks',
    help: 'Background tasks waiting or running.',
    labelNames: ['kind'],
    async collect() {
      for (const one of [this, age, dead]) one.reset();
      for (const row of await db.query<QueueRow>(queueSql)) {
        this.set({ kind: row.kind }, row.depth);
        age.set({ kind: row.kind }, row.age);
      }
      for (const row of await db.query<{ kind: string; count: number }>(deadSql))
        dead.set({ kind: row.kind }, row.count);
    },
  });
}

type QueueRow = { kind: string; depth: number; age: number };

const queueSql = `
  select kind, count(*)::int as depth,
    coalesce(extract(epoch from max(now() - run_at) filter (where run_at <= now())), 0)::float8 as age
  from queue_tasks group by kind`;
const deadSql = 'select kind, count(*)::int as count from queue_dead group by kind';
