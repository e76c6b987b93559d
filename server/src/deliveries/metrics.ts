import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Db } from '../kernel/database/db.ts';
import { findBacklog } from './backlog-queries.ts';

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

/** Read from the database at each scrape, because these metrics cover the whole installation. */
function backlogGauges(registry: Registry, db: Db): void {
  const gauge = (name: string, help: string) => new Gauge({ registers: [registry], aggregator: 'max', name, help });
  const lanes = gauge('aisle_delivery_lanes_due', 'Orders and jobs with deliveries due now.');
  const waiting = gauge('aisle_delivery_lanes', 'Orders and jobs with pending deliveries, including retries.');
  new Gauge({
    registers: [registry],
    aggregator: 'max',
    name: 'aisle_delivery_oldest_due_seconds',
    help: 'How long the oldest due delivery to a working endpoint has been waiting.',
    async collect() {
      // Without the database these metrics are missing, but the others must still be served.
      const backlog = await findBacklog(db).catch(() => undefined);
      if (!backlog) return;
      lanes.set(backlog.due);
      waiting.set(backlog.lanes);
      this.set(backlog.oldest_seconds);
    },
  });
}
