import type { Route } from '@aisle/contract/route';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../failures/failure.ts';
import { routeNotFound, shownPath } from './server.ts';

/** Responds with 405 if the path does not support the method, and with 404 if the path is unknown. */
export function rejectUnknownRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  const patterns = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));
  // This is a hook, so that the response is sent before the body is read.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    reply.headers(app.unrouted);
    const path = request.url.split('?')[0] ?? '';
    const known = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method);
    if (known.length === 0) throw routeNotFound(request);
    const allow = (known.includes('GET') ? [...known, 'HEAD'] : known).join(', ');
    const detail = `${request.method} is not allowed on ${shownPath(request)}; allowed methods: ${allow}.`;
    throw new Failure('method_not_allowed', detail, { headers: { allow } });
  });
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
