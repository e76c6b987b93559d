import Type from 'typebox';
import { Id, Nullable, OneOf, Page, pageQuery, Timestamp } from './common.ts';
import { deliveryRoutes, exampleDelivery, Delivery } from './deliveries.ts';
import { route } from './route.ts';

export const environments = ['staging', 'production'] as const;
export const webhookStatuses = ['ENABLED', 'DISABLED'] as const;
export const disabledReasons = ['GONE', 'FAILING', 'MANUAL'] as const;

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'An http or https address without user and password. A private, loopback or otherwise internal address is refused, unless the operator has opened it.',
});

const Status = OneOf(webhookStatuses, {
  description: 'While DISABLED nothing is sent; deliveries stay PENDING and go out once it is enabled.',
});
const Reason = Nullable(
  OneOf(disabledReasons, {
    description:
      'GONE: the address answered 410. FAILING: it failed for five days without one success. MANUAL: switched off by you.',
  }),
);

export const WebhookInput = Type.Object({
  environment: OneOf(environments, { description: 'Which of the addresses is in use.' }),
  staging_url: Type.Optional(Url),
  production_url: Type.Optional(Url),
  staging_catalog_url: Type.Optional(Url),
  production_catalog_url: Type.Optional(Url),
  secret: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 2048,
        pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
        description:
          'Sent as the `Authorization` header exactly as given (`x`, `Bearer x`, `Basic x`). Stored encrypted, never read back. Absent keeps it, null clears it.',
      }),
    ),
  ),
});

export const Webhook = Type.Object({
  webhook_id: Id,
  vendor_id: Nullable(Type.String({ description: 'Null: the default of the chain.' })),
  environment: OneOf(environments),
  staging_url: Nullable(Type.String()),
  production_url: Nullable(Type.String()),
  staging_catalog_url: Nullable(Type.String()),
  production_catalog_url: Nullable(Type.String()),
  has_secret: Type.Boolean({ description: 'Whether an `Authorization` header is sent.' }),
  status: Status,
  disabled_reason: Reason,
  catalog_status: Status,
  catalog_disabled_reason: Reason,
  previous_secret_expires_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  signing_secret: Type.Optional(
    Type.String({ description: 'On creation only: what to verify signatures with. Shown this once.' }),
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
  catalog_status: 'ENABLED',
  catalog_disabled_reason: null,
  previous_secret_expires_at: null,
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:00.000Z',
};
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The same routes for the chain's default and for a vendor's override. */
function routesAt<const Path extends string>(path: Path, whose: string) {
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
      summary: `Read the webhook of ${whose}`,
      responses: response('Without its secrets.'),
      errors: ['webhook_not_found'],
    }),
    put: route({
      ...write,
      method: 'PUT',
      summary: `Set the webhook of ${whose}`,
      description:
        'Replaces all of it; only the secrets are kept. The environment in use needs its address. Catalog events go to the catalog address of the environment, or to the same address where there is none. What is still pending goes to the new address. A new address is enabled, whatever became of the one before.',
      body: { required: true, schema: WebhookInput, example: exampleInput },
      responses: response('As it is now; on creation with `signing_secret`.', {
        ...exampleWebhook,
        signing_secret: exampleSecret,
      }),
      errors: ['secret_key_missing'],
    }),
    delete: route({
      ...write,
      method: 'DELETE',
      summary: `Delete the webhook of ${whose}`,
      description: 'Pending deliveries become EXHAUSTED.',
      responses: response('The webhook that was deleted.'),
      errors: ['webhook_not_found'],
    }),
    rotate: route({
      ...act('rotate-secret'),
      summary: `Give the webhook of ${whose} a new signing secret`,
      description: 'For 24 hours every message is signed with both secrets. Rotating again ends the oldest at once.',
      responses: {
        200: {
          description: 'The new secret, shown this once.',
          schema: Type.Object({ signing_secret: Type.String(), previous_secret_expires_at: Timestamp }),
          example: { signing_secret: exampleSecret, previous_secret_expires_at: '2026-05-05T09:30:00.000Z' },
        },
      },
      errors: ['webhook_not_found', 'secret_key_missing'],
    }),
    ping: route({
      ...act('ping'),
      role: 'MANAGER',
      summary: `Send a test message to the webhook of ${whose}`,
      description:
        'A message of the type `webhook.ping`, signed like every other and tried once. What became of it is in the deliveries.',
      responses: { 202: { description: 'The delivery.', schema: Delivery, example: exampleDelivery } },
      errors: ['webhook_not_found', 'webhook_disabled'],
    }),
    enable: route({
      ...act('enable'),
      summary: `Enable the webhook of ${whose}`,
      description: 'What was pending is sent at once.',
      responses: response('As it is now.'),
      errors: ['webhook_not_found'],
    }),
    disable: route({
      ...act('disable'),
      summary: `Disable the webhook of ${whose}`,
      description: 'Nothing is sent until it is enabled; nothing is lost meanwhile.',
      responses: response('As it is now.', { ...exampleWebhook, status: 'DISABLED', disabled_reason: 'MANUAL' }),
      errors: ['webhook_not_found'],
    }),
  };
}

const chain = routesAt('chains/{chain_id}', 'the chain');
const store = routesAt('chains/{chain_id}/vendors/{vendor_id}', 'a store');

export const webhookRoutes = {
  listWebhooks: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/webhooks',
    api: 'partner',
    tag: 'Webhooks',
    summary: "List the webhooks: the chain's default and those of single stores",
    access: 'manage',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'The default first, then by store; without their secrets.',
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
