import { hasSecrets, isConditional, isKeyed, type Route } from '@aisle/contract/route';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyBudget } from '../bodies/budget.ts';
import type { Database, Tx } from '../database/db.ts';
import { measureResults, measureRows } from '../database/measure-rows.ts';
import type { Log } from '../monitoring/log.ts';
import type { RecordAction } from './action.ts';
import {
  type Admission,
  type AdmissionOptions,
  admit,
  confirmAccess,
  countRequest,
  isRecent,
  isWaiting,
  whileAllowed,
} from './admission.ts';
import type { Call, Caller, Handler, Handlers, Input, ReadingHandler } from './call.ts';
import { withoutEncodings } from './etag.ts';
import { storedFailure } from './failure-response.ts';
import { hashRequest, readKey, runOnce } from './idempotency.ts';
import { createBodyReceiver, createInputReader, type InputReader, receivedBytes } from './input.ts';
import { listIn } from './list-response.ts';
import { type JobUrl, jobUrlOf, withJobHeaders } from './job-headers.ts';
import { rateLimitHeaders } from './rate-limit.ts';
import {
  countResponse,
  countRows,
  holdResponse,
  requireMemory,
  reserveResponse,
  reserveStream,
} from './response-memory.ts';
import { createSlowReads, type SlowReads } from './slow-reads.ts';
import type { Starts } from './starts.ts';
import { type ResponseFormat, storableResponse, writeResponse, writeStored } from './response.ts';
import { rejectUnknownRoutes } from './unknown-route.ts';

export type HttpOptions<C extends Caller, Access> = AdmissionOptions<C, Access> & {
  /** Returns the database for a request. It limits how many connections one chain's requests can hold. */
  databaseFor(access: Access, route: Route, isAtomic: boolean, network: string): Database;
  /** Whether the route is a slow read (see `Database.runSlow`). Its handler does not have to know. */
  isSlow(route: Route): boolean;
  /** For effects on one chain. Undefined if the request's database is as good. */
  chainDatabaseFor(access: Access, chainId: string): Database | undefined;
  log: Log;
  bodies: BodyBudget;
  /** The memory for large responses that are being sent. */
  responses: BodyBudget;
  starts: Starts;
  /** How long an upload can stall. */
  idleMs: number;
  /** The base for absolute URLs in headers, without a trailing slash. */
  publicUrl: string;
  maxBytes(route: Route): number;
  /** Whether `recordAction` is called if the request succeeds. */
  isRecorded(route: Route, access: Access): boolean;
  recordAction: RecordAction<Access>;
};

declare module 'fastify' {
  interface FastifyRequest {
    admission?: Admission<unknown>;
  }
}

/**
 * Serves every route in the contract. Each request goes through admission, input validation, reading a large body (if
 * the route declares one) and the handler.
 */
export function serveRoutes<C extends Caller, Access, Routes extends Record<string, Route>>(
  app: FastifyInstance,
  options: HttpOptions<C, Access>,
  routes: Routes,
  handlers: Handlers<Routes, Access>,
): void {
  app.addContentTypeParser('*', createBodyReceiver(options.bodies, options.idleMs));
  for (const [id, route] of Object.entries(routes) as [keyof Routes, Routes[keyof Routes]][]) {
    const jobUrl = jobUrlOf(route, routes, options.publicUrl);
    serveRoute(app, options, { id: String(id), route, handler: handlers[id], jobUrl });
  }
  Object.assign(app.unrouted, rateLimitHeaders('read', options.limiter.fullAllowance('read')));
  rejectUnknownRoutes(app, Object.values(routes));
}

