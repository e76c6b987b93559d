import type { ResponseHeader, Route } from '../route.ts';

/** Every response header the API sends, as components. */
export const headerComponents = {
  RequestId: text(
    'The id of the request: yours, if you sent one, else a new one.',
    '0192f0c1-7d1e-7a55-9c3b-5f0a1b2c3d4e',
  ),
  RateLimitPolicy: text(
    'The limit of this class of requests (draft-ietf-httpapi-ratelimit-headers-10): `q` requests in `w` seconds.',
    '"read";q=600;w=60',
  ),
  RateLimit: text(
    'The remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests, reset in `t` seconds.',
    '"read";r=599;t=42',
  ),
  IgnoredParameters: text(
    'The query parameters that the route does not know and ignored, percent-encoded: at most 20. Absent if there are none.',
    'vendorid',
  ),
  IgnoredFields: text(
    'The fields of the body that the route does not know and ignored, percent-encoded: at most 20. Absent if there are none.',
    'items[].prise, note',
  ),
  RetryAfter: text('Seconds to wait before the next attempt.', '5'),
  WwwAuthenticate: text('The scheme to authenticate with (RFC 9110).', 'Bearer'),
  ETag: text('The revision of the resource, for `If-Match`.', '"3"'),
  Link: text('The next and the previous page (RFC 8288).', '</v2/…?page=2>; rel="next"'),
  XTotalCount: text('The number of items on all pages.', '120'),
  ContentDisposition: text('The file name of the download.', 'attachment; filename="catalog.csv"'),
  SetCookie: text('The session cookie of the portal.', 'aisle_session=…; Path=/; HttpOnly; SameSite=Strict'),
  CacheControl: text('Responses with a secret must not be stored.', 'no-store'),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1767225600'),
  Sunset: text('When the operation will be removed (RFC 8594).', 'Thu, 31 Dec 2026 23:59:59 GMT'),
} as const;

const componentOf: Record<ResponseHeader, keyof typeof headerComponents> = {
  etag: 'ETag',
  link: 'Link',
  'x-total-count': 'XTotalCount',
  'content-disposition': 'ContentDisposition',
  'set-cookie': 'SetCookie',
};

/** The headers of a response: those of every response, and its own. */
export function responseHeaders(route: Route, own: readonly ResponseHeader[] = []): Record<string, unknown> {
  return {
    ...sharedHeaders(),
    ...(route.body?.form === 'urlencoded' && { 'cache-control': header('CacheControl') }),
    ...(route.deprecated && { deprecation: header('Deprecation'), sunset: header('Sunset') }),
    ...Object.fromEntries(own.map((name) => [name, header(componentOf[name])])),
  };
}

/** Those of every response, failures included. */
export function sharedHeaders(): Record<string, unknown> {
  return {
    'x-request-id': header('RequestId'),
    ratelimit: header('RateLimit'),
    'ratelimit-policy': header('RateLimitPolicy'),
    'aisle-ignored-parameters': header('IgnoredParameters'),
    'aisle-ignored-fields': header('IgnoredFields'),
  };
}

export function header(name: keyof typeof headerComponents) {
  return { $ref: `#/components/headers/${name}` };
}

function text(description: string, example: string) {
  return { description, schema: { type: 'string' }, example };
}
