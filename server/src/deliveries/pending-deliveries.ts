import type { PendingDeliveries } from '../webhooks/index.ts';
import { announceDue, lockChainLanes } from './lane-queries.ts';
import { markDeliveriesExhausted, moveDeliveries } from './queries.ts';

/** Updates pending deliveries when their webhook changes. */
export const pendingDeliveries: PendingDeliveries = {
  async move(tx, chainId, vendorId, endpoints) {
    await lockChainLanes(tx, chainId);
    for (const { topic, endpoint_id } of endpoints) {
      await moveDeliveries(tx, chainId, vendorId, topic === 'catalog', endpoint_id);
    }
  },

  async markExhausted(tx, chainId, endpoints) {
    await lockChainLanes(tx, chainId);
    await markDeliveriesExhausted(
      tx,
      chainId,
      endpoints.map((endpoint) => endpoint.endpoint_id),
    );
  },

  wakeSenders: announceDue,
};
