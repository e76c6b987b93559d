import Type from 'typebox';
import { Closed, described, Id, Nullable, OneOf, Page, pageQuery, Timestamp } from './common.ts';
import { deliveryRoutes, exampleDelivery, Delivery } from './deliveries.ts';
import { eventScopes } from './events.ts';
import { route } from './route.ts';
import { valueFaults } from './value-faults.ts';

export const environments = ['staging', 'production'] as const;
export const webhookStatuses = ['ENABLED', 'DISABLED'] as const;
export const disabledReasons = ['GONE', 'FAILING', 'MANUAL'] as const;

export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'An http or https URL without a user name or password. Private, loopback and other internal addresses are rejected unless the operator allows them.',
});

const Status = OneOf(webhookStatuses, {
  description: 'While the webhook is DISABLED, nothing is sent; deliveries stay PENDING until the webhook is enabled.',
});
const Reason = Nullable(
  OneOf(disabledReasons, {
    description:
      'GONE: the endpoint returned 410. FAILING: every attempt failed for five days. MANUAL: disabled by a user or an API call.',
  }),
);

const FailingSince = Nullable(
  described(
    Timestamp,
    'The time of the first failed attempt since the last successful one. Null if the last attempt succeeded, or if there was none since the URL was set or enabled.',
  ),
);

export const WebhookInput = Closed(
  Type.Object({
    environment: OneOf(environments, { description: 'The environment whose URLs are used.' }),
    staging_url: Type.Optional(WebhookUrl),
    production_url: Type.Optional(WebhookUrl),
    staging_catalog_url: Type.Optional(WebhookUrl),
    production_catalog_url: Type.Optional(WebhookUrl),
    secret: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2048,
          pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
          patternHint: valueFaults.header_value,
          description:
            'The value of the `Authorization` header, sent exactly as given, for example `Bearer x`. It is stored encrypted and never returned. If omitted, the current secret is kept, unless a URL has an origin (scheme, host and port) that none of the URLs had before; null removes it.',
        }),
      ),
    ),
  }),
);

