import type { FastifyReply, FastifyRequest } from 'fastify';
import { maxReported } from '../bodies/known-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The names of parameters and fields in the request that the route does not declare. */
    ignored?: { parameters?: readonly string[]; fields?: readonly string[] };
  }
}

/** The names of query parameters that the route does not declare. */
export function findUnknownParameters(known: ReadonlySet<string>, query: unknown): string[] {
  const unknown: string[] = [];
  for (const name in query as Record<string, unknown>) {
    if (!known.has(name) && name !== '' && unknown.length < maxReported) unknown.push(name);
  }
  return unknown;
}

/** Unknown names are ignored, but listed in a response header, so that a typo does not go unnoticed. */
export function reportIgnored(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: 'parameters' | 'fields',
  names: readonly string[],
): void {
  if (names.length === 0) return;
  request.ignored = { ...request.ignored, [kind]: names };
  reply.header(`aisle-ignored-${kind}`, headerValue(names));
}

/** Clients and proxies limit the total size of the headers, often to 8 KiB. */
const maxValueLength = 1000;
const maxNameLength = 64;

/** Percent-encoded, because a name can contain anything, including commas and line breaks. */
export function headerValue(names: readonly string[]): string {
  let value = '';
  for (const name of names) {
    const encoded = encodeURIComponent(name.slice(0, maxNameLength).toWellFormed()).replace(
      /%5B|%5D/g,
      decodeURIComponent,
    );
    if (value.length + encoded.length > maxValueLength) break;
    value += value === '' ? encoded : `, ${encoded}`;
  }
  return value;
}
