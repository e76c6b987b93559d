import Type from 'typebox';
import { Closed, described, Id, Nullable, OneOf, Page, pageQuery, Timestamp, TimestampInput } from './common.ts';
import { Delivery, DeliveryDetails, deliveryRoutes, exampleDelivery } from './deliveries.ts';
import { platformEventTypes } from './platform-events.ts';
import { route } from './route.ts';
import { Webhook, WebhookInput, webhookRoutes, WebhookUrl } from './webhooks.ts';

export const maxPlatformWebhooks = 20;

const { secret } = WebhookInput.properties;
const event_types = Type.Array(OneOf(platformEventTypes), {
  minItems: 1,
  maxItems: 100,
  description: 'The types of events that are sent to the URL.',
});
const description = Type.String({ maxLength: 200, description: 'What the webhook is for.' });

export const PlatformWebhookInput = Closed(
  Type.Object({ url: WebhookUrl, event_types, description: Type.Optional(Nullable(description)), secret }),
);

export const PlatformWebhook = Type.Object({
  webhook_id: described(Id, 'The id of the webhook.'),
  url: Type.String({ description: 'Where events are sent.' }),
  event_types,
  description: Nullable(description),
  has_secret: Webhook.properties.has_secret,
  status: Webhook.properties.status,
  disabled_reason: Webhook.properties.disabled_reason,
  failing_since: Webhook.properties.failing_since,
  previous_secret_expires_at: Webhook.properties.previous_secret_expires_at,
  created_at: Timestamp,
  updated_at: Timestamp,
  signing_secret: Webhook.properties.signing_secret,
});

const platformDelivery = {
  ...Delivery.properties,
  delivery_id: described(Id, 'The id of the delivery.'),
  event_id: described(Id, 'The id of the event in the feed; the same as `webhook-id`.'),
  chain_id: described(
    Id,
    'The chain that the event concerns; the id of zeros for a ping, or if the event concerns the platform.',
  ),
  webhook_id: described(Id, 'The webhook that the event is sent to.'),
  type: OneOf([...platformEventTypes, 'webhook.ping'], {
    description: 'The event type; `webhook.ping` for a test message.',
  }),
};
export const PlatformDelivery = Type.Object(platformDelivery);
export const PlatformDeliveryDetails = Type.Object({ ...DeliveryDetails.properties, ...platformDelivery });

const exampleWebhook = {
  webhook_id: '5c1de0b4-5a0f-4e57-8a7b-3f0a5ad1b0aa',
  url: 'https://storefront.example.com/aisle',
  event_types: ['order.ready_for_pickup', 'order.cancelled'],
  description: 'Orders in the app',
  has_secret: false,
  status: 'ENABLED',
  disabled_reason: null,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:00.000Z',
};
const { url: exampleUrl, event_types: exampleTypes, description: exampleDescription } = exampleWebhook;
const exampleInput = { url: exampleUrl, event_types: exampleTypes, description: exampleDescription };
const signed = { ...exampleWebhook, ...webhookRoutes.rotateWebhookSecret.responses[200].example };
const { previous_secret_expires_at: _expiry, ...created } = signed;
const examplePlatformDelivery = {
  ...exampleDelivery,
  delivery_id: '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b78',
  event_id: exampleDelivery.delivery_id,
  chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11',
  webhook_id: exampleWebhook.webhook_id,
};

/** Stands for the platform where a chain is named. */
const zeros = '00000000-0000-0000-0000-000000000000';

const shared = { api: 'platform', tag: 'Webhooks', access: 'platform', rateLimit: 'platform' } as const;
const path = '/platform/v1/webhooks';
const one = `${path}/{webhook_id}` as const;
const response = (text: string, example: object = exampleWebhook) => ({
  200: { description: text, schema: PlatformWebhook, example },
});

