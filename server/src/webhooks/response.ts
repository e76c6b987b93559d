import type { Static } from 'typebox';
import type { Webhook } from '@aisle/contract/webhooks';
import type { Topic } from './rules/urls.ts';
import type { SavedWebhook } from './save-webhook.ts';

/** Leaves out the secrets, except for a new `signingSecret`. */
export function webhookResponse(
  { webhook, endpoints, signingSecret }: SavedWebhook,
  now = new Date(),
): Static<typeof Webhook> {
  const healthOf = (topic: Topic) => endpoints.find((endpoint) => endpoint.topic === topic);
  const reasonOf = (topic: Topic) => healthOf(topic)?.disabled_reason ?? null;
  const failingSince = (topic: Topic) => healthOf(topic)?.failing_since?.toISOString() ?? null;
  const [orders, catalog] = [reasonOf('orders'), reasonOf('catalog')];
  const isRotating = webhook.previous_signing_until !== null && webhook.previous_signing_until > now;
  return {
    webhook_id: webhook.webhook_id,
    vendor_id: webhook.vendor_id,
    environment: webhook.environment,
    staging_url: webhook.staging_url,
    production_url: webhook.production_url,
    staging_catalog_url: webhook.staging_catalog_url,
    production_catalog_url: webhook.production_catalog_url,
    has_secret: webhook.secret_sealed !== null,
    status: orders === null ? 'ENABLED' : 'DISABLED',
    disabled_reason: orders,
    failing_since: failingSince('orders'),
    catalog_status: catalog === null ? 'ENABLED' : 'DISABLED',
    catalog_disabled_reason: catalog,
    catalog_failing_since: failingSince('catalog'),
    previous_secret_expires_at: isRotating ? (webhook.previous_signing_until?.toISOString() ?? null) : null,
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
    ...(signingSecret !== undefined && { signing_secret: signingSecret }),
  };
}
