/** A node of the cluster, as the coordinator knows it. */
export type Node = { address: string; is_coordinator: boolean; is_active: boolean; has_shards: boolean };

/** What a worker says when the coordinator asks it. `missingExtensions` are those that it cannot create. */
export type Worker = { address: string; isReachable: boolean; missingExtensions: string };

export const minVersion = 13;

/** Why a database without Citus, or with this version, cannot be distributed. Undefined if it can. */
export function refuseVersion(version: string | undefined): string | undefined {
  if (version === undefined) {
    return 'This PostgreSQL has no Citus extension. Install Citus on every node, and run "create extension citus" in the database on each of them.';
  }
  if (Number.parseInt(version, 10) >= minVersion) return undefined;
  return `Aisle needs Citus ${minVersion} or later; this is version ${version}.`;
}

/** Why this is not a cluster that can be used, and what to do. Undefined if it is. */
export function refuseCluster({ isCoordinator, nodes }: { isCoordinator: boolean; nodes: readonly Node[] }) {
  if (!isCoordinator) return 'DATABASE_URL must refer to the coordinator, but this node is a worker.';
  if (!nodes.some((node) => node.is_coordinator)) {
    return `The coordinator is not registered in the cluster: run "select citus_set_coordinator_host('HOST', PORT)" on it.`;
  }
  if (nodes.some((node) => node.has_shards)) return undefined;
  return `The cluster has no worker: run "select citus_add_node('HOST', PORT)" on the coordinator for each of them.`;
}

/** Why the nodes of a cluster cannot be used at the moment, and what to do. Undefined if they can. */
export function refuseNodes(nodes: readonly Node[], workers: readonly Worker[]): string | undefined {
  const inactive = nodes.filter((node) => !node.is_active).map(({ address }) => address);
  if (inactive.length > 0) {
    return `These nodes are not active: ${inactive.join(', ')}. Run "select citus_activate_node('HOST', PORT)" on the coordinator for each of them.`;
  }
  const away = workers.filter((worker) => !worker.isReachable).map(({ address }) => address);
  if (away.length > 0) {
    return `The coordinator cannot use these nodes: ${away.join(', ')}. Check that they run, have this database, and let it log in.`;
  }
  const incomplete = workers.filter(({ missingExtensions }) => missingExtensions !== '');
  if (incomplete.length === 0) return undefined;
  const list = incomplete.map(({ address, missingExtensions }) => `${address}: ${missingExtensions}`);
  return `Install the missing PostgreSQL extensions on these nodes: ${list.join('; ')}.`;
}
