import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../../kernel/values/loopback.ts';
import type { Site } from './platform.ts';

/** The console has its own cookie, so that a person can be signed in to both. */
const names: Record<Site, string> = { portal: 'aisle_session', console: 'aisle_console' };

/**
 * The session token in the Cookie header, or undefined if there is none. If the site requires TLS, only the name with the
 * prefix is read, because a page on a neighboring domain or without TLS can set a cookie with the other one.
 */
export function readSessionCookie(header: string | undefined, isSecure: boolean, site: Site): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  const name = nameOf(site, isSecure);
  return pairs.find(([key]) => key === name)?.[1];
}

/** The Set-Cookie header that stores the session in the browser for `seconds`, or deletes it if `seconds` is 0. */
export function sessionCookie(value: string, seconds: number, isSecure: boolean, site: Site): string {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])];
  return [`${nameOf(site, isSecure)}=${value}`, ...attributes].join('; ');
}

/** TLS is optional only if both the server's own URL and the request's Host header are loopback addresses. */
export function needsSecureCookie(ownOrigin: string, host: string | undefined): boolean {
  const requested = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  return !isLoopback(new URL(ownOrigin).hostname) || !isLoopback(requested);
}

/**
 * Whether the request comes from one of our own pages. Browsers send Origin or Sec-Fetch-Site with every request that
 * changes something. A request with neither header does not come from a browser, or comes from one too old to be
 * protected.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  if (origin === ownOrigin) return true;
  const page = URL.parse(origin);
  if (page === null || page.host !== host) return false;
  return page.protocol === 'https:' || !ownOrigin.startsWith('https:');
}

/** Whether the request has an origin header, and so comes from a browser. */
export function hasOriginHeaders(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Browsers accept a cookie with the prefix only with `Secure`, without `Domain` and with the path `/`. */
function nameOf(site: Site, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}${names[site]}`;
}