export const platformWebhookRoutes = {
  platformListWebhooks: route({
    ...shared,
    method: 'GET',
    path,
    summary: "List the platform's webhooks",
    responses: {
      200: {
        description: 'All webhooks, oldest first. Secrets are not included.',
        schema: Type.Object({ webhooks: Type.Array(PlatformWebhook, { description: 'The webhooks.' }) }),
        example: { webhooks: [exampleWebhook] },
      },
    },
    errors: [],
  }),
  platformCreateWebhook: route({
    ...shared,
    method: 'POST',
    path,
    summary: 'Create a webhook for the platform',
    description: `Events of these types in all chains are sent to the URL, signed with the webhook's own secret. Several webhooks can receive the same types; there can be up to ${maxPlatformWebhooks}.`,
    body: { required: true, schema: PlatformWebhookInput, example: exampleInput },
    responses: {
      201: {
        description: 'The webhook with its signing secret, which is shown only once.',
        schema: PlatformWebhook,
        example: { ...created, previous_secret_expires_at: null },
      },
    },
    errors: ['secret_key_missing', 'webhook_limit_reached'],
  }),
  platformGetWebhook: route({
    ...shared,
    method: 'GET',
    path: one,
    summary: 'Get a webhook of the platform',
    responses: response('The webhook. Secrets are not included.'),
    errors: ['webhook_not_found'],
  }),
  platformPutWebhook: route({
    ...shared,
    method: 'PUT',
    path: one,
    summary: 'Change a webhook of the platform',
    description:
      'Replaces the configuration except the secrets. Pending deliveries are sent to the new URL. Setting a new URL enables the webhook, unless it was disabled manually.',
    body: { required: true, schema: PlatformWebhookInput, example: exampleInput },
    responses: response('The updated webhook.'),
    errors: ['webhook_not_found', 'secret_key_missing'],
  }),
  platformDeleteWebhook: route({
    ...shared,
    method: 'DELETE',
    path: one,
    summary: 'Delete a webhook of the platform',
    description: 'Pending deliveries are no longer sent. They become EXHAUSTED in the background.',
    responses: response('The deleted webhook.'),
    errors: ['webhook_not_found'],
  }),
  platformRotateWebhookSecret: route({
    ...shared,
    method: 'POST',
    path: `${one}/rotate-secret`,
    summary: 'Rotate the signing secret of a webhook of the platform',
    description: webhookRoutes.rotateWebhookSecret.description,
    responses: webhookRoutes.rotateWebhookSecret.responses,
    errors: ['webhook_not_found', 'secret_key_missing'],
  }),
  platformPingWebhook: route({
    ...shared,
    method: 'POST',
    path: `${one}/ping`,
    platformRole: 'SUPPORT',
    summary: 'Send a test message to a webhook of the platform',
    description: webhookRoutes.pingWebhook.description,
    responses: {
      202: {
        description: 'The delivery.',
        schema: PlatformDelivery,
        example: { ...examplePlatformDelivery, chain_id: zeros, type: 'webhook.ping', order_id: null, vendor_id: null },
      },
    },
    errors: ['webhook_not_found', 'webhook_disabled'],
  }),
  platformEnableWebhook: route({
    ...shared,
    method: 'POST',
    path: `${one}/enable`,
    summary: 'Enable a webhook of the platform',
    description: 'Pending deliveries are sent immediately.',
    responses: response('The updated webhook.'),
    errors: ['webhook_not_found'],
  }),
  platformDisableWebhook: route({
    ...shared,
    method: 'POST',
    path: `${one}/disable`,
    summary: 'Disable a webhook of the platform',
    description: 'Deliveries stay PENDING until the webhook is enabled.',
    responses: response('The updated webhook.', {
      ...exampleWebhook,
      status: 'DISABLED',
      disabled_reason: 'MANUAL',
    }),
    errors: ['webhook_not_found'],
  }),
  platformListDeliveries: route({
    ...shared,
    method: 'GET',
    path: `${one}/deliveries`,
    summary: 'List the deliveries to a webhook of the platform',
    description: 'Deliveries are kept for 30 days. Several webhooks can have a delivery of the same event.',
    query: Type.Object({
      status: deliveryRoutes.listDeliveries.query.properties.status,
      chain_id: Type.Optional(described(Id, 'Return only deliveries of events in this chain.')),
      order_id: deliveryRoutes.listDeliveries.query.properties.order_id,
      since: deliveryRoutes.listDeliveries.query.properties.since,
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of deliveries, newest first.',
        schema: Page('deliveries', PlatformDelivery),
        example: {
          deliveries: [examplePlatformDelivery],
          page_number: 1,
          page_size: 20,
          total_pages: 1,
          total_items: 1,
        },
      },
    },
    errors: ['webhook_not_found'],
  }),
  platformResendFailedDeliveries: route({
    ...shared,
    method: 'POST',
    path: `${one}/resend-failed`,
    summary: 'Resend all failed deliveries to a webhook of the platform',
    description: deliveryRoutes.resendFailedDeliveries.description,
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          since: described(TimestampInput, 'Resend failed deliveries that were created at this time or later.'),
        }),
      ),
      example: { since: '2026-05-04T09:30:00Z' },
    },
    responses: deliveryRoutes.resendFailedDeliveries.responses,
    errors: ['webhook_not_found'],
  }),
  platformGetDelivery: route({
    ...shared,
    acceptsPlatform: true,
    method: 'GET',
    path: '/platform/v1/chains/{chain_id}/deliveries/{delivery_id}',
    summary: 'Get a delivery to the platform with its body and attempts',
    responses: {
      200: {
        description: 'The delivery with its newest attempts, oldest first.',
        schema: PlatformDeliveryDetails,
        example: { ...deliveryRoutes.getDelivery.responses[200].example, ...examplePlatformDelivery },
      },
    },
    errors: ['delivery_not_found'],
  }),
  platformResendDelivery: route({
    ...shared,
    acceptsPlatform: true,
    method: 'POST',
    path: '/platform/v1/chains/{chain_id}/deliveries/{delivery_id}/resend',
    summary: 'Resend a delivery to the platform',
    description: deliveryRoutes.resendDelivery.description,
    responses: {
      202: { description: 'The delivery, now PENDING.', schema: PlatformDelivery, example: examplePlatformDelivery },
    },
    errors: ['delivery_not_found', 'webhook_not_found'],
  }),
};
