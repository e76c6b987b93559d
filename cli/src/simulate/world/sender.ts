import { setTimeout as sleep } from 'node:timers/promises';
import { unstoredStatuses } from '@aisle/sdk';
import type { FindForeign } from './foreign.ts';
import { digest, type History, type Operation, type OperationKind, orderDigest, type Result } from './history.ts';
import type { SendPlan } from './order-plan.ts';
import { sendOnce } from './transport.ts';

/** Sends requests to the API processes and records the results in the history. */
export type Sender = {
  /** Returns the operation, and the body of the last response. */
  write(operation: NewOperation, request: Request, plan: SendPlan): Promise<Written>;
  /** Returns undefined if there is no response or a 5xx. */
  read(chain: string, token: string, path: string): Promise<Response | undefined>;
};

export type NewOperation = Pick<Operation, 'chain' | 'kind' | 'orderId' | 'vendorId' | 'items' | 'writes'>;
export type Written = { operation: Operation; body: Response['body'] };
/** If the body is a function, it is called with the operation's id. */
export type Request = { method: string; path: string; token: string; body?: object | ((id: string) => object) };
// oxlint-disable-next-line typescript/no-explicit-any -- response bodies can have any shape
export type Response = { status: number; text: string; body: any; isReplayed: boolean; retryAfterMs?: number };

export type SenderOptions = {
  history: History;
  /** The URLs of the API processes, used in turn. */
  urls: string[];
  findForeign: FindForeign;
  elapsedMs(): number;
  /** How long to wait for a response. Default: 8 seconds. */
  timeoutMs?: number;
  /** The start of all idempotency keys. */
  keyPrefix?: string;
  /** Called after every request. The status is undefined if there was no response. */
  onResponse?(kind: OperationKind | 'read', durationMs: number, status: number | undefined): void;
};

const defaultTimeoutMs = 8000;
const replayDelayMs = 200;
const maxRetryAfterMs = 5000;

export function createSender(options: SenderOptions): Sender {
  const { history, elapsedMs, keyPrefix = '' } = options;
  const call = createCall(options);
  let count = 0;

  const write = async (given: NewOperation, request: Request, plan: SendPlan): Promise<Written> => {
    count += 1;
    const id = `${given.chain}-op${count}`;
    const operation: Operation = { ...given, id, startedAt: elapsedMs(), attempts: 0, outcome: 'running' };
    if (plan.hasKey) operation.key = `${keyPrefix}${id}`;
    history.operations.push(operation);
    const sent = { ...request, body: typeof request.body === 'function' ? request.body(id) : request.body };
    let response: Response | undefined;
    while (operation.attempts < plan.tries) {
      operation.attempts += 1;
      response = await call(given, sent, operation.key);
      if (response && isFinal(response)) break;
      await sleep(response?.retryAfterMs ?? Math.min(1000, 50 * operation.attempts));
    }
    operation.endedAt = elapsedMs();
    const isKnown = response !== undefined && isFinal(response);
    if (response) operation.result = resultOf(response);
    operation.outcome = isKnown && response ? outcomeOf(operation, response) : 'unknown';
    if (isKnown && response && plan.isRepeated && isReplayable(response.status))
      await replay(operation, sent, response);
    return { operation, body: response?.body };
  };

  /** Sends an acknowledged write again. The response must be the same. */
  const replay = async (operation: Operation, request: Request, first: Response) => {
    await sleep(replayDelayMs);
    const second = await call(operation, request, operation.key);
    if (!second || !isFinal(second)) return;
    if (second.status === first.status && second.text === first.text && second.isReplayed) return;
    history.violations.push({
      rule: 'replays are equal',
      message: `${operation.id} got ${first.status} ${digest(first.body)}, and on replay ${second.status} ${digest(second.body)}`,
      ...(operation.orderId !== undefined && { subject: operation.orderId }),
    });
  };

  return {
    write,
    async read(chain, token, path) {
      const response = await call({ chain, kind: 'read' }, { method: 'GET', path, token });
      if (response?.retryAfterMs !== undefined) await sleep(response.retryAfterMs);
      return response && response.status < 500 ? response : undefined;
    },
  };
}

type Call = (
  operation: { chain: string; kind: OperationKind | 'read' },
  request: Request,
  key?: string,
) => Promise<Response | undefined>;

/** Sends a request once, counts its response, and checks that it has no foreign data. */
function createCall(options: SenderOptions): Call {
  const { history, urls, findForeign, onResponse, timeoutMs = defaultTimeoutMs } = options;
  let turn = 0;
  return async ({ chain, kind }, request, key) => {
    const url = urls[turn++ % urls.length] as string;
    const startedAt = performance.now();
    const response = await fetchOnce(`${url}${request.path}`, request, key, timeoutMs).catch(() => undefined);
    onResponse?.(kind, performance.now() - startedAt, response?.status);
    const name = response ? `${response.status} ${response.body?.code ?? ''}`.trim() : 'no response';
    history.responses.set(name, (history.responses.get(name) ?? 0) + 1);
    if (response?.status === 500) {
      const message = `${request.method} ${request.path} returned ${response.text}`;
      history.violations.push({ rule: 'no internal errors', message });
    }
    // An error can repeat ids from the request.
    const foreign = response && findForeign(chain, response.text, request.path);
    if (foreign !== undefined) {
      const message = `a response to ${chain} for ${request.method} ${request.path} contains ${foreign}`;
      history.violations.push({ rule: 'no foreign data', message });
    }
    return response;
  };
}

/** Whether responses with this status are stored under the idempotency key. */
function isReplayable(status: number): boolean {
  return status < 500 && !(unstoredStatuses as readonly number[]).includes(status);
}

/** Whether the response says what happened to the write. It does not if another request is still using the key. */
function isFinal({ status, body }: Response): boolean {
  return status < 500 && status !== 429 && body?.code !== 'idempotency_in_progress';
}

/**
 * A 409 is not stored under the key. So if an earlier attempt got no response, that attempt may still be running, and
 * the order's status may allow it later.
 */
function outcomeOf({ attempts }: Operation, { status }: Response): Operation['outcome'] {
  if (status < 300) return 'acknowledged';
  return attempts > 1 && !isReplayable(status) ? 'unknown' : 'rejected';
}

async function fetchOnce(url: string, request: Request, key: string | undefined, timeoutMs: number): Promise<Response> {
  const { method, token, body } = request;
  // Without `accept-encoding`, responses are not compressed.
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const sent = { method, headers, body: body && JSON.stringify(body), timeoutMs };
  const { status, headers: received, text } = await sendOnce(url, sent);
  return {
    status,
    text,
    body: text === '' ? undefined : JSON.parse(text),
    isReplayed: received['idempotent-replayed'] === 'true',
    ...(status === 429 && { retryAfterMs: Math.min(maxRetryAfterMs, Number(received['retry-after']) * 1000) }),
  };
}

function resultOf({ status, body }: Response): Result {
  const isOrder = status < 300 && body?.revision !== undefined;
  return {
    status,
    ...(status >= 400 && { code: codeOf(body) }),
    ...(isOrder && {
      orderId: body.order_id,
      revision: body.revision,
      orderStatus: body.status,
      snapshot: orderDigest(body),
    }),
    ...(status < 300 && body?.job_id && { jobId: body.job_id }),
  };
}

/** The error code, with the codes of individual problems. */
function codeOf(body: Response['body']): string {
  const codes = (body?.errors ?? []).map((error: { code: string }) => error.code);
  return [body?.code, ...new Set(codes)].join(' ');
}
