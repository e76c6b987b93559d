import Type from 'typebox';
import { described, Nullable, OneOf, Page, pageQuery, Timestamp, TimestampInput, VendorFilter } from './common.ts';
import { route, scopes } from './route.ts';

export const requestMethods = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'] as const;
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

/** The maximum size of a recorded body, in bytes. */
export const maxRecordedBytes = 16 * 1024;

export const RequestCaller = Type.Object(
  {
    kind: OneOf(['token', 'client'], { description: 'An API token, or the access token of a client.' }),
    id: Type.String({ description: 'The id of the API token or client.' }),
    name: Type.String({ description: 'The name of the API token or client.' }),
  },
  { description: 'The API token or client that was used for the request.' },
);

export const RecordedBody = Type.Object({
  text: Type.String({
    description: `The body without its secrets, up to ${maxRecordedBytes / 1024} KiB. Decompressed if it was compressed.`,
  }),
  bytes: Type.Integer({ description: 'The size of the complete body.' }),
  truncated: Type.Boolean({ description: 'Whether only the first part of the body was recorded.' }),
});

export const LoggedRequest = Type.Object({
  request_id: Type.String({
    description:
      'The `x-request-id` of the response, and `instance` in an error. Not always unique, because a client can send the same `x-request-id` several times.',
  }),
  received_at: Timestamp,
  method: Type.String({ description: 'The HTTP method.' }),
  path: Type.String({ description: 'The path as it was sent, without the query string, up to 1,000 characters.' }),
  query: Nullable(
    Type.String({
      description:
        'The query string without secrets, up to 1,000 characters. Null if there was none, or if the token lacks a scope of the route.',
    }),
  ),
  status: Type.Integer({
    description: 'The HTTP status. 499 if the connection was closed before a response was sent.',
  }),
  duration_ms: Type.Number({
    description: 'The time from the request line to the last byte of the response, in milliseconds.',
  }),
  caller: RequestCaller,
  vendor_id: Nullable(Type.String({ description: 'The vendor in the path.' })),
  order_id: Nullable(Type.String({ format: 'uuid', description: 'The order in the path.' })),
  error_code: Nullable(
    Type.String({ description: 'The error code; see the list of errors. Null if the request succeeded.' }),
  ),
  error_detail: Nullable(Type.String({ description: 'The `detail` of the error.' })),
  idempotency: Nullable(
    OneOf(['stored', 'replayed'], {
      description:
        'For a request with an `Idempotency-Key`, whether the response was stored or replayed. Null without a key.',
    }),
  ),
  aborted: Type.Boolean({ description: 'Whether the connection was closed before the complete response was sent.' }),
  streamed: Type.Boolean({
    description:
      'Whether the response was streamed, as downloads and large lists are. The body of a streamed response is not recorded.',
  }),
  ignored_parameters: Type.Array(Type.String(), {
    description: 'Unknown query parameters that were ignored (`aisle-ignored-parameters`).',
  }),
  ignored_fields: Type.Array(Type.String(), {
    description: 'Unknown body fields that were ignored (`aisle-ignored-fields`).',
  }),
});

export const RequestDetails = Type.Object({
  ...LoggedRequest.properties,
  errors: Type.Array(
    Type.Object({
      pointer: Type.String({
        description: 'A JSON pointer into the request body, or the name of the query parameter.',
      }),
      code: Type.String({ description: 'A stable code for this problem; see the list of errors.' }),
      message: Type.String({ description: 'What is wrong, as text.' }),
    }),
    { description: 'The first 20 `errors` in the response.' },
  ),
  request_body: Nullable(
    described(
      RecordedBody,
      'The body of the request. Null if it was not recorded, or if the token lacks a scope of the route.',
    ),
  ),
  response_body: Nullable(
    described(
      RecordedBody,
      'The body of the response. Null if it was not recorded, or if the token lacks a scope of the route.',
    ),
  ),
});

