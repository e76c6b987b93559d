import type { Config } from '../config.ts';
import type { Subscriber } from '../events/index.ts';
import type { Feature } from '../feature.ts';
import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Metrics } from '../kernel/monitoring/metrics.ts';
import { createGuard } from '../kernel/outbound/addresses.ts';
import { createOutbound } from '../kernel/outbound/outbound.ts';
import type { Secrets } from '../webhooks/index.ts';
import { deliveryChores } from './chores.ts';
import { type Sender, type SenderOptions, startSender } from './deliver.ts';
import { deliveryHandlers } from './handlers.ts';
import { createDeliveryMetrics } from './metrics.ts';
import { platformDeliveryHandlers } from './platform-handlers.ts';
import { planDeliveries } from './plan-deliveries.ts';
import { readBytes } from './rules/kept-response.ts';
import { deliveryTasks } from './tasks.ts';

export { findBacklog } from './backlog-queries.ts';
export type { Sender } from './deliver.ts';
export { deliveryHealth } from './health-check.ts';
export { dueChannel } from './lane-queries.ts';
export { pendingDeliveries } from './pending-deliveries.ts';
export { listDeliveriesForOrders, type OrderDelivery } from './attempt-queries.ts';
export { resendDelivery } from './resend-deliveries.ts';
export { pingType } from './rules/attempt.ts';
export { deliveryResponse, findDeliveryDetails, listOrderDeliveries } from './response.ts';

type DeliveriesFeature = Feature<ReturnType<typeof deliveryHandlers> & ReturnType<typeof platformDeliveryHandlers>> & {
  /** Turns published events into deliveries. */
  subscriber: Subscriber;
  /** Undefined if no secret key is configured, because messages could not be signed. */
  startSender(parts: SenderParts): Sender | undefined;
};

type SenderParts = { db: Database; log: Log; metrics: Metrics; version: string; chains: SenderOptions['chains'] };

export function deliveriesFeature(config: Config, secrets: Secrets): DeliveriesFeature {
  const outbound = createOutbound({ guard: createGuard(config.webhooks.allowedNetworks), responseBytes: readBytes });
  return {
    handlers: { ...deliveryHandlers(), ...platformDeliveryHandlers() },
    tasks: deliveryTasks,
    chores: deliveryChores(config),
    subscriber: planDeliveries,
    startSender({ db, log, metrics, version, chains }) {
      if (!secrets.hasKey) {
        log.warn({ event: 'secrets.no_key', detail: 'AISLE_SECRET_KEY is not set, so webhooks are off.' });
        return undefined;
      }
      const { slots, slotsPerEndpoint } = config.webhooks;
      const userAgent = `Aisle/${version}`;
      const delivery = createDeliveryMetrics(metrics.registry, db);
      const pace = { slots, slotsPerEndpoint };
      return startSender({ db, log, metrics: delivery, outbound, secrets, userAgent, chains, ...pace });
    },
    close: async () => outbound.close(),
  };
}
