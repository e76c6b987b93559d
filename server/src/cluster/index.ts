export { describeCluster } from './show-status.ts';
export { ClusterError, distribute, isDistributed } from './distribute.ts';
export { migrateCluster } from './migrate-cluster.ts';
