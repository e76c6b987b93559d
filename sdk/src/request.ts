import { encodeBody } from './bodies.ts';
import { type AccessToken, createAuthorizer } from './credentials.ts';
import { AisleError, isApiError } from './errors.ts';
import { version } from './generated/version.ts';
import type { ApiResponse, OperationRow } from './operation.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { checked, readJson } from './response.ts';
import { retryDelayMs } from './retry.ts';
import { abortable, anySignal, sleep, withDeadline } from './time.ts';
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
  /** `read` reads the response within the time limit, which it gets as well, with the signal. */
  exchange: Exchange;
};

type Exchange = <Result>(
  row: OperationRow,
  input: RequestInput,
  options: RequestOptions,
  read: (response: Response, timeoutMs: number, signal: AbortSignal | undefined) => Promise<Result>,
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
  const baseUrl = checkedUrl(String(client.baseUrl));
  const request: Requester['request'] = (row, input = {}, options = {}) => exchange(row, input, options, readJson);
  const authorizer = createAuthorizer(client, async (body) => {
    return (await request(tokenRow, { body })).data as Partial<AccessToken> | null;
  });
  const findChain = createChainLookup(client.chainId, async () => {
    const { data } = await request(whoamiRow);
    const id = (data as { chain?: { chain_id?: unknown } } | null)?.chain?.chain_id;
    if (typeof id !== 'string') throw new AisleError('The response to whoami has no chain. Set chainId.');
    return id;
  });
  const exchange: Exchange = async (row, input, options, read) => {
    const signal = anySignal(client.signal, options.signal);
    const chain = needsChain(row, input) && { chain_id: await abortable(findChain(), signal) };
    const prepared = await prepare(client, baseUrl, row, { ...input, params: { ...input.params, ...chain } }, options);
    const { url, init, timeoutMs } = prepared;
    const authorize = () => abortable(authorizer.headers(), signal);
    const send = (credentials: Record<string, string>) => {
      const headers = mergeHeaders(credentials, init.headers);
      return withDeadline(timeoutMs, signal, async (inner) => {
        const response = await (client.fetch ?? fetch)(url, { ...init, headers, signal: inner });
        return read(await checked(response, url), timeoutMs, signal);
      });
    };
    return withRetries(client, row, prepared, signal, async () => {
      const credentials = row.access === 'public' ? {} : await authorize();
      try {
        return await send(credentials);
      } catch (error) {
        // Also renewed if the body cannot be sent again, for the next request.
        const isRenewed = isApiError(error, 'invalid_token') && authorizer.renew(credentials);
        if (!isRenewed || prepared.isOneShot) throw error;
        return send(await authorize());
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

/** Without slashes at the end. The portal's address is relative. Errors do not repeat a password in the address. */
function checkedUrl(baseUrl: string): string {
  if (baseUrl !== '') {
    const { protocol, username, password } = URL.canParse(baseUrl) ? new URL(baseUrl) : ({} as Partial<URL>);
    if (protocol !== 'https:' && protocol !== 'http:') throw new AisleError('baseUrl must be an http or https URL.');
    if (username || password) throw new AisleError('baseUrl must not contain a user name or a password.');
  }
  return baseUrl.replace(/\/+$/, '');
}

/** Later headers replace earlier ones, whatever the case of their names. */
function mergeHeaders(...all: (Record<string, string> | undefined)[]): Record<string, string> {
  const merged = new Headers();
  for (const [name, value] of all.flatMap((one) => Object.entries(one ?? {}))) {
    try {
      merged.set(name, value);
    } catch {
      // The runtime's own error would contain the value.
      throw new AisleError(`The header ${JSON.stringify(name)} has a name or a value that cannot be sent.`);
    }
  }
  return Object.fromEntries(merged);
}

/** Everything that is the same in every attempt, including the idempotency key. */
async function prepare(
  client: ClientOptions,
  baseUrl: string,
  row: OperationRow,
  input: RequestInput,
  options: RequestOptions,
): Promise<Prepared> {
  const { body, headers, isOneShot } = await encodeBody(row.body, input.body);
  const retries = isOneShot ? 0 : (options.retries ?? client.retries ?? 3);
  const key = options.idempotencyKey ?? (retries > 0 ? newKey() : undefined);
  const init: Init = {
    method: row.method,
    headers: mergeHeaders(
      client.session ? {} : { 'user-agent': `aisle-sdk/${version}` },
      headers,
      row.retry === 'keyed' && key !== undefined ? { 'idempotency-key': key } : {},
      client.headers,
      options.headers,
    ),
    // A redirect could send credentials and bodies to another server, or turn a POST into a GET.
    redirect: 'manual',
    ...(body !== undefined && { body }),
    ...(isOneShot && { duplex: 'half' }),
    ...(client.session && { credentials: 'same-origin' }),
  };
  const url = baseUrl + pathOf(row, input.params, input.query);
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
      const delayMs =
        attempt > retries ? undefined : retryDelayMs(row.retry, error, attempt, Math.random(), maxRetryDelayMs);
      if (delayMs === undefined) throw error;
      onRetry?.({ method: row.method, url, attempt, delayMs, error: error as AisleError });
      await sleep(delayMs, signal);
    }
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
