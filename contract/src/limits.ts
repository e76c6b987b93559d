import Type from 'typebox';
import { rateLimits, route } from './route.ts';

export const Limits = Type.Object({
  page_size_default: Type.Integer(),
  page_size_maximum: Type.Integer(),
  catalog_items_per_request: Type.Integer(),
  catalog_bytes_per_request: Type.Integer(),
  creation_offers_per_request: Type.Integer(),
  orders_readable_days: Type.Integer(),
  order_range_days: Type.Integer(),
  promotion_pairs_per_request: Type.Integer(),
  download_days: Type.Integer(),
  api_tokens_per_chain: Type.Integer(),
  access_token_seconds: Type.Integer(),
  session_hours: Type.Integer(),
  idempotency_hours: Type.Integer(),
  event_days: Type.Integer(),
  attempt_days: Type.Integer(),
  request_days: Type.Integer(),
  rate_limits_per_minute: Type.Record(Type.String(), Type.Integer()),
});

export const exampleLimits = {
  page_size_default: 20,
  page_size_maximum: 500,
  catalog_items_per_request: 200_000,
  catalog_bytes_per_request: 67_108_864,
  creation_offers_per_request: 2_000_000,
  orders_readable_days: 60,
  order_range_days: 60,
  promotion_pairs_per_request: 2_000_000,
  download_days: 7,
  api_tokens_per_chain: 11,
  access_token_seconds: 7200,
  session_hours: 12,
  idempotency_hours: 24,
  event_days: 30,
  attempt_days: 30,
  request_days: 7,
  rate_limits_per_minute: rateLimits,
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
