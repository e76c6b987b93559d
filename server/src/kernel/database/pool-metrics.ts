import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from './db.ts';

export function registerPoolMetrics(registry: Registry, { pool, replica }: Database): void {
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
  new Counter({
    registers: [registry],
    name: 'aisle_replica_reads_total',
    help: 'Reads in this process that can use the replica, by the server that executed them.',
    labelNames: ['server'],
    collect() {
      this.reset();
      this.inc({ server: 'replica' }, replica?.counts.replica ?? 0);
      this.inc({ server: 'primary' }, replica?.counts.primary ?? 0);
    },
  });
}