function serveRoute<C extends Caller, Access, R extends Route>(
  app: FastifyInstance,
  options: HttpOptions<C, Access>,
  { route, ...more }: Pick<Served<R, Access>, 'id' | 'route' | 'handler' | 'jobUrl'>,
): void {
  const served = {
    route,
    ...more,
    readInput: createInputReader(route, options.gate.resolvedParams, options.maxBytes(route)),
    format: { list: listIn(route), isConditional: isConditional(route) },
    slowReads: createSlowReads(route, options.isSlow(route)),
  };
  const isOauth = route.body?.form === 'urlencoded';
  app.route({
    method: route.method,
    url: route.path.replaceAll('{', ':').replaceAll('}', ''),
    config: {
      maxBytes: options.maxBytes(route),
      hasBody: route.body !== undefined,
      isStreamed: route.body?.form === 'stream',
      isOauth,
      hasSecrets: hasSecrets(route),
      anonymous: anonymousCount(route),
    },
    schema: { response: responseSchemas(route) },
    validatorCompiler: () => () => true,
    onRequest: async (request, reply) => {
      if (route.deprecated) reply.headers({ deprecation: route.deprecated.since, sunset: route.deprecated.sunset });
      // Responses with an ETag replace this, so that clients can keep them and revalidate.
      reply.header('cache-control', 'no-store');
      adjustHeaders(route, request);
      request.admission = await admit(options, route, request, reply);
    },
    errorHandler: (error, request, reply) => {
      request.counted?.reject(reply);
      throw error;
    },
    onSend: (request, reply, payload, done) => {
      // The rows of a GET have been counted.
      if (route.method !== 'GET') holdResponse(options.responses, request.caller?.owner ?? '', payload, reply);
      done(null, payload);
    },
    handler: async (request, reply) => {
      const responding = respond(options, served, request, reply);
      const payload = await responding.finally(() => request.reservation?.release());
      if (isWaiting(route, request)) await confirmAccess(options, route, request);
      request.counted?.accept();
      return reply.send(payload);
    },
  });
}

/** The credentials for the token route are in its body. Correct ones are accepted whatever else their network sends. */
function anonymousCount({ access, rateLimit }: Route): NonNullable<FastifyContextConfig['anonymous']> {
  if (access !== 'public') return 'if-rejected';
  return rateLimit === 'token' ? 'until-accepted' : 'counted';
}

/** A route without a body accepts any content type. ETags in the request are compared without their encoding suffix. */
function adjustHeaders(route: Route, request: FastifyRequest): void {
  const { 'content-type': type, 'if-match': tags } = request.headers;
  const adjusted = {
    ...(!route.body && type !== undefined && { 'content-type': undefined }),
    ...(tags !== undefined && { 'if-match': withoutEncodings(tags) }),
  };
  // Once `headers` is set, Fastify copies all headers on every access.
  if (Object.keys(adjusted).length > 0) request.headers = adjusted;
}

function responseSchemas(route: Route): Record<string, unknown> {
  const declared = Object.entries(route.responses).filter(([, response]) => response.schema !== undefined);
  return Object.fromEntries(declared.map(([status, response]) => [status, response.schema]));
}

type Served<R extends Route, Access> = {
  id: string;
  route: R;
  handler: Handler<R, Access> | ReadingHandler<R, Access>;
  jobUrl: JobUrl | undefined;
  readInput: InputReader;
  format: ResponseFormat;
  slowReads: SlowReads;
};

async function respond<C extends Caller, Access, R extends Route>(
  options: HttpOptions<C, Access>,
  served: Served<R, Access>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { route, format, slowReads } = served;
  const { caller, access } = request.admission as Admission<Access>;
  // The platform's requests concern all chains.
  const turn = route.access === 'platform' ? undefined : options.starts.waitForTurn(caller.owner);
  if (turn) await turn;
  const key = idempotencyKey(route, request);
  const isAtomic = key !== undefined || options.isRecorded(route, access);
  const limited = options.databaseFor(access, route, isAtomic, request.network);
  const isRead = route.method === 'GET';
  const rows = isRead ? await countResponse(options.responses, caller.owner, reply) : countRows();
  if (!isRead && route.access !== 'public') requireMemory(options.responses, caller.owner);
  const db = (isRead ? measureRows : measureResults)(forCaller(limited, caller.subject), rows.add);
  const reads = slowReads.limit(db, caller.owner, request);
  const run = <Result>(work: () => Promise<Result>): Promise<Result> =>
    reads.run(work).finally(() => slowReads.note(caller.owner, request, rows.end()));
  if (key === undefined) {
    const work = await prepare(options, reads.db, served, access, request, reply);
    if (!isRecent(request)) await confirmAccess(options, route, request);
    return writeResponse(options.log, format, request, reply, await run(() => work(undefined)));
  }
  const address = `${route.method} ${request.url.split('?')[0]} ${reachOf(route, caller)}`;
  const bodyHash = await hashRequest(receivedBytes(request), knownQuery(route, request));
  const keyed = { owner: caller.owner, request: address, key, bodyHash };
  const preparing = prepare(options, reads.db, served, access, request, reply);
  // Read the input before taking a database connection. If reading fails, the failure is stored under the key too.
  await Promise.allSettled([preparing]);
  if (!isRecent(request)) await confirmAccess(options, route, request);
  const { response, replayed } = await run(() =>
    runOnce(
      reads.db,
      keyed,
      async (tx) => storableResponse(reply, await (await preparing)(tx)),
      (failure) => storedFailure(failure, request.id),
    ),
  );
  request.logged = { ...request.logged, idempotency: replayed ? 'replayed' : 'stored' };
  if (replayed) reply.header('idempotent-replayed', 'true');
  return writeStored(reply, response);
}

