export { describeCluster } from './show-status.ts';
export { checkWholeCluster, ClusterError, distribute, isDistributed } from './distribute.ts';
export { migrateCluster } from './migrate-cluster.ts';
export { type Cluster, watchCluster } from './watch-cluster.ts';
export { registerClusterMetrics } from './metrics.ts';
export { moveChain, rebalanceShards } from './move-chains.ts';
