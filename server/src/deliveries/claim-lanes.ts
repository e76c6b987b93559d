import type { Database, Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { type EndpointRow, listEndpointsById, listPlatformWebhooks } from '../webhooks/index.ts';
import { findNextEndpoint, leaseLanes, listFirst, lockDueLanes, type PendingRow } from './chain-queries.ts';
import { claimLanes, type LaneRequest } from './claim-queries.ts';
import { type ClaimedLane, type Head, listHeads } from './lane-queries.ts';
import { readHeads } from './read-heads.ts';
import { chooseLanes, type DueLane } from './rules/choose-lanes.ts';

export type Claimed = { lanes: ClaimedLane[]; heads: Head[] };

/** The endpoints of a chain that have due lanes, or `many` if more than a few have lanes. */
export type DueEndpoints = string[] | 'many';

const maxEndpoints = 4;
const nilId = '00000000-0000-0000-0000-000000000000';

export async function listDueEndpoints(db: Database, chainId: string): Promise<DueEndpoints> {
  const due: string[] = [];
  let after = nilId;
  for (let count = 0; count <= maxEndpoints; count++) {
    const next = await findNextEndpoint(db, chainId, after);
    if (!next) return due;
    if (next.is_due) due.push(next.endpoint_id);
    after = next.endpoint_id;
  }
  return 'many';
}

/** Claims due lanes and reads the first delivery in each. Gives `due` if it is done for one chain. */
export async function claimHeads(
  db: Database,
  scope: Scope,
  due: DueEndpoints,
  request: LaneRequest,
): Promise<Claimed> {
  if (scope === null) {
    const lanes = await claimLanes(db, scope, request);
    return { lanes, heads: lanes.length > 0 ? await listHeads(db, scope, lanes) : [] };
  }
  const { lanes, first } = await (due === 'many' ? claimMany(db, scope, request) : claimFew(db, scope, due, request));
  return { lanes, heads: await readHeads(db, scope, lanes, first) };
}

type ClaimedInChain = { lanes: ClaimedLane[]; first: PendingRow[] };

async function claimMany(db: Database, chainId: string, request: LaneRequest): Promise<ClaimedInChain> {
  const lanes = await claimLanes(db, chainId, request);
  if (lanes.length === 0) return { lanes, first: [] };
  const laneIds = lanes.map((lane) => lane.lane_id);
  return { lanes, first: await db.transaction((tx) => listFirst(tx, chainId, laneIds)) };
}

/** The same as `claimLanes`, in statements whose plans the chain's node keeps. */
async function claimFew(
  db: Database,
  chainId: string,
  endpointIds: string[],
  request: LaneRequest,
): Promise<ClaimedInChain> {
  const slotsOf = (endpointId: string) => request.endpoints.get(endpointId)?.slots ?? request.newEndpointSlots;
  const free = endpointIds.filter((endpointId) => slotsOf(endpointId) > 0);
  if (free.length === 0) return { lanes: [], first: [] };
  const claimed = await db.withIdleLimit.transaction(async (tx) => {
    const due = await lockDue(tx, chainId, free, request, slotsOf);
    const ownSlots = request.busyChains.get(chainId) ?? request.slotsPerChain;
    const laneIds = chooseLanes(due, { ...request, ownSlots }).map(({ laneId }) => laneId);
    if (laneIds.length === 0) return undefined;
    // Not awaited here, so that they are sent together with COMMIT. If they fail, so does the transaction.
    const results = Promise.all([
      leaseLanes(tx, chainId, laneIds, request.leaseSeconds),
      listFirst(tx, chainId, laneIds),
    ]);
    results.catch(() => {});
    return { results };
  });
  const [lanes, first] = (await claimed?.results) ?? [[], []];
  return { lanes, first };
}

async function lockDue(
  tx: Tx,
  chainId: string,
  endpointIds: string[],
  request: LaneRequest,
  slotsOf: (endpointId: string) => number,
): Promise<DueLane[]> {
  const [endpoints, ...lanes] = await Promise.all([
    listEndpointsById(tx, chainId, endpointIds),
    ...endpointIds.map((endpointId) => lockDueLanes(tx, chainId, endpointId, slotsOf(endpointId))),
  ]);
  const found = new Map<string, Target>(endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint]));
  if (found.size < endpointIds.length) {
    for (const webhook of await listPlatformWebhooks(tx))
      found.set(webhook.webhook_id, { ...webhook, isPlatform: true });
  }
  return endpointIds.flatMap((endpointId, index) => {
    const target = found.get(endpointId);
    if (!target || target.disabled_at !== null) return [];
    const level = request.endpoints.get(endpointId)?.reliability ?? (target.failing_since === null ? 2 : 3);
    return (lanes[index] ?? []).map(({ lane_id: laneId, due_at: dueAt }) => {
      return { laneId, endpointId, dueAt, level, isPlatform: target.isPlatform === true };
    });
  });
}

type Target = Pick<EndpointRow, 'disabled_at' | 'failing_since'> & { isPlatform?: true };
