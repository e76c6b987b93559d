import Type from 'typebox';
import { chainRateLimitClasses, rateLimits, route } from './route.ts';

export const Limits = Type.Object(
  {
    page_size_default: Type.Integer({ description: 'The number of items per page if `page_size` is not sent.' }),
    page_size_maximum: Type.Integer({ description: 'The maximum `page_size`.' }),
    catalog_items_per_request: Type.Integer({ description: 'The maximum number of items in a catalog update.' }),
    catalog_bytes_per_request: Type.Integer({
      description: 'The maximum size of the decompressed body of a catalog request, in bytes.',
    }),
    file_bytes: Type.Integer({ description: 'The maximum size of an uploaded file, in bytes.' }),
    creation_offers_per_request: Type.Integer({
      description: 'The maximum number of product and store pairs in a product creation request.',
    }),
    orders_readable_days: Type.Integer({ description: 'How long orders remain available.' }),
    order_range_days: Type.Integer({ description: 'The longest time range for listing orders.' }),
    promotion_pairs_per_request: Type.Integer({
      description: 'The maximum number of SKU and store pairs in a promotion request.',
    }),
    download_days: Type.Integer({ description: 'How long result files remain available for download.' }),
    api_tokens_per_chain: Type.Integer({
      description: 'The maximum number of API tokens that have not expired or been revoked.',
    }),
    products_per_chain: Type.Integer({ description: 'The maximum number of products.' }),
    offers_per_chain: Type.Integer({
      description: 'The maximum number of offers: each product counts once for each store that has it.',
    }),
    job_bytes_per_chain: Type.Integer({
      description:
        "The maximum size of what is stored for a chain's jobs: requests, uploaded files, result files, changes and promotions, in bytes.",
    }),
    clients_per_chain: Type.Integer({ description: 'The maximum number of OAuth clients.' }),
    access_token_seconds: Type.Integer({ description: 'The lifetime of an access token.' }),
    session_hours: Type.Integer({ description: 'The lifetime of a portal session.' }),
    session_idle_minutes: Type.Integer({
      description: 'A portal session ends if it is not used for this long.',
    }),
    idempotency_hours: Type.Integer({ description: 'How long idempotency keys are stored.' }),
    event_days: Type.Integer({ description: 'How long events remain available.' }),
    attempt_days: Type.Integer({ description: 'How long webhook deliveries and their attempts remain available.' }),
    request_days: Type.Integer({ description: 'How long the request log is kept.' }),
    rate_limits_per_minute: Type.Record(Type.String(), Type.Integer(), {
      description:
        'The maximum number of requests per minute for each token, by rate limit class. `token` applies to each client, `sign_in` to each user and IP address, and `anonymous` to requests without valid credentials from each IP address.',
    }),
    chain_rate_limits_per_minute: Type.Record(Type.String(), Type.Integer(), {
      description:
        "The maximum number of requests per minute for all of a chain's tokens and clients together, by rate limit class. The chain's portal users share a separate limit of the same size.",
    }),
  },
  { description: 'The limits of this installation, as the operator configured them.' },
);

export const exampleLimits = {
  page_size_default: 20,
  page_size_maximum: 500,
  catalog_items_per_request: 200_000,
  catalog_bytes_per_request: 67_108_864,
  file_bytes: 2_147_483_648,
  creation_offers_per_request: 2_000_000,
  orders_readable_days: 60,
  order_range_days: 60,
  promotion_pairs_per_request: 2_000_000,
  download_days: 7,
  api_tokens_per_chain: 11,
  products_per_chain: 500_000,
  offers_per_chain: 100_000_000,
  job_bytes_per_chain: 107_374_182_400,
  clients_per_chain: 20,
  access_token_seconds: 7200,
  session_hours: 12,
  session_idle_minutes: 240,
  idempotency_hours: 24,
  event_days: 30,
  attempt_days: 30,
  request_days: 7,
  rate_limits_per_minute: rateLimits,
  chain_rate_limits_per_minute: Object.fromEntries(chainRateLimitClasses.map((name) => [name, 3 * rateLimits[name]])),
};

export const getLimits = route({
  method: 'GET',
  path: '/v2/limits',
  api: 'partner',
  tag: 'Authentication',
  summary: 'Get the limits of this installation',
  access: 'public',
  rateLimit: 'read',
  responses: { 200: { description: 'All limits as configured.', schema: Limits, example: exampleLimits } },
  errors: [],
});
