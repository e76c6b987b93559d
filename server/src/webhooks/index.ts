import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { createGuard } from '../kernel/outbound/addresses.ts';
import { webhookHandlers } from './handlers.ts';
import { platformWebhookHandlers } from './platform-handlers.ts';
import type { PendingDeliveries } from './save-webhook.ts';
import type { Secrets } from './secrets.ts';

export { checkSecrets, discardSecrets, secretsAdvice } from './check-secrets.ts';
export {
  type EndpointRow,
  hasChainWebhook,
  hasEndpoint,
  hasOrderWebhook,
  hasWebhooks,
  listEndpoints,
  listEndpointsById,
  listWebhooksOf,
  lockEndpointFor,
  lockWebhook,
  type WebhookRow,
} from './queries.ts';
export type { PlatformDeliveryRoutes } from './platform-handlers.ts';
export {
  findPlatformWebhook,
  hasPlatformWebhookFor,
  holdPlatformWebhook,
  listFailingPlatformWebhooks,
  listPlatformWebhooks,
  type PlatformWebhookRow,
} from './platform-queries.ts';
export { type EndpointResult, recordHealth } from './record-health.ts';
export { urlFor, type Environment, type Topic } from './rules/urls.ts';
export type { Outcome } from './rules/endpoint-health.ts';
export { type PendingDeliveries, webhookNotFound } from './save-webhook.ts';
export { createSecrets, type Secrets } from './secrets.ts';

/** `pending` is a parameter because the `deliveries` feature depends on this one and cannot be imported here. */
export function webhooksFeature(
  config: Config,
  secrets: Secrets,
  pending: PendingDeliveries,
): Feature<ReturnType<typeof webhookHandlers> & ReturnType<typeof platformWebhookHandlers>> {
  const guard = createGuard(config.webhooks.allowedNetworks);
  const options = { guard, secrets, pending };
  const handlers = { ...webhookHandlers(options), ...platformWebhookHandlers(options) };
  return { handlers, tasks: {}, chores: [], close: async () => {} };
}
