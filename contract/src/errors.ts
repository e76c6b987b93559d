/** Every failure the API can answer with. The code is stable; title and advice become the documentation. */
export const errors = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    advice: 'Mend the fields named in `errors` and send the request again.',
  },
  invalid_cart_update: {
    status: 400,
    title: 'The cart is not valid',
    advice: 'Mend the items named in `errors`; nothing was changed. UPDATE_CART tries a cart without storing it.',
  },
  item_not_found: {
    status: 400,
    title: 'The vendor does not have such an item',
    advice: "Use a SKU of the vendor's catalog, active or not, for additions and replacements.",
  },
  vendor_closed: {
    status: 400,
    title: 'The store is closed',
    advice: 'Try again when the store is open; `closed_until` says when, if that is known.',
  },
  invalid_token: {
    status: 401,
    title: 'The token is missing, unknown, expired or revoked',
    advice: 'Send `Authorization: Bearer <token>` with a live token; refresh an access token at `/v2/oauth/token`.',
  },
  invalid_client: {
    status: 401,
    title: 'The client id or the client secret is wrong',
    advice: 'Check both, or create new client credentials.',
  },
  invalid_credentials: {
    status: 401,
    title: 'The email or the password is wrong',
    advice: 'Check both; an owner of the chain can give you a new password.',
  },
  forbidden: {
    status: 403,
    title: 'The caller may not do this',
    advice:
      'Use a token with the scope named in `detail`, not limited to other vendors; with a cookie, send the `Origin` it names.',
  },
  route_not_found: {
    status: 404,
    title: 'There is nothing at this address',
    advice: 'Compare the path with the reference at `/docs`.',
  },
  chain_not_found: {
    status: 404,
    title: 'There is no such chain',
    advice: 'Use the chain id the token belongs to.',
  },
  vendor_not_found: {
    status: 404,
    title: 'There is no such vendor',
    advice: 'Use a platform id or an external id of a vendor of this chain.',
  },
  product_not_found: {
    status: 404,
    title: 'There is no such product at this vendor',
    advice: 'Create the product first, or check the SKU.',
  },
  job_not_found: {
    status: 404,
    title: 'There is no such job',
    advice: 'Use the job_id of the answer that created the job; jobs are kept for 30 days.',
  },
  promotion_not_found: {
    status: 404,
    title: 'There is no such promotion',
    advice: 'Use a promotion_id of the list of promotions, or of the job that made it.',
  },
  token_not_found: { status: 404, title: 'There is no such token', advice: 'List the tokens of the chain.' },
  client_not_found: { status: 404, title: 'There is no such client', advice: 'List the clients of the chain.' },
  user_not_found: { status: 404, title: 'There is no such user', advice: 'List the users of the chain.' },
  order_not_found: {
    status: 404,
    title: 'There is no such order',
    advice: 'Check the order_id; orders older than 60 days are not available.',
  },
  webhook_not_found: {
    status: 404,
    title: 'No webhook is configured here',
    advice: 'Set one with PUT; a vendor without its own uses the one of the chain.',
  },
  delivery_not_found: {
    status: 404,
    title: 'There is no such delivery',
    advice: 'List the deliveries of the chain; they are kept for 30 days.',
  },
  file_not_found: {
    status: 404,
    title: 'This job has no file',
    advice: 'Wait until the job is COMPLETED; a job that gave up before its first item has none.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not take this method',
    advice: 'Use one of the methods in the `Allow` header.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'A request with this idempotency key is still running',
    advice: 'Wait a moment and send the same request again.',
  },
  order_state_conflict: {
    status: 409,
    title: 'The order is not in a status that allows this',
    advice: 'Read `order_status` (what it is now) and `allowed` (what may be sent now).',
  },
  outlet_closed_by_platform: {
    status: 409,
    title: 'The platform has closed the store',
    advice: 'Ask the platform; only it can open the store again.',
  },
  test_order_unavailable: {
    status: 409,
    title: 'The store cannot be sent test orders yet',
    advice:
      'Set up what `missing` names: `integration_type` and `integration_enabled` in the store settings, `webhook`.',
  },
  sandbox_unavailable: {
    status: 409,
    title: 'The store is no test store',
    advice: 'Play customer and rider at a store whose setting `test` is on; the operator sets it.',
  },
  external_id_taken: {
    status: 409,
    title: 'Another vendor of the chain answers to this id',
    advice: 'Choose an external id that no vendor of the chain has as external id or platform id.',
  },
  token_limit_reached: {
    status: 409,
    title: 'The chain has as many live API tokens as it may have',
    advice: 'Revoke one that is no longer needed.',
  },
  email_taken: {
    status: 409,
    title: 'Somebody already signs in with this email',
    advice: 'Use another email; it may belong to another chain.',
  },
  last_owner: {
    status: 409,
    title: 'The chain would be left without an owner',
    advice: 'Make somebody else an owner first.',
  },
  webhook_disabled: {
    status: 409,
    title: 'The webhook is switched off',
    advice: 'Enable it first; `disabled_reason` of the webhook says why it is off.',
  },
  download_expired: {
    status: 410,
    title: 'The file is no longer kept',
    advice: 'Run the job again; files are kept for the time named in `/v2/limits`.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed since it was read',
    advice: 'Read it again and send the new ETag in `If-Match`.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: 'Split the request; `limit_bytes` says how large a body may be once unpacked.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The content type is not understood here',
    advice: 'Send `Content-Type: application/json`, plain or with `Content-Encoding: gzip`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used with another body',
    advice: 'Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait the seconds of `Retry-After`; the `RateLimit` header shows what is left.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    advice: 'Send the request again; if it keeps failing, report the request id in `instance`.',
  },
  secret_key_missing: {
    status: 503,
    title: 'The service has no key to keep secrets with',
    advice: 'The operator must set AISLE_SECRET_KEY; until then webhooks cannot be set.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service cannot do this just now',
    advice: 'Send the request again after the seconds of `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; title: string; advice: string }>;

export type ErrorCode = keyof typeof errors;
