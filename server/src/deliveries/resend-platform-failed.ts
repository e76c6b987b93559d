import Type from 'typebox';
import { lockPublishing } from '../events/index.ts';
import { defineTask, enqueue } from '../kernel/background/queue.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import { readTime } from '../kernel/database/clock.ts';
import type { Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { holdPlatformWebhook } from '../webhooks/index.ts';
import { announceDue, discardAttempts, lockLanesById, makeLanesDue, openLanes } from './lane-queries.ts';
import { countFailedByChain, listFailedToPlatform, reopenFailedToPlatform } from './platform-queries.ts';

/** Resends the failed deliveries of one chain to a webhook of the platform; see `resendTask`. */
export const resendToPlatformTask = defineTask('deliveries.resend_to_platform', {
  webhook_id: Type.String(),
  since: Type.String(),
  before: Type.String(),
  position: Type.String(),
});
type Payload = ReturnType<typeof resendToPlatformTask.readPayload>;

const perSlice = 500;

/** Starts to resend failed deliveries, chain by chain, and returns their number. */
export async function requestPlatformResend(tx: Tx, webhookId: string, since: Date): Promise<number> {
  // A date has milliseconds, and the database's time has microseconds.
  const before = new Date((await readTime(tx)).getTime() + 1);
  const chains = await countFailedByChain(tx, { webhookId, since, before });
  const payload = {
    webhook_id: webhookId,
    since: since.toISOString(),
    before: before.toISOString(),
    position: '0',
  };
  const tasks = chains.map(({ chain_id: chainId }) => ({
    chainId,
    lane: `resend to platform ${chainId} ${webhookId}`,
    batch: newId(),
    payload,
  }));
  if (tasks.length > 0) await enqueue(tx, resendToPlatformTask, tasks);
  return chains.reduce((sum, { count }) => sum + count, 0);
}

export async function resendFailedToPlatform(tx: Tx, chainId: string, payload: Payload): Promise<TaskResult<Payload>> {
  const range = {
    webhookId: payload.webhook_id,
    since: new Date(payload.since),
    before: new Date(payload.before),
  };
  const failed = await listFailedToPlatform(tx, chainId, range, payload.position, perSlice);
  const last = failed.at(-1);
  if (!last) return 'done';
  const laneIds = [...new Set(failed.map((one) => one.lane_id))];
  // Until the transaction ends, the publisher cannot add deliveries to these lanes, and senders cannot release them.
  await lockPublishing(tx, chainId);
  await lockLanesById(tx, chainId, laneIds);
  if (!(await holdPlatformWebhook(tx, payload.webhook_id))) return 'done';
  const ids = failed.map((one) => one.delivery_id);
  await discardAttempts(tx, chainId, laneIds, ids);
  const lanes = await reopenFailedToPlatform(tx, chainId, ids);
  if (lanes.length > 0) {
    await openLanes(tx, lanes);
    await makeLanesDue(tx, chainId, laneIds);
    announceDue(tx, chainId);
  }
  return failed.length === perSlice ? { again: { ...payload, position: last.position } } : 'done';
}
