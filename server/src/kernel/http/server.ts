import { setTimeout as sleep } from 'node:timers/promises';
import SerializerSelector, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Failure } from '../failures/failure.ts';
import type { Log } from '../monitoring/log.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { redactSecrets } from '../monitoring/redact-secrets.ts';
import { newId } from '../values/ids.ts';
import { lazy, lazyFor } from '../values/lazy.ts';
import { compressResponses } from './compress.ts';
import {
  type ConnectionLimits,
  type Connections,
  endConnection,
  limitClient,
  limitPipelining,
  trackConnections,
} from './connections.ts';
import { deferContinue } from './continue.ts';
import { asFailure, lastResponse, oauthFailure, storedFailure } from './failure-response.ts';
import { type RequestObserver, observeRequests } from './finished-request.ts';
import { stopListening } from './listen-on.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers for responses to requests that match no route. */
    unrouted: Record<string, string>;
    connections: Connections;
  }
  interface FastifyContextConfig {
    isOauth: boolean;
  }
  interface FastifyRequest {
    /** Additional fields for the request's log entry. */
    logged?: Record<string, unknown>;
  }
}

/** Creates a server without routes, with request ids, security headers, RFC 9457 errors, a request log and metrics. */
export function createHttp(
  log: Log,
  metrics: Metrics,
  limits: ConnectionLimits,
  observe?: RequestObserver,
): FastifyInstance {
  const unrouted = {};
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: limits.requestMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: Math.ceil(limits.headersMs / 6) },
    schemaController: { compilersFactory: { buildSerializer: lazySerializers } },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    frameworkErrors: (error, request, reply) => {
      void sendFailure(request, reply.headers(unrouted), asFailure(error, log, request.id));
    },
    clientErrorHandler: ({ code }, socket) => {
      const failure = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? timedOut() : brokenRequest();
      if (!socket.writable || connections.isResponding(socket)) socket.destroy();
      else endConnection(socket, lastResponse(failure), limits.lingerMs);
    },
  });
  const connections = trackConnections(app.server);
  limitPipelining(app.server);
  deferContinue(app.server);
  app.decorate('connections', connections);
  app.decorate('furtherListeners', []);
  app.decorate('unrouted', unrouted);
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async (request, reply) => {
    limitClient(request.raw, reply.raw, limits);
    reply.headers({ 'x-request-id': request.id, ...securityHeaders });
  });
  // Registered before compression, so that the observer gets the response as text.
  if (observe) observeRequests(app, log, observe);
  compressResponses(app);
  app.addHook('onResponse', async (request, reply) => logRequest(log, metrics, request, reply));
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, asFailure(error, log, request.id)));
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, routeNotFound(request)));
  return app;
}

/**
 * Waits for the requests that are being handled, but not longer than the deadline. A client that does not finish its
 * request or does not read its response cannot delay the shutdown any further.
 */
export async function closeHttp(app: FastifyInstance, deadlineMs: number): Promise<void> {
  const sweep = setInterval(() => app.connections.closeUnused(), 50);
  const deadline = setTimeout(() => app.connections.closeAll(), deadlineMs);
  try {
    // Closing the server would do it, too, but before it stops listening.
    app.server.closeIdleConnections();
    await stopListening([app.server, ...app.furtherListeners]);
    // Does not wait for the connections, because the server has stopped listening.
    await app.close();
    while (!app.connections.isEmpty()) await sleep(20);
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}

export function routeNotFound(request: FastifyRequest): Failure {
  return new Failure('route_not_found', `There is no route ${request.method} ${shownPath(request)}.`);
}

/** The path as shown in messages: without the query, and truncated. */
export function shownPath({ url }: FastifyRequest): string {
  const path = url.split('?')[0] ?? '';
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}

/**
 * Compiles each response serializer on first use, so that the server starts faster. Several servers in one process, as
 * in tests, share the serializers, because no schema refers to another one.
 */
const lazySerializers: SerializerFactory = () => (route) => {
  const serialize = lazy(() => serializerOf(route.schema as object));
  return (document) => serialize()(document);
};

const compileSerializer = SerializerSelector()({}, {});
const serializerOf = lazyFor((schema: object) => compileSerializer({ schema, method: '', url: '', httpStatus: '' }));

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : newId();
}

/** The request was not received in time. */
function timedOut(): Failure {
  return new Failure('request_timeout', 'The request was not received completely in time.', closing);
}

/** For input that is not valid HTTP, which Fastify cannot respond to. */
function brokenRequest(): Failure {
  return new Failure('invalid_request', 'The request is not valid HTTP.', closing);
}

const closing = { headers: { connection: 'close' } };

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  const isOauth = request.routeOptions.config?.isOauth ?? false;
  const { status, headers, body } = (isOauth ? oauthFailure : storedFailure)(failure, request.id);
  request.logged = { ...request.logged, code: failure.code, detail: redactSecrets(failure.message) };
  // A response that fails before its first bytes are sent may already have these headers.
  for (const name of ['content-encoding', 'content-disposition', 'etag']) reply.removeHeader(name);
  return reply
    .code(status)
    .headers({ 'x-request-id': request.id, ...securityHeaders, ...headers })
    .serializer((text: unknown) => text as string)
    .send(body);
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
};

function logRequest(log: Log, metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown';
  metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
  log.info({
    event: 'request',
    request_id: request.id,
    method: request.method,
    route,
    path: redactSecrets(request.url.split('?')[0] ?? ''),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.address,
    ...request.logged,
  });
}