const exampleRequest = {
  request_id: '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77',
  received_at: '2026-05-04T09:30:00.000Z',
  method: 'PUT',
  path: '/v2/chains/0196a0c2-0000-7000-8000-000000000001/vendors/s8ym/orders/3f1f9a2e-6a53-4f0e-9d51-0f6a2f1a7c11',
  query: null,
  status: 400,
  duration_ms: 4.2,
  caller: { kind: 'token' as const, id: '0196a0c2-0000-7000-8000-000000000002', name: 'Picking app' },
  vendor_id: 's8ym',
  order_id: '3f1f9a2e-6a53-4f0e-9d51-0f6a2f1a7c11',
  error_code: 'invalid_request',
  error_detail: '/items: is required',
  idempotency: null,
  aborted: false,
  streamed: false,
  ignored_parameters: ['vendorid'],
  ignored_fields: [],
};

const shared = {
  api: 'partner',
  tag: 'Request log',
  access: 'manage',
  dataScopes: scopes,
  rateLimit: 'read',
  method: 'GET',
} as const;

export const requestRoutes = {
  listRequests: route({
    ...shared,
    path: '/v2/chains/{chain_id}/requests',
    summary: 'List recent requests',
    description:
      "The requests made with the chain's tokens and clients, and their outcomes. A request appears within about two seconds and is kept for 7 days, up to a maximum number per chain. Requests from the portal or the platform, and requests with an unknown token or a signed link, are not recorded. A request with an expired or revoked token is recorded. A token that is restricted to certain vendors sees only requests with one of those vendors in the path. A token sees the query string only if it has the scopes of the route that was called.",
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 128, description: 'A request id or an order id.' })),
      request_id: Type.Optional(Type.String({ maxLength: 128, description: 'Return only requests with this id.' })),
      order_id: Type.Optional(
        Type.String({ format: 'uuid', description: 'Return only requests with this order in the path.' }),
      ),
      status: Type.Optional(
        Type.String({
          pattern: '^[1-5](\\d\\d|xx)$',
          patternHint: 'must be a status such as `404` or a class such as `4xx`',
          description: 'Return only requests with this status, such as `404`, or status class, such as `4xx`.',
        }),
      ),
      method: Type.Optional(OneOf(requestMethods, { description: 'Return only requests with this method.' })),
      vendor_id: Type.Optional(VendorFilter),
      caller_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'Return only requests made with this API token or client.' }),
      ),
      since: Type.Optional(TimestampInput),
      until: Type.Optional(TimestampInput),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of requests, newest first.',
        schema: Type.Object({
          ...Page('requests', LoggedRequest).properties,
          dropped: Type.Integer({
            description:
              'How many requests in the last 7 days were not recorded, because there were too many at once or the database was unavailable.',
          }),
        }),
        example: {
          requests: [exampleRequest],
          page_number: 1,
          page_size: 20,
          total_pages: 1,
          total_items: 1,
          dropped: 0,
        },
      },
    },
    errors: ['vendor_not_found'],
  }),

  getRequest: route({
    ...shared,
    path: '/v2/chains/{chain_id}/requests/{request_id}',
    summary: 'Get a request with its errors and bodies',
    description:
      'Bodies are recorded only while `record_bodies` is on in the chain settings, and never include passwords, secrets, tokens or signatures. In addition to `manage`, a token needs the scopes of the route that was called to see the bodies and the query string, for example `orders:read` for `GET …/orders/{order_id}`. If several requests had the same id, the newest is returned, unless `received_at` selects another one.',
    query: Type.Object({ received_at: Type.Optional(TimestampInput) }),
    responses: {
      200: {
        description: 'The request.',
        schema: RequestDetails,
        example: {
          ...exampleRequest,
          errors: [{ pointer: '/items', code: 'required', message: 'is required' }],
          request_body: { text: '{"status":"READY_FOR_PICKUP"}', bytes: 29, truncated: false },
          response_body: null,
        },
      },
    },
    errors: ['request_not_found'],
  }),
};
