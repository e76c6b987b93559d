import { Gauge, type Registry } from 'prom-client';
import type { Database } from './db.ts';

export function registerPoolMetrics(registry: Registry, { pool }: Database): void {
  new Gauge({
    registers: [registry],
    name: 'aisle_database_connections',
    help: 'Database connections in this process, by state; waiting counts requests for a connection.',
    labelNames: ['state'],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}
