import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

export type Metrics = {
  /** Other modules register their metrics here. */
  registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  observeTask(kind: string, outcome: string, seconds: number): void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  const on = { registers: [registry] };
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    ...on,
    name: 'aisle_http_requests_total',
    help: 'Requests that received a response.',
    labelNames: ['method', 'route', 'status'],
  });
  const durations = new Histogram({
    ...on,
    name: 'aisle_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the response.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const tasks = new Histogram({
    ...on,
    name: 'aisle_task_duration_seconds',
    help: 'Run time of background tasks, by outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  return {
    registry,
    observeRequest(method, route, status, seconds) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    observeTask: (kind, outcome, seconds) => tasks.observe({ kind, outcome }, seconds),
  };
}