export const Webhook = Type.Object({
  webhook_id: described(Id, 'The id of the webhook.'),
  vendor_id: Nullable(
    Type.String({ description: "The platform id of the vendor. Null for the chain's default webhook." }),
  ),
  environment: OneOf(environments, { description: 'The environment whose URLs are used.' }),
  staging_url: Nullable(Type.String({ description: 'Where events are sent in staging. Null if not set.' })),
  production_url: Nullable(Type.String({ description: 'Where events are sent in production. Null if not set.' })),
  staging_catalog_url: Nullable(
    Type.String({ description: 'Where catalog events are sent in staging. If null, they are sent to `staging_url`.' }),
  ),
  production_catalog_url: Nullable(
    Type.String({
      description: 'Where catalog events are sent in production. If null, they are sent to `production_url`.',
    }),
  ),
  has_secret: Type.Boolean({ description: 'Whether an `Authorization` header is sent.' }),
  status: Status,
  disabled_reason: Reason,
  failing_since: FailingSince,
  catalog_status: Status,
  catalog_disabled_reason: Reason,
  catalog_failing_since: FailingSince,
  previous_secret_expires_at: Nullable(
    described(
      Timestamp,
      'While the secret is being rotated: messages are also signed with the previous secret until this time. Null otherwise.',
    ),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
  signing_secret: Type.Optional(
    Type.String({
      description: 'The secret for verifying signatures. Returned only once, when the webhook is created.',
    }),
  ),
});

const exampleInput = {
  environment: 'production',
  staging_url: 'https://staging.hooks.example.com/aisle',
  production_url: 'https://hooks.example.com/aisle',
  secret: 'Bearer 8f3b0c',
};
const exampleWebhook = {
  webhook_id: '5c1de0b4-5a0f-4e57-8a7b-3f0a5ad1b0aa',
  vendor_id: null,
  environment: 'production',
  staging_url: 'https://staging.hooks.example.com/aisle',
  production_url: 'https://hooks.example.com/aisle',
  staging_catalog_url: null,
  production_catalog_url: null,
  has_secret: true,
  status: 'ENABLED',
  disabled_reason: null,
  failing_since: null,
  catalog_status: 'ENABLED',
  catalog_disabled_reason: null,
  catalog_failing_since: null,
  previous_secret_expires_at: null,
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:00.000Z',
};
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The webhook routes, for the chain's default webhook and for a store's own webhook. */
function routesAt<const Path extends string>(path: Path, owner: string) {
  const own = { api: 'partner', tag: 'Webhooks', access: 'manage' } as const;
  const read = {
    ...own,
    method: 'GET',
    path: `/v2/${path}/webhook`,
    rateLimit: 'read',
  } as const;
  const write = { ...own, path: `/v2/${path}/webhook`, rateLimit: 'manage_write' } as const;
  const act = <const Verb extends string>(verb: Verb) =>
    ({
      ...own,
      method: 'POST',
      path: `/v2/${path}/webhook/${verb}`,
      rateLimit: 'manage_write',
    }) as const;
  const response = (description: string, example: object = exampleWebhook) => ({
    200: { description, schema: Webhook, example },
  });
  return {
    get: route({
      ...read,
      summary: `Get ${owner} webhook`,
      responses: response('The webhook. Secrets are not included.'),
      errors: ['webhook_not_found'],
    }),
    put: route({
      ...write,
      method: 'PUT',
      andScopes: eventScopes,
      summary: `Configure ${owner} webhook`,
      description:
        'Replaces the whole configuration except the secrets. The selected environment must have a URL. Catalog events are sent to the catalog URL of the environment, or to its main URL if it has no catalog URL. Pending deliveries are sent to the new URL; if a store gets its own webhook, they are moved to it in the background. Setting a new URL enables the webhook, unless it was disabled manually. In addition to `manage`, a token needs the scopes of the events that are sent to the URL: `orders:read` and `catalog:read`.',
      body: { required: true, schema: WebhookInput, example: exampleInput },
      responses: response('The updated webhook, with `signing_secret` if the webhook is new.', {
        ...exampleWebhook,
        signing_secret: exampleSecret,
      }),
      errors: ['secret_key_missing'],
    }),
    delete: route({
      ...write,
      method: 'DELETE',
      summary: `Delete ${owner} webhook`,
      description:
        'Pending deliveries are no longer sent. They become EXHAUSTED in the background, which takes a while if there are many.',
      responses: response('The deleted webhook.'),
      errors: ['webhook_not_found'],
    }),
    rotate: route({
      ...act('rotate-secret'),
      summary: `Rotate the signing secret of ${owner} webhook`,
      description:
        'For 24 hours, every message is signed with both the old and the new secret. Rotating again within this time revokes the oldest secret immediately.',
      responses: {
        200: {
          description: 'The new secret. It is shown only once.',
          schema: Type.Object({
            signing_secret: Type.String({
              description: 'The new secret for verifying signatures. It is shown only once.',
            }),
            previous_secret_expires_at: described(
              Timestamp,
              'Messages are also signed with the previous secret until this time.',
            ),
          }),
          example: { signing_secret: exampleSecret, previous_secret_expires_at: '2026-05-05T09:30:00.000Z' },
        },
      },
      errors: ['webhook_not_found', 'secret_key_missing'],
    }),
    ping: route({
      ...act('ping'),
      role: 'MANAGER',
      summary: `Send a test message to ${owner} webhook`,
      description:
        'Sends a message of type `webhook.ping`, signed like all other messages and attempted only once. The delivery shows the result.',
      responses: { 202: { description: 'The delivery.', schema: Delivery, example: exampleDelivery } },
      errors: ['webhook_not_found', 'webhook_disabled'],
    }),
    enable: route({
      ...act('enable'),
      summary: `Enable ${owner} webhook`,
      description: 'Pending deliveries are sent immediately.',
      responses: response('The updated webhook.'),
      errors: ['webhook_not_found'],
    }),
    disable: route({
      ...act('disable'),
      summary: `Disable ${owner} webhook`,
      description: 'Deliveries stay PENDING and are sent once the webhook is enabled again.',
      responses: response('The updated webhook.', { ...exampleWebhook, status: 'DISABLED', disabled_reason: 'MANUAL' }),
      errors: ['webhook_not_found'],
    }),
  };
}

const chain = routesAt('chains/{chain_id}', "the chain's");
const store = routesAt('chains/{chain_id}/vendors/{vendor_id}', "a store's");

export const webhookRoutes = {
  listWebhooks: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/webhooks',
    api: 'partner',
    tag: 'Webhooks',
    summary: 'List the default webhook and all store webhooks',
    access: 'manage',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'The default webhook, followed by the store webhooks, sorted by store. Secrets are not included.',
        schema: Page('webhooks', Webhook),
        example: { webhooks: [exampleWebhook], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: [],
  }),
  getWebhook: chain.get,
  putWebhook: chain.put,
  deleteWebhook: chain.delete,
  rotateWebhookSecret: chain.rotate,
  pingWebhook: chain.ping,
  enableWebhook: chain.enable,
  disableWebhook: chain.disable,
  getVendorWebhook: store.get,
  putVendorWebhook: store.put,
  deleteVendorWebhook: store.delete,
  rotateVendorWebhookSecret: store.rotate,
  pingVendorWebhook: store.ping,
  enableVendorWebhook: store.enable,
  disableVendorWebhook: store.disable,
  ...deliveryRoutes,
};
