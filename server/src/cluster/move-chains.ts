import type { Database } from '../kernel/database/db.ts';
import { isUuid } from '../kernel/values/ids.ts';
import { checkCluster, ClusterError } from './distribute.ts';
import { findPlace, isolateChain, listNodes, moveShard, rebalance } from './queries.ts';

/** Distributes the shards evenly over the nodes, while they are in use. Returns how many shards were moved. */
export async function rebalanceShards(db: Database): Promise<string> {
  await checkCluster(db);
  const moved = await rebalance(db.withoutTimeout);
  return moved === 0 ? 'The shards are already distributed evenly.' : `Groups of shards that were moved: ${moved}.`;
}

/**
 * Moves a chain to another node while it is in use. If it shares its shards with other chains, it first gets shards of
 * its own.
 */
export async function moveChain(db: Database, chainId: string, address: string): Promise<string> {
  await checkCluster(db);
  const nodes = (await listNodes(db)).filter((node) => node.has_shards).map((node) => node.address);
  if (!nodes.includes(address)) throw new ClusterError(`The nodes are ${nodes.join(', ')}, not "${address}".`);
  const place = isUuid(chainId) ? await findPlace(db, chainId) : undefined;
  if (!place) throw new ClusterError(`There is no chain with the id "${chainId}".`);
  if (place.address === address) return `The chain is already on ${address}.`;
  const shard = place.is_alone ? place.shard : await isolateChain(db.withoutTimeout, chainId);
  await moveShard(db.withoutTimeout, shard, { from: place.address, to: address });
  return `The chain was moved from ${place.address} to ${address}.`;
}
