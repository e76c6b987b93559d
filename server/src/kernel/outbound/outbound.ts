import { isIP, type LookupFunction } from 'node:net';
import { describeValue } from '@aisle/contract/value-faults';
import { Agent, Client, type Dispatcher } from 'undici';
import type { AddressGuard } from './addresses.ts';
import { guardedConnector, isLate } from './connector.ts';
import { guardedLookup, type Resolve } from './guarded-lookup.ts';
import { createHandshakeBudget, type Payer } from './handshake-budget.ts';
import { exchangeWithNode, type Limits, lingerMs, maxInformational, tooManyInformational } from './node-exchange.ts';
import {
  failed,
  failureOf,
  nameHandshake,
  type OutboundResult,
  rejected,
  type ResponseHeaders,
  timedOut,
} from './results.ts';
import { carrierOpener, type OpenCarrier } from './tls-carrier.ts';
import { createTurns, type InTurn } from './turns.ts';
import { startMeter, type Timings, timingsOf, timingsOfOpening } from './timings.ts';

export type { FailureReason, OutboundResult } from './results.ts';

/**
 * The only HTTP client for outgoing requests, which go to URLs that others configured. A host name is resolved once per
 * connection. All of its addresses are checked, and the connection is made to one of them, so DNS rebinding has no
 * effect. Redirects are not followed. A response is read up to a small limit, then the connection is closed. The
 * exchange takes at most `timeoutMs` in total, whatever the endpoint does.
 */
export type Outbound = {
  timeoutMs: number;
  post(request: OutboundRequest): Promise<OutboundResult>;
  close(): void;
};

/** The payer is whose endpoint the URL is (see `HandshakeBudget`). */
export type OutboundRequest = Payer & {
  url: string;
  headers: Record<string, string>;
  body: string;
};

export type OutboundOptions = {
  guard: AddressGuard;
  resolve?: Resolve;
  timeoutMs?: number;
  responseBytes?: number;
  inTurn?: InTurn;
};

export function createOutbound(options: OutboundOptions): Outbound {
  const { guard, resolve, timeoutMs = 10_000, responseBytes = 1024, inTurn = createTurns() } = options;
  const lookup = guardedLookup(guard, resolve);
  const openCarrier = carrierOpener(lookup, createHandshakeBudget(), inTurn);
  /** Undici does not tell its connector for which request a connection is opened. */
  const payers = new Map<string, Payer>();
  const connect = guardedConnector({
    lookup,
    timeout: timeoutMs,
    openCarrier,
    inTurn,
    payerOf: (origin) => payers.get(origin) ?? { owner: '', endpoint: '' },
  });
  // `exchange` enforces its own deadline, so undici's timeouts are off. A connection carries one message at a time and
  // is closed when idle for too long, even if the endpoint would keep it open.
  const clientOptions = { connect, headersTimeout: 0, bodyTimeout: 0, keepAliveMaxTimeout: 10_000 };
  const agent = new Agent(clientOptions);
  const limits = { timeoutMs, responseBytes };
  /** Endpoints that send `100 Continue` without being asked. */
  const continuing = new Set<string>();
  const send = async (request: OutboundRequest): Promise<OutboundResult> => {
    const target = readTarget(request.url);
    const { owner, endpoint } = request;
    if (!/^https?:/.test(target.origin)) return rejected(`${request.url} is not an HTTP URL`);
    // A literal address is not resolved, so the guarded lookup does not see it.
    const { literal } = target;
    if (literal !== undefined && !guard.isAllowed(literal)) return rejected(`${literal} is not a public address`);
    const started = performance.now();
    const left = () => ({ ...limits, timeoutMs: Math.max(1, timeoutMs - (performance.now() - started)) });
    const withNode = () => sendWithNode({ ...request, lookup, openCarrier }, left, inTurn);
    if (payers.size >= 10_000) payers.clear();
    payers.set(target.origin, { owner, endpoint });
    if (continuing.has(target.origin)) return withNode();
    const first = await exchange(request, target, agent, limits);
    if (first === 'continued') {
      if (continuing.size >= 10_000) continuing.clear();
      continuing.add(target.origin);
      return withNode();
    }
    if (first !== 'stale') return first;
    // The endpoint had closed the idle connection, which is normal. Retry once on a new connection.
    payers.set(target.origin, { owner, endpoint });
    const fresh = new Client(target.origin, clientOptions);
    const second = await exchange(request, target, fresh, left());
    void fresh.destroy();
    if (second === 'continued') return withNode();
    return second === 'stale' ? failed('connection_failed', 'the connection was closed') : second;
  };
  return {
    timeoutMs,
    post: async (request) => nameHandshake(readTarget(request.url).origin, await send(request)),
    close: () => void agent.destroy(),
  };
}

/** The parts of a URL, parsed once and cached, because many messages go to the same URL. */
type Target = { origin: string; path: string; literal: string | undefined };

const targets = new Map<string, Target>();

