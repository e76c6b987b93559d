import type { Static } from 'typebox';
import type { Attempt, Delivery } from '@aisle/contract/deliveries';
import type { Webhook } from '@aisle/contract/webhooks';
import type { AttemptRow, DeliveryRow } from './delivery-queries.ts';
import type { SavedWebhook } from './save-webhook.ts';
import type { Topic } from './rules/address.ts';

/** How webhooks and deliveries look from outside: no secrets, and nothing of what a receiver answered. */
export function webhookResponse({ webhook, endpoints, signingSecret }: SavedWebhook): Static<typeof Webhook> {
  const reasonOf = (topic: Topic) => endpoints.find((one) => one.topic === topic)?.disabled_reason ?? null;
  const [orders, catalog] = [reasonOf('orders'), reasonOf('catalog')];
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
    catalog_status: catalog === null ? 'ENABLED' : 'DISABLED',
    catalog_disabled_reason: catalog,
    previous_secret_expires_at: webhook.previous_signing_until?.toISOString() ?? null,
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
    ...(signingSecret !== undefined && { signing_secret: signingSecret }),
  };
}

export function deliveryResponse(row: DeliveryRow): Static<typeof Delivery> {
  return {
    delivery_id: row.delivery_id,
    type: row.type as Static<typeof Delivery>['type'],
    status: row.status,
    vendor_id: row.vendor_id,
    order_id: row.order_id,
    job_id: row.job_id,
    attempt_count: row.attempt_count,
    last_outcome: row.last_outcome,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function attemptResponse(row: AttemptRow): Static<typeof Attempt> {
  return { ...row, started_at: row.started_at.toISOString() };
}
