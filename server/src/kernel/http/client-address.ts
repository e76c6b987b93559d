import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createMatcher, type Network, networkOf, normalizeAddress } from '../outbound/addresses.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's IP address. `request.ip` is that of the connection, which may belong to a proxy. */
    readonly address: string;
    /** The address by which requests are counted; see `networkOf`. */
    readonly network: string;
  }
}

/** Adds the client's address to each request. Headers are read only if a trusted proxy sent the request. */
export function resolveClientAddresses(app: FastifyInstance, trustedProxies: readonly Network[]): void {
  const isTrusted = createMatcher(trustedProxies);
  app.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return clientAddress(this.raw.socket.remoteAddress ?? '', this.headers, isTrusted);
    },
  });
  app.decorateRequest('network', {
    getter(this: FastifyRequest) {
      return networkOf(this.address);
    },
  });
}

type ForwardingHeaders = { 'x-forwarded-for'?: string | string[] | undefined; forwarded?: string | undefined };

/**
 * The right-most address that is not a trusted proxy. Everything to the left of it was sent by the client, which can
 * write anything there. A proxy that sets one of the two headers may pass on the other as the client sent it, so if they
 * disagree, neither is used.
 */
export function clientAddress(
  peer: string,
  headers: ForwardingHeaders,
  isTrusted: (address: string) => boolean,
): string {
  const nearest = normalizeAddress(peer);
  const { 'x-forwarded-for': list, forwarded } = headers;
  if ((list === undefined && forwarded === undefined) || !isTrusted(nearest)) return nearest;
  const found = [
    list === undefined ? undefined : nearestUntrusted(nearest, String(list).split(','), isTrusted),
    forwarded === undefined ? undefined : nearestUntrusted(nearest, forwardedFor(forwarded), isTrusted),
  ].filter((address) => address !== undefined);
  return new Set(found).size === 1 ? (found[0] ?? nearest) : nearest;
}

/** Stops at text that is not an address, such as `unknown`. The proxy that sent it is then the last known address. */
function nearestUntrusted(peer: string, hops: string[], isTrusted: (address: string) => boolean): string {
  let nearest = peer;
  for (const hop of hops.toReversed()) {
    const address = withoutPort(hop.trim());
    if (address === undefined) return nearest;
    nearest = address;
    if (!isTrusted(address)) return nearest;
  }
  return nearest;
}

/** The `for` parameters of a Forwarded header (RFC 7239). An element without one yields an empty string. */
function forwardedFor(header: string): string[] {
  return header.split(',').map((element) => /(?:^|;)\s*for\s*=\s*"?([^";,]*)/i.exec(element)?.[1] ?? '');
}

/** Accepts `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string | undefined {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : normalizeAddress(address);
}
