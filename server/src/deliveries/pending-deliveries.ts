import Type from 'typebox';
import { defineTask, enqueue } from '../kernel/background/queue.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import type { Tx } from '../kernel/database/db.ts';
import { newId, nilId } from '../kernel/values/ids.ts';
import { listChainIds } from '../identity/index.ts';
import { hasEndpoint, type PendingDeliveries } from '../webhooks/index.ts';
import { announceDue, lockLanesById } from './lane-queries.ts';
import { listChainsWithLanes } from './platform-queries.ts';
import {
  deleteLanesWithoutDeliveries,
  detachLanes,
  listLanesOf,
  listPending,
  markExhausted,
  moveLanes,
} from './pending-queries.ts';

/**
 * What happens to pending deliveries when their webhook changes.
 *
 * There can be hundreds of thousands of them, and a webhook is changed under the lock for publishing, which stops the
 * events of all chains. So the request only adds a task, which handles a few deliveries at a time without that lock.
 * The tasks of a chain run one after the other, so two changes have the same result as if each took effect immediately.
 *
 * Until a task has reached a delivery, the delivery waits: senders skip lanes whose endpoint was deleted, and
 * deliveries that a vendor's new webhook takes over. A lane is sent in sequence, so newer deliveries in it wait too.
 */
export const pendingDeliveries: PendingDeliveries = {
  async move(tx, chainId, vendorId, from, to) {
    const payloads = from.flatMap(({ topic, endpoint_id }) => {
      const target = to.find((endpoint) => endpoint.topic === topic);
      return target ? [{ vendor_id: vendorId, from: endpoint_id, to: target.endpoint_id, position: first }] : [];
    });
    await enqueue(tx, moveTask, tasksOf(chainId, payloads));
  },

  async end(tx, chainId, endpoints) {
    const payloads = endpoints.map(({ endpoint_id }) => ({ endpoint_id, position: first }));
    await enqueue(tx, endTask, tasksOf(chainId, payloads));
  },

  async endForPlatform(tx, webhookId) {
    // Pings and alerts belong to no partner.
    const chainIds = await listChainsWithLanes(tx, [nilId, ...(await listChainIds(tx))], webhookId);
    const tasks = chainIds.flatMap((chainId) => tasksOf(chainId, [{ endpoint_id: webhookId, position: first }]));
    if (tasks.length > 0) await enqueue(tx, endTask, tasks);
  },

  wakeSenders: announceDue,
};

/** Ends the deliveries to an endpoint that was deleted. `position` is where the next slice starts. */
export const endTask = defineTask('deliveries.end', { endpoint_id: Type.String(), position: Type.String() });
type EndPayload = ReturnType<typeof endTask.readPayload>;

/** Moves a vendor's deliveries from the chain's endpoint to its own. `position` is where the next slice starts. */
export const moveTask = defineTask('deliveries.move', {
  vendor_id: Type.String(),
  from: Type.String(),
  to: Type.String(),
  position: Type.String(),
});
type MovePayload = ReturnType<typeof moveTask.readPayload>;

export async function endDeliveries(tx: Tx, chainId: string, payload: EndPayload): Promise<TaskResult<EndPayload>> {
  const { endpoint_id, position } = payload;
  const pending = await listPending(tx, chainId, { endpoint_id, from_position: position, limit: slice }, null);
  const last = pending.at(-1);
  // Lanes can be left without deliveries to this endpoint, for example if a delivery was resent to another one.
  const left = pending.length < slice ? await listLanesOf(tx, chainId, endpoint_id, slice) : [];
  const laneIds = [...new Set([...pending.map((one) => one.lane_id), ...left])];
  if (laneIds.length > 0) {
    await lockLanesById(tx, chainId, laneIds);
    await markExhausted(tx, chainId, endpoint_id, laneIds);
    await deleteLanesWithoutDeliveries(tx, chainId, laneIds);
    await detachLanes(tx, chainId, endpoint_id, laneIds);
    announceDue(tx, chainId);
  }
  const isDone = pending.length < slice && left.length < slice;
  return isDone ? 'done' : { again: { ...payload, position: last?.position ?? position } };
}

export async function moveDeliveries(tx: Tx, chainId: string, payload: MovePayload): Promise<TaskResult<MovePayload>> {
  const { vendor_id, from, to, position } = payload;
  // If the vendor's webhook was deleted again, the deliveries stay with the chain's webhook.
  if (!(await hasEndpoint(tx, chainId, to))) return 'done';
  const range = { endpoint_id: from, from_position: position, limit: slice };
  const pending = await listPending(tx, chainId, range, vendor_id);
  const last = pending.at(-1);
  if (!last) return 'done';
  const laneIds = [...new Set(pending.map((one) => one.lane_id))];
  await lockLanesById(tx, chainId, laneIds);
  await moveLanes(tx, chainId, { from, to }, laneIds);
  announceDue(tx, chainId);
  return pending.length < slice ? 'done' : { again: { ...payload, position: last.position } };
}

/** How many deliveries a slice handles. */
const slice = 500;
/** Pings have the position 0. */
const first = '0';

/** The tasks of one change run in parallel, and after those of earlier changes. */
function tasksOf<Payload>(chainId: string, payloads: Payload[]) {
  const batch = newId();
  return payloads.map((payload) => ({ chainId, lane: `pending deliveries ${chainId}`, batch, payload }));
}
