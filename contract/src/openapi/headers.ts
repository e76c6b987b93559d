import { hasSecrets, isKeyed, type ResponseHeader, type Route, type RouteResponse } from '../route.ts';

/** Every response header the API sends, as components. */
export const headerComponents = {
  RequestId: text(
    'The request id. It is the one you sent, or a new one if you sent none.',
    '0192f0c1-7d1e-7a55-9c3b-5f0a1b2c3d4e',
  ),
  RateLimitPolicy: text(
    'The rate limit for this class of requests (draft-ietf-httpapi-ratelimit-headers-10): `q` requests in `w` seconds. If fewer requests remain for the whole chain than for the token, this is the limit of the chain, such as `"read_chain"`.',
    '"read";q=600;w=60',
  ),
  RateLimit: text(
    'The remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests, reset in `t` seconds.',
    '"read";r=599;t=42',
  ),
  IgnoredParameters: text(
    'Unknown query parameters that were ignored, percent-encoded, at most 20. Absent if there are none.',
    'vendorid',
  ),
  IgnoredFields: text(
    'Unknown body fields that were ignored, percent-encoded, at most 20. Absent if there are none.',
    'items[].prise, note',
  ),
  RetryAfter: text('The number of seconds to wait before the next attempt.', '5'),
  WwwAuthenticate: text('The scheme to authenticate with (RFC 9110).', 'Bearer'),
  ETag: text(
    'Identifies this state of the resource, for `If-None-Match`, and for `If-Match` on orders. The strong tag of a compressed response includes the encoding, such as `"3-gzip"`; send it back unchanged. Lists larger than 4 MiB have none.',
    '"3"',
  ),
  Vary: text('The request headers that the response depends on.', 'accept-encoding'),
  ContentEncoding: text(
    'How the response is compressed. Absent if it is not. Text larger than 1 KiB is compressed if the client accepts it.',
    'gzip',
  ),
  Link: text('Links to the next and previous pages (RFC 8288).', '</v2/…?page=2>; rel="next"'),
  XTotalCount: text('The number of items on all pages.', '120'),
  ContentDisposition: text('The file name of the download.', 'attachment; filename="catalog.csv"'),
  SetCookie: text('The portal session cookie.', 'aisle_session=…; Path=/; HttpOnly; SameSite=Strict'),
  Location: text(
    'The URL of the job or file that was created.',
    'http://127.0.0.1:8080/v2/chains/2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11/catalog/jobs/0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01',
  ),
  PreferenceApplied: text('`respond-async`, if the request asked for it (RFC 7240).', 'respond-async'),
  IdempotentReplayed: text(
    '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`; absent otherwise.',
    'true',
  ),
  CacheControl: text(
    'Whether the response can be stored: `no-store`, or `private, no-cache` with an `ETag`.',
    'no-store',
  ),
  Deprecation: text('When the operation was deprecated (RFC 9745).', '@1767225600'),
  Sunset: text('When the operation will be removed (RFC 8594).', 'Thu, 31 Dec 2026 23:59:59 GMT'),
} as const;

const componentOf: Record<ResponseHeader, keyof typeof headerComponents> = {
  etag: 'ETag',
  link: 'Link',
  'x-total-count': 'XTotalCount',
  'content-disposition': 'ContentDisposition',
  'set-cookie': 'SetCookie',
  'cache-control': 'CacheControl',
  location: 'Location',
};

/** The headers of a response: the shared ones and its own. */
export function responseHeaders(route: Route, { headers: own = [], job }: RouteResponse): Record<string, unknown> {
  return {
    ...sharedHeaders(),
    ...(!hasSecrets(route) && encodingHeaders()),
    ...(route.deprecated && { deprecation: header('Deprecation'), sunset: header('Sunset') }),
    ...(isKeyed(route) && { 'idempotent-replayed': header('IdempotentReplayed') }),
    ...(job && { location: header('Location'), 'preference-applied': header('PreferenceApplied') }),
    ...Object.fromEntries(own.map((name) => [name, header(componentOf[name])])),
  };
}

/** The headers of a response that is compressed if the client accepts compression. */
export function encodingHeaders(): Record<string, unknown> {
  return { vary: header('Vary'), 'content-encoding': header('ContentEncoding') };
}

/** The headers of every response, including errors. */
export function sharedHeaders(): Record<string, unknown> {
  return {
    'x-request-id': header('RequestId'),
    ratelimit: header('RateLimit'),
    'ratelimit-policy': header('RateLimitPolicy'),
    'aisle-ignored-parameters': header('IgnoredParameters'),
    'aisle-ignored-fields': header('IgnoredFields'),
    'cache-control': header('CacheControl'),
  };
}

export function header(name: keyof typeof headerComponents) {
  return { $ref: `#/components/headers/${name}` };
}

function text(description: string, example: string) {
  return { description, schema: { type: 'string' }, example };
}
