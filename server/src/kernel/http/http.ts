import { Readable } from 'node:stream';
import type { InputError } from '@aisle/contract/common';
import { pathParameters } from '@aisle/contract/common';
import type { ResponseOf, BodyOf, PathParams, QueryOf, Route } from '@aisle/contract/route';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { BodyBudget, Room } from '../bodies/budget.ts';
import type { Database, Tx } from '../database/db.ts';
import { continueIfAsked, deferContinue } from './expectation.ts';
import { Failure, invalid } from '../failures/failure.ts';
import { asFailure, brokenRequestResponse, oauthFields, storedFailure } from './failure-response.ts';
import { hashBody, readKey, runOnce, type StoredResponse } from './idempotency.ts';
import { newId } from '../values/ids.ts';
import { type ListResponse, type Listed, listIn, writeList } from './list-response.ts';
import type { Log } from '../monitoring/log.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { type RateLimiter, rateLimitHeaders } from './rate-limit.ts';
import { isJson, isPacked, mediaType, parseForm, parseJson, readBody, tooLarge } from './request-body.ts';
import { bodyCheck, type Check, textCheck } from './validate.ts';

/** Who calls: whose rate limit and idempotency keys are used, and what the log line says. */
export type Caller = {
  subject: string;
  owner: string;
  /** What of the owner's it may reach: a stored answer is for callers with the same reach only. */
  reach: string;
  logged: Record<string, unknown>;
};

/** The two steps of admission, so that a caller is counted before it learns what exists. */
export type Gate<C extends Caller, Access> = {
  identify(route: Route, headers: FastifyRequest['headers']): Promise<C>;
  admit(caller: C, route: Route, params: Record<string, string>): Promise<Access>;
};

export type Call<R extends Route, Access> = {
  access: Access;
  params: PathParams<R['path']>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  headers: FastifyRequest['headers'];
  ip: string;
  db: Database;
  /** One transaction for the whole effect; with an idempotency key it is the one that also stores the answer. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Whether the answer is to be stored under an idempotency key, so that all must happen in `transaction`. */
  isKeyed: boolean;
  /** Counts against a limit that only the handler can name. */
  limit(subject: string): Promise<void>;
};

export type Handlers<Routes extends Record<string, Route>, Access> = {
  [Id in keyof Routes]: (call: Call<Routes[Id], Access>) => Promise<Listed<ResponseOf<Routes[Id]>>>;
};

export type HttpOptions<C extends Caller, Access> = {
  db: Database;
  log: Log;
  metrics: Metrics;
  limiter: RateLimiter;
  gate: Gate<C, Access>;
  bodies: BodyBudget;
  maxBytes(route: Route): number;
  /** Slow work on a body, done before a keyed request takes a connection; the handler then finds it done. */
  prepare(route: Route, call: { access: Access; headers: FastifyRequest['headers']; body: Buffer }): Promise<unknown>;
};

export function createHttp(log: Log, metrics: Metrics): FastifyInstance {
  const unrouted = {};
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 300_000,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    frameworkErrors: (error, request, reply) => {
      void sendFailure(request, reply.headers(unrouted), asFailure(error, log, request.id));
    },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(brokenRequestResponse());
    },
  });
  deferContinue(app.server);
  app.decorate('unrouted', unrouted);
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...securityHeaders });
  });
  app.addHook('onResponse', async (request, reply) => logRequest(log, metrics, request, reply));
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, asFailure(error, log, request.id)));
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, new Failure('route_not_found')));
  return app;
}

/** Makes every route of the contract answer; a path of the contract with another method is 405. */
export function serveRoutes<C extends Caller, Access>(
  app: FastifyInstance,
  options: HttpOptions<C, Access>,
  routes: Record<string, Route>,
  handlers: Record<string, (call: Call<Route, Access>) => Promise<unknown>>,
): void {
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { hasBody, maxBytes: limit } = request.routeOptions.config;
    // What nobody wants is let go by unread, whatever its form or size.
    if (!hasBody) return void payload.resume();
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > limit) throw tooLarge(limit);
    const packed = isPacked(request.headers['content-encoding']);
    const room = await options.bodies.take(length);
    request.room = room;
    continueIfAsked(request.raw);
    return readBody(payload, packed, limit, room).catch((error: unknown) => {
      room.free();
      throw error;
    });
  });
  for (const [id, route] of Object.entries(routes)) {
    const handler = handlers[id];
    if (!handler) throw new Error(`The route ${id} has no handler.`);
    serveRoute(app, options, route, handler);
  }
  const patterns = Object.values(routes).map((route) => ({ route, pattern: pathPattern(route.path) }));
  Object.assign(app.unrouted, rateLimitHeaders('read', options.limiter.whole('read')));
  // As a hook, so that it answers before the body is read.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    reply.headers(app.unrouted);
    const path = request.url.split('?')[0] ?? '';
    const known = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method);
    if (known.length === 0) throw new Failure('route_not_found');
    const allow = (known.includes('GET') ? [...known, 'HEAD'] : known).join(', ');
    throw new Failure('method_not_allowed', undefined, { headers: { allow } });
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of answers that no route gives. */
    unrouted: Record<string, string>;
  }
  interface FastifyContextConfig {
    maxBytes: number;
    hasBody: boolean;
    isOauth: boolean;
  }
  interface FastifyRequest {
    admission?: { caller: Caller; access: unknown };
    logged?: Record<string, unknown>;
    /** What its body takes of the memory for bodies. */
    room?: Room;
  }
}

