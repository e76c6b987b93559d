import type { PlatformWebhook, platformWebhookRoutes } from '@aisle/contract/platform-webhooks';
import type { Static } from 'typebox';
import type { Access } from '../identity/index.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { findPlatformWebhook, listPlatformWebhooks } from './platform-queries.ts';
import {
  changePlatformWebhook,
  createPlatformWebhook,
  removePlatformWebhook,
  rotatePlatformSecret,
  type SavedPlatformWebhook,
  setPlatformWebhookEnabled,
} from './save-platform-webhook.ts';
import type { SaveOptions } from './save-webhook.ts';

/** The routes for deliveries, which the `deliveries` feature handles. */
export type PlatformDeliveryRoutes = Pick<
  typeof platformWebhookRoutes,
  | 'platformListDeliveries'
  | 'platformGetDelivery'
  | 'platformResendDelivery'
  | 'platformResendFailedDeliveries'
  | 'platformPingWebhook'
>;
type Routes = Omit<typeof platformWebhookRoutes, keyof PlatformDeliveryRoutes>;

export function platformWebhookHandlers(options: SaveOptions): Handlers<Routes, Access> {
  return {
    async platformListWebhooks({ db }) {
      const webhooks = await listPlatformWebhooks(db);
      return { status: 200, body: { webhooks: webhooks.map((webhook) => webhookResponse({ webhook })) } };
    },
    async platformCreateWebhook({ body, transaction }) {
      const saved = await transaction((tx) => createPlatformWebhook(tx, body, options));
      return { status: 201, body: webhookResponse(saved) };
    },
    async platformGetWebhook({ db, params }) {
      const webhook = await findPlatformWebhook(db, params.webhook_id);
      if (!webhook) throw notFound('webhook_not_found', params.webhook_id, null);
      return { status: 200, body: webhookResponse({ webhook }) };
    },
    async platformPutWebhook({ params, body, transaction }) {
      const saved = await transaction((tx) => changePlatformWebhook(tx, params.webhook_id, body, options));
      return { status: 200, body: webhookResponse(saved) };
    },
    async platformDeleteWebhook({ params, transaction }) {
      const removed = await transaction((tx) => removePlatformWebhook(tx, params.webhook_id, options));
      return { status: 200, body: webhookResponse(removed) };
    },
    async platformRotateWebhookSecret({ params, transaction }) {
      const rotated = await transaction((tx) => rotatePlatformSecret(tx, params.webhook_id, options.secrets));
      const { signingSecret, expiresAt } = rotated;
      return {
        status: 200,
        body: { signing_secret: signingSecret, previous_secret_expires_at: expiresAt.toISOString() },
      };
    },
    async platformEnableWebhook({ params, transaction }) {
      const saved = await transaction((tx) => setPlatformWebhookEnabled(tx, params.webhook_id, true, options));
      return { status: 200, body: webhookResponse(saved) };
    },
    async platformDisableWebhook({ params, transaction }) {
      const saved = await transaction((tx) => setPlatformWebhookEnabled(tx, params.webhook_id, false, options));
      return { status: 200, body: webhookResponse(saved) };
    },
  };
}

/** Leaves out the secrets, except for a new `signingSecret`. */
function webhookResponse({ webhook, signingSecret }: SavedPlatformWebhook): Static<typeof PlatformWebhook> {
  const expiresAt = webhook.previous_signing_until;
  const isRotating = expiresAt !== null && expiresAt > new Date();
  return {
    webhook_id: webhook.webhook_id,
    url: webhook.url,
    event_types: webhook.event_types,
    description: webhook.description,
    has_secret: webhook.secret_sealed !== null,
    status: webhook.disabled_reason === null ? 'ENABLED' : 'DISABLED',
    disabled_reason: webhook.disabled_reason,
    failing_since: webhook.failing_since?.toISOString() ?? null,
    previous_secret_expires_at: isRotating ? expiresAt.toISOString() : null,
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
    ...(signingSecret !== undefined && { signing_secret: signingSecret }),
  };
}