/** The slow reads of a chain start in turns by caller. */
function forCaller(db: Database, caller: string): Database {
  return { ...db, runSlow: (chainId, read) => db.runSlow(chainId, read, caller) };
}

/** Reads the input, and the large body if the route declares one. Returns a function that runs the handler. */
async function prepare<C extends Caller, Access, R extends Route>(
  options: HttpOptions<C, Access>,
  db: Database,
  { id, route, handler, jobUrl, readInput }: Served<R, Access>,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { limiter, responses, recordAction, chainDatabaseFor } = options;
  const isRecorded = options.isRecorded(route, access);
  const { headers, address, network } = request;
  // `readInput` has checked the route's schemas, so the input has these types.
  const input = { access, headers, address, network, ...readInput(request, reply) } as Input<R, Access>;
  const handle =
    typeof handler === 'function' ? handler : await handler.prepare({ ...input, signal: closeSignal(reply) });
  const record: Perform = async (tx, work) => {
    const result = await work(tx);
    const params = input.params as Record<string, string>;
    await recordAction(tx, { id, access, params, body: input.body, address, requestId: request.id, result });
    return result;
  };
  const perform: Perform = async (tx, work) => {
    const result = await (isRecorded ? record(tx, work) : work(tx));
    // The work can have waited for a lock for seconds, and what it creates would outlive the caller's access.
    if (hasSecrets(route) && !isRecent(request)) await confirmAccess(options, route, request);
    return result;
  };
  return async (tx: Tx | undefined) => {
    const call: Call<R, Access> = {
      ...input,
      db,
      transaction(work, chainId) {
        if (tx) return perform(tx, work);
        const chain = chainId === undefined ? undefined : chainDatabaseFor(access, chainId);
        return (chain ?? db).transaction((own) => perform(own, work));
      },
      isAtomic: isRecorded || tx !== undefined,
      confirmAccess: () => confirmAccess(options, route, request),
      limit: (subject, factor) => countRequest(limiter, route, subject, reply, factor),
      reserve: (bytes) => reserveResponse(responses, request.caller?.owner ?? '', bytes, reply),
      closeSignal: () => closeSignal(reply),
      addToLog: (fields) => {
        request.logged = { ...request.logged, ...fields };
      },
    };
    const response = await handle(call);
    if (!('stream' in response)) return withJobHeaders(response, jobUrl, request);
    await reserveStream(responses, request.caller?.owner ?? '', reply);
    return { ...response, stream: whileAllowed(options, route, request, response.stream) };
  };
}

type Perform = <Result>(tx: Tx, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** Aborted when the connection is closed before the response has been sent. */
function closeSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed) controller.abort();
  else reply.raw.once('close', () => reply.raw.writableFinished || controller.abort());
  return controller.signal;
}

/** A secret can give access to all that its creator has, so only callers with the same scopes get it again. */
function reachOf(route: Route, caller: Caller): string {
  return hasSecrets(route) ? `${caller.reach} ${caller.scopes.toSorted().join(' ')}` : caller.reach;
}

/** The parameters that the route uses, as text. Empty if there are none. */
function knownQuery({ query }: Route, request: FastifyRequest): string {
  const given = request.query as Record<string, unknown>;
  const known = Object.keys(query?.properties ?? {}).filter((name) => given[name] !== undefined);
  return known.length === 0 ? '' : JSON.stringify(known.toSorted().map((name) => [name, given[name]]));
}

function idempotencyKey(route: Route, request: FastifyRequest): string | undefined {
  return isKeyed(route) ? readKey(request.headers['idempotency-key']) : undefined;
}
