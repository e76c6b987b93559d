import { Counter, Histogram, type Registry } from 'prom-client';
import type { Db } from '../kernel/database/db.ts';
import { registerDatabaseGauge, shareRead } from '../kernel/monitoring/database-gauge.ts';
import { type Backlog, findBacklog } from './backlog-queries.ts';

export type DeliveryMetrics = { observe(endpointId: string, outcome: string, seconds: number): void };

/**
 * Limits the number of time series. The first endpoints in a process have a series each, and all others share one.
 */
const maxEndpoints = 200;

export function createDeliveryMetrics(registry: Registry, db: Db): DeliveryMetrics {
  const on = { registers: [registry] };
  const attempts = new Counter({
    ...on,
    name: 'aisle_delivery_attempts_total',
    help: 'Delivery attempts, by outcome.',
    labelNames: ['endpoint', 'outcome'],
  });
  const durations = new Histogram({
    ...on,
    name: 'aisle_delivery_duration_seconds',
    help: 'Duration of a delivery attempt, until the response or the timeout.',
    labelNames: ['endpoint'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 10],
  });
  backlogGauges(registry, db);
  const known = new Set<string>();
  return {
    observe(endpointId, outcome, seconds) {
      if (known.size < maxEndpoints) known.add(endpointId);
      const endpoint = known.has(endpointId) ? endpointId : 'other';
      attempts.inc({ endpoint, outcome });
      durations.observe({ endpoint }, seconds);
    },
  };
}

function backlogGauges(registry: Registry, db: Db): void {
  const readBacklog = shareRead(() => findBacklog(db));
  const gauge = (name: string, help: string, valueOf: (backlog: Backlog) => number) =>
    registerDatabaseGauge(registry, { name, help }, async () => [{ value: valueOf(await readBacklog()) }]);
  gauge('aisle_delivery_lanes_due', 'Orders and jobs with deliveries due now.', ({ due }) => due);
  gauge('aisle_delivery_lanes', 'Orders and jobs with pending deliveries, including retries.', ({ lanes }) => lanes);
  gauge(
    'aisle_delivery_oldest_due_seconds',
    'How long the oldest due delivery to a working endpoint has been waiting.',
    ({ oldest_seconds }) => oldest_seconds,
  );
}
