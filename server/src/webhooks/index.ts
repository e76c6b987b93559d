import type { Config } from '../config.ts';
import type { Publisher, Subscriber } from '../events/index.ts';
import { createGuard } from '../kernel/outbound/addresses.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import type { Feature } from '../feature.ts';
import type { HealthCheck } from '../kernel/http/health.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Metrics } from '../kernel/monitoring/metrics.ts';
import { createOutbound } from '../kernel/outbound/outbound.ts';
import { createSealer } from '../kernel/secrets/seal.ts';
import { webhookChores } from './chores.ts';
import { type Sender, startSender } from './deliver.ts';
import { deliveryHandlers } from './delivery-handlers.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { webhookHandlers } from './handlers.ts';
import { historyHandlers } from './history-handlers.ts';
import { isStalled } from './lane-queries.ts';
import { planDeliveries } from './plan-deliveries.ts';
import { hasWebhooks } from './queries.ts';
import { createSecrets } from './secrets.ts';

export type { Sender } from './deliver.ts';
export { dueChannel } from './lane-queries.ts';
export { isToldOfOrders } from './queries.ts';

type WebhookHandlers = ReturnType<typeof webhookHandlers> &
  ReturnType<typeof deliveryHandlers> &
  ReturnType<typeof historyHandlers>;

type WebhooksFeature = Feature<WebhookHandlers> & {
  /** Turns published events into deliveries. */
  subscriber: Subscriber;
  /** Nothing can be sent without the key that its secrets are sealed with. */
  startSender(parts: { db: Database; log: Log; metrics: Metrics; version: string }): Sender | undefined;
};

export function webhooksFeature(config: Config): WebhooksFeature {
  const guard = createGuard(config.webhooks.open);
  const sealer = config.secretKeys.length > 0 ? createSealer(config.secretKeys) : undefined;
  const secrets = createSecrets(sealer);
  const outbound = createOutbound({ guard });
  return {
    handlers: { ...webhookHandlers(guard, secrets), ...deliveryHandlers(), ...historyHandlers(config) },
    tasks: {},
    chores: webhookChores(config),
    subscriber: planDeliveries,
    startSender({ db, log, metrics, version }) {
      if (!sealer) log.warn({ event: 'secrets.no_key', detail: 'AISLE_SECRET_KEY is not set: webhooks are off.' });
      if (!sealer) return undefined;
      const { slots, slotsPerEndpoint } = config.webhooks;
      const userAgent = `Aisle/${version}`;
      const delivery = createDeliveryMetrics(metrics.registry, db);
      return startSender({ db, log, metrics: delivery, outbound, secrets, userAgent, slots, slotsPerEndpoint });
    },
    close: async () => outbound.close(),
  };
}

/** Whether what is to be sent is looked for at all. A receiver that does not answer is no fault of ours. */
export function deliveryHealth(db: Db, publisher: Publisher | undefined, sender: Sender | undefined): HealthCheck {
  return {
    name: 'deliveries',
    async check() {
      if (!publisher) return 'ok';
      if (!publisher.isAlive()) return 'no event could be published for 15 s';
      if (!sender) return (await hasWebhooks(db)) ? 'there are webhooks, but AISLE_SECRET_KEY is not set' : 'ok';
      if (!sender.isAlive()) return 'has not looked for deliveries for 15 s';
      return (await isStalled(db)) ? 'deliveries to endpoints that work have waited for two minutes' : 'ok';
    },
  };
}
