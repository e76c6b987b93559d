import type { FastifyInstance } from 'fastify';
import { routeNotFound } from './server.ts';

/**
 * Responds with 404 if the start of the path is not written as in its route. The router decodes a path before it compares
 * it, so that `/%6detrics` would be `/metrics`, but a proxy that hides `/metrics` from the public may not.
 */
export function rejectEncodedPaths(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    // The part before the first parameter never has to be encoded. If no route matches, nothing is compared.
    const [prefix = ''] = /^[^:*]*/.exec(request.routeOptions.url ?? '') ?? [];
    if (!originForm(request.url).startsWith(prefix)) throw routeNotFound(request);
  });
}

/** Clients of a forward proxy send a whole URL. */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
}
