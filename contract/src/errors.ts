import { notFoundErrors } from './not-found-errors.ts';

/** Every error code the API can return. Codes are stable; title and advice are published in the documentation. */
export const errors = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    advice: 'Fix the fields listed in `errors` and send the request again.',
  },
  invalid_cart_update: {
    status: 400,
    title: 'Invalid cart',
    advice:
      'Fix the items listed in `errors`; nothing was changed. Use UPDATE_CART to validate a cart without storing it.',
  },
  item_not_found: {
    status: 400,
    title: "Item not found in the vendor's catalog",
    advice: "Additions and replacements must use a SKU from the vendor's catalog (inactive products are allowed).",
  },
  vendor_closed: {
    status: 400,
    title: 'The store is closed',
    advice:
      'Try again when the store is open. `outlet_status` is its status, and `closed_until` says when it reopens, if known.',
  },
  invalid_token: {
    status: 401,
    title: 'Missing or invalid token',
    advice:
      'Send `Authorization: Bearer <token>` with a token that has not expired or been revoked. Get a new access token from `/v2/oauth/token`.',
  },
  invalid_client: {
    status: 401,
    title: 'Invalid client credentials',
    advice: 'Check the client id and the client secret, or create new client credentials.',
  },
  invalid_scope: {
    status: 400,
    title: 'Invalid scope',
    advice: 'Request only scopes that the client has, separated by spaces, or omit `scope` to get all of them.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Wrong email or password',
    advice: 'Check both. An owner of the chain can reset your password.',
  },
  second_factor_required: {
    status: 401,
    title: 'A code is required',
    advice: 'The password is correct. Send the same request again with the `code` that your authenticator app shows.',
  },
  invalid_code: {
    status: 401,
    title: 'Wrong code',
    advice:
      "Wait for the next code in the authenticator app, and check that the device's clock is correct. A code works only once. You can use a recovery code instead.",
  },
  forbidden: {
    status: 403,
    title: 'Permission denied',
    advice:
      'Use a token that has the scope named in `detail` and access to the vendor. With a session cookie, send the `Origin` named in `detail`.',
  },
  invalid_signature: {
    status: 403,
    title: 'Invalid or expired link',
    advice: 'Read the job again to get a new `download_url`, which works for 15 minutes, or send a token.',
  },
  ...notFoundErrors,
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    advice: 'Use one of the methods in the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request was not received in time',
    advice: 'Send the request again over a new connection, at 64 KiB per 10 s or faster.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'A request with this idempotency key is in progress',
    advice: 'Wait a moment and send the same request again.',
  },
  order_state_conflict: {
    status: 409,
    title: "Not allowed in the order's current status",
    advice: '`order_status` is the current status; `allowed` lists the statuses you can send now.',
  },
  order_claimed: {
    status: 409,
    title: 'Another picker has claimed the order',
    advice:
      '`pickers` contains the names. Ask them, then claim the order with `SHARE` or `TAKE_OVER`, or wait until the claim expires.',
  },
  order_changed: {
    status: 409,
    title: 'The order has changed, or can no longer be picked',
    advice:
      'Nothing was stored. `order_status`, `revision` and `changed_by` describe the current order. Read it again; if it is still RECEIVED, send the marks with the new revision.',
  },
  external_order_id_taken: {
    status: 409,
    title: 'The chain already has an order with this external id',
    advice:
      '`order_id` identifies the existing order, if the caller can access its store. Use a different `external_order_id` for a new order. To repeat a request safely, send an `Idempotency-Key`.',
  },
  job_state_conflict: {
    status: 409,
    title: "Not possible in the job's current state",
    advice: '`detail` says why. Read the job to see its type and status.',
  },
  outlet_closed_by_platform: {
    status: 409,
    title: 'The store was closed by the platform',
    advice: 'Contact the platform; only the platform can reopen the store.',
  },
  test_order_unavailable: {
    status: 409,
    title: 'The store is not set up for test orders',
    advice:
      'Set up what is listed in `missing`: `integration_type` and `integration_enabled` in the store settings, the `webhook`, or, for a certification, three `products` with a price that are sold by the unit.',
  },
  certification_running: {
    status: 409,
    title: 'A certification of this store is running',
    advice: 'Wait until the certification `certification_id` has finished, or stop it.',
  },
  sandbox_unavailable: {
    status: 409,
    title: 'Not a test store',
    advice: 'Use a store that has the setting `test` enabled. Only the operator can enable it.',
  },
  external_id_taken: {
    status: 409,
    title: 'The external id is already in use',
    advice: 'Use an external id that is not the external id or platform id of another vendor of the chain.',
  },
  unfinished_limit_reached: {
    status: 409,
    title: "The chain's unfinished files are too large",
    advice: 'Finish or delete unfinished uploads, or wait until they expire.',
  },
  storage_limit_reached: {
    status: 409,
    title: 'The chain has reached its maximum size of stored jobs, files and promotions',
    advice:
      'Wait until jobs, files and promotions expire, or ask the operator to raise the limit. Updates of a single product, orders and reads still work. `/v2/limits` shows the limit and how long files are kept.',
  },
  token_limit_reached: {
    status: 409,
    title: 'The chain has reached its maximum number of API tokens',
    advice: 'Revoke a token that is no longer needed.',
  },
  client_limit_reached: {
    status: 409,
    title: 'The chain has reached its maximum number of clients',
    advice: 'Delete a client that is no longer needed.',
  },
  sftp_user_limit_reached: {
    status: 409,
    title: 'The chain has reached its maximum number of SFTP users',
    advice: 'Delete an SFTP user that is no longer needed.',
  },
  webhook_limit_reached: {
    status: 409,
    title: 'The platform has reached its maximum number of webhooks',
    advice: 'Delete a webhook that is no longer needed.',
  },
  public_key_limit_reached: {
    status: 409,
    title: 'The SFTP user has reached its maximum number of public keys',
    advice: 'Remove a key that is no longer needed.',
  },
  approval_not_required: {
    status: 409,
    title: 'The customer does not have to be asked',
    advice: 'The order does not have `replacement_policy` ASK. Replace the item in the PUT.',
  },
  approval_state_conflict: {
    status: 409,
    title: 'The question about the replacement does not allow this',
    advice:
      'Read the order: `approval_state` is the state of the item now. Only a proposal that is PROPOSED can be decided.',
  },
  replacement_not_approved: {
    status: 409,
    title: 'The customer has not approved the replacement',
    advice:
      'Propose the replacement and wait for `order.replacement_decided`, or send the item as NOT_FOUND. `approval_state` is the state of the item.',
  },
  email_taken: {
    status: 409,
    title: 'The email address is already in use',
    advice: 'Another user of this chain has this email address. Use a different one, or update that user.',
  },
  several_accounts: {
    status: 409,
    title: 'Users of several chains have this email address and password',
    advice: 'Sign in again with the `chain_id` of one of the `chains` in the response.',
  },
  second_factor_enabled: {
    status: 409,
    title: 'The second factor is already turned on',
    advice: 'To use another device, turn the second factor off and set it up again.',
  },
  second_factor_disabled: {
    status: 409,
    title: 'The second factor is off',
    advice: 'Set it up first with `POST /v2/portal/second-factor`.',
  },
  last_owner: {
    status: 409,
    title: 'A chain needs at least one owner',
    advice: 'Make another user an owner first.',
  },
  webhook_disabled: {
    status: 409,
    title: 'The webhook is disabled',
    advice: 'Enable it first. `disabled_reason` gives the reason.',
  },
  download_expired: {
    status: 410,
    title: 'The file has expired',
    advice: 'Run the job again. `/v2/limits` shows how long files are kept.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed since you read it',
    advice: '`revision` is the current revision of the order. Read it again and send the new ETag in `If-Match`.',
  },
  payload_too_large: {
    status: 413,
    title: 'The request body is too large',
    advice: 'Split the request. `limit_bytes` is the maximum size of the decompressed body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported content type or encoding',
    advice: 'Send `Content-Type: application/json`, either uncompressed or with `Content-Encoding: gzip`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used with a different query or body',
    advice: 'Use a new key for every new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    advice:
      'Wait for the time given in `Retry-After`. The `RateLimit` header shows the remaining requests, and `detail` says which limit was reached.',
  },
  internal_error: {
    status: 500,
    title: 'Internal server error',
    advice: 'Send the request again. If it keeps failing, report the request id in `instance`.',
  },
  secret_key_missing: {
    status: 503,
    title: 'Encryption key not configured',
    advice:
      'The operator must set AISLE_SECRET_KEY. Until then, webhooks and second factors cannot be set up, and only recovery codes work as a second factor.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service temporarily unavailable',
    advice: 'Wait for the time given in `Retry-After`, then send the request again.',
  },
} as const satisfies Record<string, { status: number; title: string; advice: string }>;

export type ErrorCode = keyof typeof errors;

/** Error codes whose OAuth `error` (RFC 6749, section 5.2) is neither `invalid_request` nor `server_error`. */
export const oauthErrors: { [Code in ErrorCode]?: string } = {
  invalid_client: 'invalid_client',
  invalid_scope: 'invalid_scope',
  rate_limited: 'temporarily_unavailable',
  service_unavailable: 'temporarily_unavailable',
};
