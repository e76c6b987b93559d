import Type from 'typebox';
import {
  Closed,
  described,
  Id,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Timestamp,
  TimestampInput,
  VendorFilter,
} from './common.ts';
import { eventScopes } from './events.ts';
import { eventTypes } from './feed.ts';
import { route } from './route.ts';

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED'] as const;
export const attemptOutcomes = [
  'success',
  'http_error',
  'gone',
  'redirect',
  'timeout',
  'dns_failed',
  'address_refused',
  'tls_failed',
  'connection_failed',
] as const;

const HeaderValues = (description: string) => Type.Record(Type.String(), Type.String(), { description });
const Milliseconds = (description: string) =>
  Nullable(Type.Integer({ description: `${description} In milliseconds.` }));

export const Attempt = Type.Object({
  attempt_no: Type.Integer({ description: 'The number of the attempt, starting at 1.' }),
  started_at: described(Timestamp, 'When the attempt started.'),
  duration_ms: Type.Integer({ description: 'The time until the response or the failure, in milliseconds.' }),
  outcome: OneOf(attemptOutcomes, {
    description: 'How the attempt ended. The delivery is retried after every outcome except `success`.',
  }),
  http_status: Nullable(Type.Integer({ description: 'The HTTP status of the response. Null if none was received.' })),
  environment: OneOf(['staging', 'production'], { description: 'The environment whose URL was used.' }),
  url: Type.String({ description: 'The URL the message was sent to, without the query string.' }),
  request_headers: Nullable(
    HeaderValues(
      'The headers of the message, including its signature. The value of `authorization` is hidden. Null for attempts that were made before headers were recorded.',
    ),
  ),
  response_headers: Nullable(
    HeaderValues(
      'The headers of the response, up to 4,096 characters (512 for a successful attempt). Cookies and repeated secrets are hidden. Null if there was no response.',
    ),
  ),
  response_body: Nullable(
    Type.String({
      description:
        'The first 4 KB of the response body (the first 512 bytes for a successful attempt, unless it is a ping), as UTF-8. Your secret and the query string of your URL are hidden if the response repeats them. Null if there was no response.',
    }),
  ),
  response_body_truncated: Type.Boolean({ description: 'Whether the response body was longer.' }),
  error: Nullable(
    Type.String({
      description: 'What went wrong if there was no response, e.g. `connect ECONNREFUSED`. The text can change.',
    }),
  ),
  timings: Type.Object(
    {
      dns_ms: Milliseconds('The time for resolving the host name.'),
      connect_ms: Milliseconds('The time for opening the connection, without resolving the host name.'),
      tls_ms: Milliseconds('The time for the TLS handshake.'),
      first_byte_ms: Milliseconds('The time from the start of the attempt to the first byte of the response.'),
    },
    {
      description:
        'How long the parts of the attempt took. A part is null if it did not take place: a connection that is used again is not opened, and an IP address is not resolved. `duration_ms` is the total.',
    },
  ),
});

export const Delivery = Type.Object({
  delivery_id: described(Id, 'The id of the delivery, which is also the id of its event.'),
  type: OneOf([...eventTypes, 'webhook.ping'], {
    description: 'The event type, or `webhook.ping` for a test message.',
  }),
  status: OneOf(deliveryStatuses, {
    description:
      'PENDING: not attempted yet, or waiting for the previous delivery. DELIVERED: the receiver responded with 2xx. FAILED: will be retried. EXHAUSTED: no more retries.',
  }),
  vendor_id: Nullable(
    Type.String({ description: 'The platform id of the vendor. Null if the event concerns the whole chain.' }),
  ),
  order_id: Nullable(described(Id, 'The order, for order events. Null otherwise.')),
  job_id: Nullable(described(Id, 'The job, for catalog events. Null otherwise.')),
  attempt_count: Type.Integer({ description: 'How many attempts have been made so far.' }),
  last_outcome: Nullable(
    OneOf(attemptOutcomes, { description: 'How the last attempt ended. Null before the first attempt.' }),
  ),
  next_attempt_at: Nullable(described(Timestamp, 'When the next attempt is due. Null if none is planned.')),
  created_at: described(Timestamp, 'When the event happened.'),
  updated_at: described(Timestamp, 'When the delivery last changed.'),
});

/** How many attempts of a delivery are kept. One retry schedule has far fewer, but a delivery can be resent any time. */
export const keptAttempts = 100;

export const DeliveryDetails = Type.Object({
  ...Delivery.properties,
  body: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The body of the message. Null for a ping, whose body is created at the time of sending.',
    }),
  ),
  body_text: Nullable(
    Type.String({
      description:
        'The body of the message exactly as it is sent and signed, also for a ping. Null if the event has been deleted.',
    }),
  ),
  attempts: Type.Array(Attempt, {
    description: `The newest ${keptAttempts} attempts, oldest first. \`attempt_count\` counts all of them.`,
  }),
});