function serveRoute<C extends Caller, Access>(
  app: FastifyInstance,
  options: HttpOptions<C, Access>,
  route: Route,
  handler: (call: Call<Route, Access>) => Promise<unknown>,
): void {
  const checks = checksOf(route);
  const list = listIn(route);
  app.route({
    method: route.method,
    url: route.path.replaceAll('{', ':').replaceAll('}', ''),
    config: {
      maxBytes: options.maxBytes(route),
      hasBody: route.body !== undefined,
      isOauth: route.body?.form === 'urlencoded',
    },
    schema: { response: responseSchemas(route) },
    validatorCompiler: () => () => true,
    onRequest: (request, reply) => admit(options, route, request, reply),
    handler: async (request, reply) => {
      const answering = responseRequest(options, { route, checks, list }, request, reply, handler);
      return reply.send(await answering.finally(() => request.room?.free()));
    },
  });
}

async function admit<C extends Caller, Access>(
  options: HttpOptions<C, Access>,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (route.deprecated) reply.headers({ deprecation: route.deprecated.since, sunset: route.deprecated.sunset });
  if (request.routeOptions.config.isOauth) reply.header('cache-control', 'no-store');
  // Where no body is wanted, a content type is no reason to refuse.
  if (!route.body && request.headers['content-type'] !== undefined) request.headers = { 'content-type': undefined };
  // Whoever is refused before it is counted learns the rule all the same.
  reply.headers(rateLimitHeaders(route.rateLimit, options.limiter.whole(route.rateLimit)));
  const caller = await options.gate.identify(route, request.headers);
  request.logged = caller.logged;
  // The token endpoint is counted by client id, which only its handler can read.
  if (route.rateLimit !== 'token') {
    const subject = route.access === 'public' ? request.ip : caller.subject;
    await countRequest(options.limiter, route, subject, reply);
  }
  const access = await options.gate.admit(caller, route, request.params as Record<string, string>);
  request.admission = { caller, access };
}

async function countRequest(limiter: RateLimiter, route: Route, subject: string, reply: FastifyReply): Promise<void> {
  const allowance = await limiter.take(subject, route.rateLimit);
  reply.headers(rateLimitHeaders(route.rateLimit, allowance));
  if (allowance.allowed) return;
  const seconds = String(allowance.resetSeconds);
  throw new Failure('rate_limited', `At most ${allowance.limit} requests a minute; try again in ${seconds} s.`, {
    headers: { 'retry-after': seconds },
  });
}

type Checks = { params: Check; query: Check | undefined; body: Check | undefined };

