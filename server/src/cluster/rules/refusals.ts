/** A node of the cluster, as the coordinator knows it. */
export type Node = { address: string; is_coordinator: boolean; is_active: boolean; has_shards: boolean };

export type ClusterFacts = {
  isCoordinator: boolean;
  nodes: readonly Node[];
  /** Each text names a node and the extensions that it cannot create. */
  missingExtensions: readonly string[];
};

export const minVersion = 13;

/** Why a database without Citus, or with this version, cannot be distributed. Undefined if it can. */
export function refuseVersion(version: string | undefined): string | undefined {
  if (version === undefined) {
    return 'This PostgreSQL has no Citus extension. Install Citus on every node, and run "create extension citus" in the database on each of them.';
  }
  if (Number.parseInt(version, 10) >= minVersion) return undefined;
  return `Aisle needs Citus ${minVersion} or later; this is version ${version}.`;
}

/** Why this cluster cannot be used, and what to do. Undefined if it can. */
export function refuseCluster({ isCoordinator, nodes, missingExtensions }: ClusterFacts): string | undefined {
  if (!isCoordinator) return 'DATABASE_URL must refer to the coordinator, but this node is a worker.';
  if (!nodes.some((node) => node.is_coordinator)) {
    return `The coordinator is not registered in the cluster: run "select citus_set_coordinator_host('HOST', PORT)" on it.`;
  }
  if (!nodes.some((node) => node.has_shards)) {
    return `The cluster has no worker: run "select citus_add_node('HOST', PORT)" on the coordinator for each of them.`;
  }
  const inactive = nodes.filter((node) => !node.is_active).map(({ address }) => address);
  if (inactive.length > 0) return `These nodes are not active: ${inactive.join(', ')}.`;
  if (missingExtensions.length === 0) return undefined;
  return `Install the missing PostgreSQL extensions on these nodes: ${missingExtensions.join('; ')}.`;
}
