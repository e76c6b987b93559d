import type { Database } from '../kernel/database/db.ts';
import { isUuid } from '../kernel/values/ids.ts';
import { checkDistributed, ClusterError } from './distribute.ts';
import { cancelSplit, countSplitErrors, findPlace, isolateChain, listNodes, moveShard, rebalance } from './queries.ts';
import { repeat } from './repeat.ts';

/** Distributes the shards evenly over the nodes, while they are in use. Returns how many shards were moved. */
export async function rebalanceShards(db: Database): Promise<string> {
  await checkDistributed(db);
  const moved = await rebalance(db);
  return moved === 0 ? 'The shards are already distributed evenly.' : `Groups of shards that were moved: ${moved}.`;
}

export type MoveOptions = { blocksWrites?: boolean };

/**
 * Moves a chain to another node while it is in use. If it shares its shards with other chains, it first gets shards of
 * its own.
 */
export async function moveChain(
  db: Database,
  chainId: string,
  address: string,
  { blocksWrites = false }: MoveOptions = {},
): Promise<string> {
  await checkDistributed(db);
  const nodes = (await listNodes(db)).filter((node) => node.has_shards).map((node) => node.address);
  if (!nodes.includes(address)) throw new ClusterError(`The nodes are ${nodes.join(', ')}, not "${address}".`);
  const place = isUuid(chainId) ? await findPlace(db, chainId) : undefined;
  if (!place) throw new ClusterError(`There is no chain with the id "${chainId}".`);
  if (place.address === address) return `The chain is already on ${address}.`;
  const shard = place.is_alone ? place.shard : await splitOff(db, chainId, blocksWrites);
  await moveShard(db, shard, { from: place.address, to: address });
  return `The chain was moved from ${place.address} to ${address}.`;
}

const checkMs = 2000;

/**
 * Citus creates the primary keys of the new shards after it has started to record changes. It cannot replicate an UPDATE
 * or DELETE of the moment in between, and would try for two hours (seen with 13.0). So the split is cancelled then.
 */
async function splitOff(db: Database, chainId: string, blocksWrites: boolean): Promise<string> {
  if (blocksWrites) return isolateChain(db, chainId, true);
  let hasFailed = false;
  // What an earlier split has left behind is removed after a while.
  let known = await countSplitErrors(db);
  const check = async () => {
    const count = await countSplitErrors(db);
    hasFailed ||= count > known;
    known = Math.min(known, count);
    if (hasFailed) await cancelSplit(db);
  };
  const checks = repeat(check, checkMs);
  try {
    return await isolateChain(db, chainId, false);
  } catch (error) {
    if (!hasFailed) throw error;
    throw new ClusterError(
      'The chain shares its shard with others, and Citus could not split it while rows were changed. Nothing was changed. Try again when fewer requests change rows of these chains, or add --block-writes: changes of the chains in the shard then wait until it is split.',
    );
  } finally {
    await checks.stop();
  }
}
