import type { IncomingHttpHeaders } from 'node:http';

/** A browser takes the second name only with `Secure`, for this host alone and the whole of it. */
const plainName = 'aisle_session';
const secureName = '__Host-aisle_session';

/** The session of the request, undefined without one. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  const named = (name: string) => pairs.find(([key]) => key === name)?.[1];
  return named(secureName) ?? named(plainName);
}

/** The header that gives a browser its session for these seconds, or takes it away (0). */
export function sessionCookie(value: string, seconds: number, isSecure: boolean): string {
  const rules = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])];
  return [`${isSecure ? secureName : plainName}=${value}`, ...rules].join('; ');
}

/** Only a server that is reached as this machine itself, by its own account and by the request's, does without TLS. */
export function needsSecureCookie(publicUrl: string, host: string | undefined): boolean {
  const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  return !isLoopback(new URL(publicUrl).hostname) || !isLoopback(asked);
}

/**
 * Whether a page of ours sent it. Browsers say so with every request that changes something, in one header or both; a
 * request that says nothing comes from no browser, or from one too old to be protected.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  return origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === host);
}

/** Whether the request says anything about the page that sent it: one that does comes from a browser. */
export function hasOriginHeaders(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