async function responseRequest<C extends Caller, Access>(
  options: HttpOptions<C, Access>,
  { route, checks, list }: { route: Route; checks: Checks; list: ListResponse | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
  handler: (call: Call<Route, Access>) => Promise<unknown>,
): Promise<unknown> {
  const { caller, access } = request.admission as { caller: C; access: Access };
  const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  const work = (tx: Tx | undefined) => {
    const body = readInput(route, checks, request, bytes);
    return handler({
      access,
      headers: request.headers,
      ip: request.ip,
      db: options.db,
      transaction: (inner) => (tx ? inner(tx) : options.db.transaction(inner)),
      isKeyed: tx !== undefined,
      limit: (subject) => countRequest(options.limiter, route, subject, reply),
      ...body,
    } as Call<Route, Access>) as Promise<HandlerResponse>;
  };
  const key = idempotencyKey(route, request);
  if (key === undefined) return responseText(options.log, request, reply, list, await work(undefined));

  const address = `${route.method} ${request.url.split('?')[0]} ${caller.reach}`;
  const keyed = { owner: caller.owner, request: address, key, bodyHash: await hashBody(bytes) };
  // What is wrong with the body is found again, and answered, inside.
  await options.prepare(route, { access, headers: request.headers, body: bytes }).catch(() => {});
  const { response, replayed } = await runOnce(
    options.db,
    keyed,
    async (tx) => storable(reply, await work(tx)),
    (failure) => storedFailure(failure, request.id),
  );
  request.logged = { ...request.logged, idempotency: replayed ? 'replayed' : 'stored' };
  reply.code(response.status).headers(response.headers);
  return response.body;
}

type HandlerResponse = { status: number; headers?: Record<string, string> } & (
  | { body: unknown }
  | { stream: AsyncIterable<Uint8Array> }
);

function responseText(
  log: Log,
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListResponse | undefined,
  response: HandlerResponse,
): unknown {
  reply.code(response.status).headers(response.headers ?? {});
  if ('stream' in response) return readableOf(response.stream, log, request);
  if (list === undefined) return response.body;
  const text = writeList(reply, list, response.body);
  reply.header('content-type', jsonType);
  if (typeof text === 'string') return text;
  // Its rows are in memory until the last slice is taken: whoever does not read is not waited for.
  reply.raw.setTimeout(idleReaderMs, () => reply.raw.destroy());
  return readableOf(text, log, request);
}

/** Once its head is sent, an answer that fails can only break off; why is for the log. */
function readableOf(parts: AsyncIterable<string | Uint8Array>, log: Log, request: FastifyRequest): Readable {
  const readable = Readable.from(parts, { highWaterMark: 1 });
  return readable.on('error', (error) => log.error({ event: 'request.failed', request_id: request.id, err: error }));
}

function storable(reply: FastifyReply, response: HandlerResponse): StoredResponse {
  if ('stream' in response) throw new Error('A download cannot be stored under an idempotency key.');
  const body = reply.serializeInput(response.body as Record<string, unknown>, String(response.status)) as string;
  const headers = { 'content-type': jsonType, ...response.headers };
  return { status: response.status, headers, body };
}

const jsonType = 'application/json; charset=utf-8';
const idleReaderMs = 10_000;

function idempotencyKey(route: Route, request: FastifyRequest): string | undefined {
  if (route.access === 'public' || (route.method !== 'PUT' && route.method !== 'POST')) return undefined;
  return readKey(request.headers['idempotency-key']);
}

function readInput(route: Route, checks: Checks, request: FastifyRequest, bytes: Buffer) {
  const body = readTypedBody(route, checks, request, bytes);
  const params = checks.params(request.params);
  const query = checks.query?.(request.query) ?? { value: {}, errors: [] };
  const found = [...params.errors, ...query.errors, ...body.errors];
  if (found.length > 0) throw invalid(found);
  return { params: params.value, query: query.value, body: body.value };
}

function readTypedBody(route: Route, checks: Checks, request: FastifyRequest, bytes: Buffer) {
  const nothing = { value: undefined, errors: [] as InputError[] };
  if (!route.body) return nothing;
  if (bytes.length === 0 && !route.body.required) return nothing;
  const contentType = request.headers['content-type'];
  if (route.body.form === 'urlencoded') {
    if (mediaType(contentType) !== 'application/x-www-form-urlencoded') {
      throw new Failure('invalid_request', 'Send the fields as application/x-www-form-urlencoded.');
    }
    return checks.body?.(parseForm(bytes)) ?? nothing;
  }
  if (bytes.length === 0 && contentType === undefined) {
    throw new Failure('invalid_request', 'A body is required: send it as application/json.');
  }
  if (!isJson(contentType)) throw new Failure('unsupported_media_type');
  if (route.body.form === 'bytes') return { value: bytes, errors: [] };
  return checks.body?.(parseJson(bytes)) ?? nothing;
}

/** chain_id and vendor_id are the gate's to judge: what is no id of theirs does not exist. */
function checksOf(route: Route): Checks {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as keyof typeof pathParameters);
  const judged = (name: string) => name === 'chain_id' || name === 'vendor_id';
  const properties = names.map((name) => [name, judged(name) ? Type.String() : pathParameters[name]]);
  return {
    params: textCheck(Type.Object(Object.fromEntries(properties) as Record<string, TSchema>)),
    query: route.query && textCheck(route.query),
    body: route.body && route.body.form !== 'bytes' ? bodyCheck(route.body.check ?? route.body.schema) : undefined,
  };
}

function responseSchemas(route: Route): Record<string, unknown> {
  const declared = Object.entries(route.responses).filter(([, response]) => response.schema !== undefined);
  return Object.fromEntries(declared.map(([status, response]) => [status, response.schema]));
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  const isOauth = request.routeOptions.config?.isOauth ?? false;
  const { status, headers, body } = storedFailure(failure, request.id, isOauth ? oauthFields(failure) : {});
  request.logged = { ...request.logged, code: failure.code, detail: failure.message };
  return reply
    .code(status)
    .headers({ 'x-request-id': request.id, ...securityHeaders, ...headers })
    .serializer((text: unknown) => text as string)
    .send(body);
}

function logRequest(log: Log, metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown';
  metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
  log.info({
    event: 'request',
    request_id: request.id,
    method: request.method,
    route,
    path: request.url.split('?')[0],
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    ...request.logged,
  });
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
};

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : newId();
}
