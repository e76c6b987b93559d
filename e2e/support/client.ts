import type { Response, CallOptions, TestAisle } from '../../server/test/support/aisle.ts';

/** A client that calls a server over the network, with the same interface as in the server's own tests. */
export type Client = Pick<TestAisle, 'call'>;

export function clientOf({ url }: { url: string }): Client {
  return { call: (method, path, options = {}) => call(`${url}${path}`, method, options) };
}

async function call(url: string, method: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== undefined) headers['authorization'] ??= `Bearer ${options.token}`;
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (body !== undefined) headers['content-type'] ??= 'application/json';
  const response = await fetch(url, {
    method,
    headers,
    signal: AbortSignal.timeout(60_000),
    ...(body !== undefined && { body: body as string }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const isJson = type.includes('json') && !type.includes('ndjson');
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    text,
    headers: Object.fromEntries(response.headers),
  };
}
