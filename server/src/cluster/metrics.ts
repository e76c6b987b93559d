import { Gauge, type Registry } from 'prom-client';
import type { Cluster } from './watch-cluster.ts';

export function registerClusterMetrics(registry: Registry, cluster: Cluster): void {
  new Gauge({
    registers: [registry],
    aggregator: 'min',
    name: 'aisle_cluster_node_up',
    help: 'Whether a node of the distributed database can be reached (1) or not (0).',
    labelNames: ['node'],
    collect() {
      for (const { address, isAway } of cluster.listNodes()) this.set({ node: address }, isAway ? 0 : 1);
    },
  });
}
