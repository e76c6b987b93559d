import type { ChainDatabases, Chains } from '../kernel/background/chain-loop.ts';
import { type Database, openDatabase } from '../kernel/database/db.ts';
import { isUnavailable, nodeText, nodeUnavailable } from '../kernel/database/errors.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { isDistributed } from './distribute.ts';
import { createNodeDatabases } from './node-databases.ts';
import { canReachNode, listChainNodes, listNodes } from './queries.ts';
import { repeat } from './repeat.ts';

/**
 * The nodes of a distributed database, and which of them cannot be reached at the moment.
 *
 * A node is away as soon as a statement fails because of it. From then on, nothing is sent to it: requests of its chains
 * fail at once, and background work skips them, so that connections and slots stay free for the chains on other nodes.
 * Each process asks the coordinator every second whether it can reach the nodes, and uses a node again when it can.
 */
export type Cluster = Chains &
  ChainDatabases & {
    listNodes(): { address: string; isAway: boolean }[];
    /** The address of the node with the chain's rows; empty if it is not known yet. */
    nodeOf(chainId: string): string;
    isNodeAway(address: string): boolean;
    /** The database for statements that use only rows of chains on this node, see `databaseOf`. */
    databaseAt(address: string): Database;
    /** The chains on nodes that are away. */
    listAway(): string[];
    /** Fails with a 503 if the node with the chain's rows is away. */
    rejectAway(chainId: string): void;
    close(): Promise<void>;
  };

const checkMs = 1000;
/** How often the places of the chains are read, because chains can be moved. Those of new chains are read sooner. */
const placesMs = 30_000;
const newPlacesMs = 1000;

type Options = { databaseUrl: string; log: Log; config: { readonly nodeConnections: boolean } };

/** Undefined if the database is not distributed. */
export async function watchCluster(
  db: Database,
  { databaseUrl: url, log, config: { nodeConnections } }: Options,
): Promise<Cluster | undefined> {
  if (!(await isDistributed(db))) return undefined;
  // The other connections can all be waiting for a node.
  const settings = { connections: 1, preparedStatements: false, statementSeconds: 5, name: 'aisle cluster' };
  const probe = openDatabase({ url, ...settings, onError: () => {} });
  const nodes = new Map<string, { isAway: boolean }>();
  let places = new Map<string, string>();
  const setAway = (address: string, isAway: boolean) => {
    const node = nodes.get(address);
    if (!node || node.isAway === isAway) return;
    node.isAway = isAway;
    log.warn({ event: isAway ? 'cluster.node_lost' : 'cluster.node_back', node: address });
  };
  let readAt = Number.NEGATIVE_INFINITY;
  const readPlaces = async () => {
    readAt = performance.now();
    for (const { address } of await listNodes(db)) if (!nodes.has(address)) nodes.set(address, { isAway: false });
    places = new Map((await listChainNodes(db)).map(({ chain_id, address }) => [chain_id, address]));
  };
  const checkNodes = async () => {
    for (const address of nodes.keys()) {
      // A check fails if the node is frozen, or if the coordinator cannot be reached. The other nodes are checked anyway.
      const isReachable = await canReachNode(probe, address).catch(() => undefined);
      if (isReachable !== undefined) setAway(address, !isReachable);
    }
  };
  const readNewPlaces = () => {
    if (performance.now() - readAt >= newPlacesMs) readPlaces().catch(() => {});
  };
  await readPlaces();
  db.watchNodes((error) => {
    for (const address of nodes.keys()) if (mentions(nodeText(error), address)) setAway(address, true);
    readNewPlaces();
  });
  const checks = repeat(checkNodes, checkMs);
  const reads = repeat(readPlaces, placesMs);
  const nodeOf = (chainId: string) => {
    const address = places.get(chainId);
    if (address === undefined) readNewPlaces();
    return address ?? '';
  };
  const direct = createNodeDatabases(db, log);
  const databaseAt = (address: string) => (nodeConnections && address !== '' ? direct.of(address) : db);
  const isAway = (chainId: string) => nodes.get(nodeOf(chainId))?.isAway === true;
  return {
    isAway,
    list: async () => [...new Set([...places.keys(), ...(await listChainNodes(db)).map(({ chain_id }) => chain_id)])],
    collect: (list) => collect(list, places, nodes),
    nodeOf,
    databaseAt,
    databaseOf: (chainId) => databaseAt(nodeOf(chainId)),
    isNodeAway: (address) => nodes.get(address)?.isAway === true,
    listNodes: () => [...nodes].map(([address, node]) => ({ address, ...node })),
    listAway: () => ([...nodes.values()].some((node) => node.isAway) ? [...places.keys()].filter(isAway) : []),
    rejectAway(chainId) {
      if (!isAway(chainId)) return;
      throw new Failure('service_unavailable', nodeUnavailable, { headers: { 'retry-after': '5' } });
    },
    async close() {
      await Promise.all([checks.stop(), reads.stop()]);
      await Promise.all([probe.close(), direct.close()]);
    },
  };
}

async function collect<Row>(
  list: (chainIds: readonly string[] | null) => Promise<Row[]>,
  places: ReadonlyMap<string, string>,
  nodes: ReadonlyMap<string, { isAway: boolean }>,
): Promise<Row[]> {
  if (![...nodes.values()].some((node) => node.isAway)) {
    try {
      return await list(null);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
  const byNode = Map.groupBy(places.keys(), (chainId) => places.get(chainId));
  const found = [...byNode].map(async ([address = '', chainIds]) =>
    nodes.get(address)?.isAway ? [] : list(chainIds).catch(() => []),
  );
  return (await Promise.all(found)).flat();
}

/** Whether the text contains the address, and not one that starts or ends with it. */
function mentions(text: string, address: string): boolean {
  const escaped = address.replaceAll(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w.-])${escaped}(?!\\d)`).test(text);
}
