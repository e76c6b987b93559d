import { encodeBody } from './bodies.ts';
import { type AccessToken, createAuthorizer } from './credentials.ts';
import { type AisleError, ApiError, isApiError, NotModifiedError, UnexpectedResponseError } from './errors.ts';
import type { Problem } from './generated/models.ts';
import { version } from './generated/version.ts';
import type { ApiResponse, OperationRow } from './operation.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { retryDelayMs } from './retry.ts';
import { sleep, withDeadline } from './time.ts';
import { pathOf, type QueryValues } from './url.ts';

export { AisleError, ApiError, ConnectionError, isApiError, TimeoutError, UnexpectedResponseError } from './errors.ts';
export type { ApiResponse, OperationRow } from './operation.ts';
export { pathOf } from './url.ts';

/** What to send: the parameters in the path, the query and the body. */
export type RequestInput = {
  params?: Record<string, string | undefined> | undefined;
  query?: QueryValues | undefined;
  body?: unknown;
};

/** Sends requests with the client's credentials, and repeats those that failed temporarily. */
export type Requester = {
  request(row: OperationRow, input?: RequestInput, options?: RequestOptions): Promise<ApiResponse<unknown>>;
  /** `read` reads the response within the time limit, which it gets as well. */
  exchange: Exchange;
};

type Exchange = <Result>(
  row: OperationRow,
  input: RequestInput,
  options: RequestOptions,
  read: (response: Response, timeoutMs: number) => Promise<Result>,
) => Promise<Result>;

const tokenRow: OperationRow = {
  method: 'POST',
  path: '/v2/oauth/token',
  access: 'public',
  // Repeating an exchange only creates another token.
  retry: 'always',
  body: 'form',
};
const whoamiRow: OperationRow = { method: 'GET', path: '/v2/whoami', access: 'any', retry: 'always' };

export function createRequester(client: ClientOptions): Requester {
  const request: Requester['request'] = (row, input = {}, options = {}) => exchange(row, input, options, readJson);
  const authorizer = createAuthorizer(client, async (body) => {
    return (await request(tokenRow, { body })).data as AccessToken;
  });
  const findChain = createChainLookup(client.chainId, async () => {
    return ((await request(whoamiRow)).data as { chain: { chain_id: string } }).chain.chain_id;
  });
  const exchange: Exchange = async (row, input, options, read) => {
    const params = needsChain(row, input) ? { ...input.params, chain_id: await findChain() } : input.params;
    const prepared = await prepare(client, row, { ...input, params }, options);
    const { url, init, timeoutMs } = prepared;
    const send = (credentials: Record<string, string>) =>
      withDeadline(timeoutMs, options.signal, async (signal) => {
        const headers = { ...credentials, ...init.headers };
        return read(await checked(await (client.fetch ?? fetch)(url, { ...init, headers, signal })), timeoutMs);
      });
    return withRetries(client, row, prepared, options.signal, async () => {
      const credentials = row.access === 'public' ? {} : await authorizer.headers();
      try {
        return await send(credentials);
      } catch (error) {
        const isExpired = isApiError(error, 'invalid_token') && !prepared.isOneShot && authorizer.renew(credentials);
        if (!isExpired) throw error;
        return send(await authorizer.headers());
      }
    });
  };
  return { request, exchange };
}

/** The chain of the credentials, read once. If that fails, the next request asks again. */
function createChainLookup(chainId: string | undefined, read: () => Promise<string>): () => Promise<string> {
  let found: Promise<string> | undefined = chainId === undefined ? undefined : Promise.resolve(chainId);
  return () => {
    found ??= read().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

function needsChain({ path, access }: OperationRow, { params = {} }: RequestInput): boolean {
  return path.includes('{chain_id}') && params['chain_id'] === undefined && access !== 'platform';
}

type Init = Omit<RequestInit, 'headers'> & { headers: Record<string, string>; duplex?: 'half' };
type Prepared = { url: string; init: Init; retries: number; timeoutMs: number; isOneShot: boolean };

/** Everything that is the same in every attempt, including the idempotency key. */
async function prepare(
  client: ClientOptions,
  row: OperationRow,
  input: RequestInput,
  options: RequestOptions,
): Promise<Prepared> {
  const { body, headers, isOneShot } = await encodeBody(row.body, input.body);
  const retries = isOneShot ? 0 : (options.retries ?? client.retries ?? 3);
  const key = options.idempotencyKey ?? (retries > 0 ? newKey() : undefined);
  const init: Init = {
    method: row.method,
    headers: {
      ...(!client.session && { 'user-agent': `aisle-sdk/${version}` }),
      ...headers,
      ...(row.retry === 'keyed' && key !== undefined && { 'idempotency-key': key }),
      ...client.headers,
      ...options.headers,
    },
    ...(body !== undefined && { body }),
    ...(isOneShot && { duplex: 'half' }),
    ...(client.session && { credentials: 'same-origin' }),
  };
  const url = String(client.baseUrl).replace(/\/+$/, '') + pathOf(row, input.params, input.query);
  return { url, init, retries, timeoutMs: timeoutOf(row, input, options.timeoutMs ?? client.timeoutMs), isOneShot };
}

async function withRetries<Result>(
  { onRetry, maxRetryDelayMs = 60_000 }: ClientOptions,
  row: OperationRow,
  { url, retries }: Prepared,
  signal: AbortSignal | undefined,
  send: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const delayMs = attempt > retries ? undefined : retryDelayMs(row.retry, error, attempt, Math.random());
      if (delayMs === undefined || delayMs > maxRetryDelayMs) throw error;
      onRetry?.({ method: row.method, url, attempt, delayMs, error: error as AisleError });
      await sleep(delayMs, signal);
    }
  }
}

async function readJson(response: Response): Promise<ApiResponse<unknown>> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, requestId: headers.get('x-request-id') ?? undefined, data: parsed(text, response) };
}

function parsed(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedResponseError(status, headers, text);
  }
}

/** Throws the error that an unsuccessful response contains. */
async function checked(response: Response): Promise<Response> {
  const { ok, status, headers } = response;
  if (ok) return response;
  if (status === 304) throw new NotModifiedError('The resource has not been modified.');
  const text = await response.text();
  const problem = problemIn(text);
  throw problem ? new ApiError(problem, status, headers) : new UnexpectedResponseError(status, headers, text);
}

function problemIn(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text) as Partial<Problem> | null;
    return typeof body?.code === 'string' ? (body as Problem) : undefined;
  } catch {
    return undefined;
  }
}

/** The time that the server waits for an event or a change comes on top. */
function timeoutOf({ body, download }: OperationRow, { query = {} }: RequestInput, given: number | undefined): number {
  const isLong = body === 'large' || body === 'stream' || download;
  return (given ?? (isLong ? 300_000 : 30_000)) + 1000 * Number(query['wait'] ?? query['wait_seconds'] ?? 0);
}

/** `crypto.randomUUID` does not exist on pages without https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
