import type { IncomingHttpHeaders } from 'node:http';
import type { Links } from '../config.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { hasOriginHeaders, isSameOrigin } from './rules/session-cookie.ts';

export type OwnOrigin = Pick<Links, 'origin'>;

/** Sessions work only on our own pages, but a browser can send the cookie with requests from other pages too. */
export function rejectCrossOrigin(headers: IncomingHttpHeaders, links: OwnOrigin): void {
  if (isSameOrigin(headers, links.origin)) return;
  const { origin } = links;
  const detail = hasOriginHeaders(headers)
    ? `Requests from pages on other origins are rejected: Origin must be ${origin}, and Sec-Fetch-Site, if sent, must be same-origin.`
    : `A request with a session cookie must have the header Origin: ${origin}, which browsers send from our pages. Alternatively, send a token in Authorization.`;
  throw new Failure('forbidden', detail);
}
