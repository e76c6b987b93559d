import { Counter, Gauge, type Registry } from 'prom-client';
import type { BodyBudget } from './budget.ts';

export function registerBodyMetrics(registry: Registry, bodies: BodyBudget): void {
  new Gauge({
    registers: [registry],
    name: 'aisle_large_body_bytes',
    help: 'Memory used by request bodies over 64 KiB.',
    collect() {
      this.set(bodies.used());
    },
  });
  new Counter({
    registers: [registry],
    name: 'aisle_large_bodies_refused_total',
    help: 'Requests rejected because there was not enough memory for their body.',
    collect() {
      this.reset();
      this.inc(bodies.rejected());
    },
  });
}