function readTarget(text: string): Target {
  const known = targets.get(text);
  if (known) return known;
  const url = new URL(text);
  const target = { origin: url.origin, path: url.pathname + url.search, literal: literalAddress(url) };
  if (targets.size >= 10_000) targets.clear();
  targets.set(text, target);
  return target;
}

/** Describes what is wrong with a URL, or returns undefined. The host name is not resolved. */
export function checkUrl(text: string, guard: AddressGuard): string | undefined {
  if (!URL.canParse(text)) return describeValue('url');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return describeValue('url_scheme');
  if (url.username !== '' || url.password !== '') return describeValue('url_login');
  const literal = literalAddress(url);
  if (literal !== undefined && !guard.isAllowed(literal)) return describeValue('private_address');
  return undefined;
}

/** The URL parser has normalized every notation of an IPv4 address (0x7f.1, 2130706433, 017700000001). */
function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

async function sendWithNode(
  request: OutboundRequest & { lookup: LookupFunction; openCarrier: OpenCarrier },
  left: () => Limits,
  inTurn: InTurn,
): Promise<OutboundResult> {
  const limits = left();
  try {
    const { response, timings } = await new Promise<Awaited<ReturnType<typeof exchangeWithNode>>>((resolve) => {
      inTurn(request.owner, () => resolve(exchangeWithNode(request, left())));
    });
    return response ? { kind: 'responded', ...response, timings } : timedOut(limits, timings);
  } catch (error) {
    return failureOf(error as Error, timingsOf(error as Error));
  }
}

function exchange(
  { headers, body }: OutboundRequest,
  { origin, path }: Target,
  dispatcher: Dispatcher,
  { timeoutMs, responseBytes }: Limits,
): Promise<OutboundResult | 'stale' | 'continued'> {
  return new Promise((resolve) => {
    const meter = startMeter();
    const deadline = performance.now() + timeoutMs;
    const response = { kind: 'responded' as const, status: 0, headers: {} as ResponseHeaders };
    const content = collectBeginning(responseBytes);
    let informational = 0;
    let connection: Dispatcher.DispatchController | undefined;
    let timer: NodeJS.Timeout;
    let isOver = false;
    const end = (result: OutboundResult | 'stale' | 'continued') => {
      isOver = true;
      clearTimeout(timer);
      resolve(result);
    };
    const endResponded = () => end({ ...response, ...content.result(), timings: meter.timings() });
    const disconnect = () => connection?.abort(new Error('closed'));
    // The result does not depend on callbacks that follow an aborted exchange.
    const cut = (reason?: OutboundResult) => {
      if (response.status > 0) endResponded();
      else end(reason ?? timedOut({ timeoutMs }, connection ? meter.timings() : timingsOfOpening(origin)));
      disconnect();
    };
    timer = setTimeout(cut, timeoutMs);
    dispatcher.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart(controller) {
          connection = controller;
          if (isOver) return disconnect();
          meter.start();
        },
        onResponseStart(_controller, status, received) {
          if (status < 200) informational += 1;
          if (informational > maxInformational) cut(failed('connection_failed', tooManyInformational, meter.timings()));
          if (status < 200 || isOver) return;
          Object.assign(response, { status, headers: received });
          meter.stop();
          clearTimeout(timer);
          timer = setTimeout(cut, Math.max(0, Math.min(lingerMs, deadline - performance.now())));
        },
        onResponseData(_controller, chunk) {
          if (!content.add(chunk)) cut();
        },
        onResponseEnd: endResponded,
        // Once the status is known, it determines the outcome, even if the connection breaks afterwards.
        onResponseError(_controller, error) {
          if (isOver) return;
          if (response.status > 0) endResponded();
          else end(resultOf(error, meter.timings(error)));
        },
      },
    );
  });
}

/** `add` returns whether to continue reading. A body that is a little too long is read, to reuse the connection. */
function collectBeginning(maxBytes: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    add(chunk: Buffer): boolean {
      chunks.push(chunk);
      length += chunk.length;
      return length <= maxBytes * 16 && chunks.length < maxChunks;
    },
    result: () => ({
      beginning: Buffer.concat(chunks).subarray(0, maxBytes),
      isCut: length > maxBytes || chunks.length >= maxChunks,
    }),
  };
}

/** A chunk can be a single byte, and each takes as much time as a long one. */
const maxChunks = 1000;

/** The result of an exchange that failed before there was a status. */
function resultOf(error: Error, timings: Timings): OutboundResult | 'stale' | 'continued' {
  if (isUnaskedContinue(error)) return 'continued';
  return isLate(error) && isClosed(error) ? 'stale' : failureOf(error, timings);
}

/** This error message is the only sign of an unsolicited `100 Continue` in undici. */
function isUnaskedContinue(error: Error & { code?: string }): boolean {
  return error.code === 'UND_ERR_SOCKET' && error.message === 'bad response';
}

function isClosed(error: Error & { code?: string }): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.code === 'UND_ERR_SOCKET';
}