export const exampleDelivery = {
  delivery_id: '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77',
  type: 'order.received',
  status: 'PENDING',
  vendor_id: 's8ym',
  order_id: '3f1f9a2e-6a53-4f0e-9d51-0f6a2f1a7c11',
  job_id: null,
  attempt_count: 0,
  last_outcome: null,
  next_attempt_at: null,
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:00.000Z',
};
const exampleDelivered = {
  ...exampleDelivery,
  status: 'DELIVERED',
  attempt_count: 1,
  last_outcome: 'success',
};
const exampleAttempt = {
  attempt_no: 1,
  started_at: '2026-05-04T09:30:00.012Z',
  duration_ms: 87,
  outcome: 'success',
  http_status: 200,
  environment: 'production',
  url: 'https://hooks.example.com/aisle',
  request_headers: {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Aisle/0.1.0',
    'webhook-id': '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77',
    'webhook-timestamp': '1777887000',
    'webhook-signature': 'v1,nMTnfopnqw4y1y61kLGU7sd9ZL7Mtvfy17d6j6QKKzg=',
    'aisle-event-type': 'order.received',
    'x-environment': 'production',
    authorization: '[hidden]',
  },
  response_headers: { 'content-length': '2', 'content-type': 'application/json' },
  response_body: '{}',
  response_body_truncated: false,
  error: null,
  timings: { dns_ms: 4, connect_ms: 12, tls_ms: 25, first_byte_ms: 86 },
};

const shared = { api: 'partner', tag: 'Webhooks', access: 'manage', dataScopes: eventScopes } as const;

export const deliveryRoutes = {
  listDeliveries: route({
    ...shared,
    method: 'GET',
    path: '/v2/chains/{chain_id}/deliveries',
    summary: 'List webhook deliveries',
    description:
      'A delivery has the same id as its event, which is also the `webhook-id` header of the message and the `event_id` in the feed. Deliveries are kept for 30 days. In addition to `manage`, a token needs the scope `orders:read` to see deliveries of order events, and `catalog:read` to see deliveries of catalog events. This applies to all delivery routes.',
    rateLimit: 'read',
    query: Type.Object({
      status: Type.Optional(OneOf(deliveryStatuses, { description: 'Return only deliveries with this status.' })),
      order_id: Type.Optional(described(Id, 'Return only deliveries for this order.')),
      job_id: Type.Optional(described(Id, 'Return only deliveries for this job.')),
      vendor_id: Type.Optional(VendorFilter),
      since: Type.Optional(described(TimestampInput, 'Return only deliveries created at this time or later.')),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of deliveries, newest first.',
        schema: Page('deliveries', Delivery),
        example: { deliveries: [exampleDelivered], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: ['vendor_not_found'],
  }),

  getDelivery: route({
    ...shared,
    method: 'GET',
    path: '/v2/chains/{chain_id}/deliveries/{delivery_id}',
    summary: 'Get a delivery with its body and attempts',
    rateLimit: 'read',
    responses: {
      200: {
        description: 'The delivery with its newest attempts, oldest first.',
        schema: DeliveryDetails,
        example: {
          ...exampleDelivered,
          body: { order_id: exampleDelivery.order_id, status: 'RECEIVED', revision: 1 },
          body_text: `{"order_id":"${exampleDelivery.order_id}","status":"RECEIVED","revision":1}`,
          attempts: [exampleAttempt],
        },
      },
    },
    errors: ['delivery_not_found'],
  }),

  resendDelivery: route({
    ...shared,
    method: 'POST',
    path: '/v2/chains/{chain_id}/deliveries/{delivery_id}/resend',
    summary: 'Resend a delivery',
    description:
      'Sends the same bytes with the same id, signed with the current secret, and restarts the retry schedule. A finished delivery (DELIVERED or EXHAUSTED) is sent immediately, without waiting for other deliveries for the same order. An unfinished delivery keeps its place in the queue and is attempted as soon as the deliveries before it are done.',
    role: 'MANAGER',
    rateLimit: 'manage_write',
    responses: { 202: { description: 'The delivery, now PENDING.', schema: Delivery, example: exampleDelivery } },
    errors: ['delivery_not_found', 'webhook_not_found'],
  }),

  resendFailedDeliveries: route({
    ...shared,
    method: 'POST',
    path: '/v2/chains/{chain_id}/deliveries/resend-failed',
    summary: 'Resend all failed deliveries created since a given time',
    description:
      'EXHAUSTED deliveries restart their retry schedule, and FAILED deliveries are retried immediately. Deliveries for the same order are sent in sequence.',
    role: 'MANAGER',
    rateLimit: 'manage_write',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          since: described(TimestampInput, 'Resend failed deliveries that were created at this time or later.'),
        }),
      ),
      example: { since: '2026-05-04T09:30:00Z' },
    },
    responses: {
      202: {
        description: 'The number of deliveries to resend.',
        schema: Type.Object({ resent: Type.Integer({ description: 'How many deliveries will be resent.' }) }),
        example: { resent: 12 },
      },
    },
    errors: [],
  }),
};
