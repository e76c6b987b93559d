import type { IncomingHttpHeaders } from 'node:http';

/** A browser accepts the second name only with `Secure`, for this host and all of its paths. */
const plainName = 'aisle_session';
const secureName = '__Host-aisle_session';

/** The session token of the request; undefined if it has none. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  const named = (name: string) => pairs.find(([key]) => key === name)?.[1];
  return named(secureName) ?? named(plainName);
}

/** The Set-Cookie header that stores the session in the browser for `seconds`, or deletes it (0). */
export function sessionCookie(value: string, seconds: number, isSecure: boolean): string {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])];
  return [`${isSecure ? secureName : plainName}=${value}`, ...attributes].join('; ');
}

/** TLS is optional only on this machine: both the server's own URL and the host of the request must be loopback. */
export function needsSecureCookie(ownOrigin: string, host: string | undefined): boolean {
  const requested = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  return !isLoopback(new URL(ownOrigin).hostname) || !isLoopback(requested);
}

/**
 * Whether the request comes from one of our own pages. Browsers send one or both headers with every request that changes
 * something; a request without them does not come from a browser, or from one too old to be protected.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  return origin === ownOrigin || (URL.canParse(origin) && new URL(origin).host === host);
}

/** Whether the request has an origin header, and so comes from a browser. */
export function hasOriginHeaders(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
