import type { Response, CallOptions, TestAisle } from '../../server/test/support/aisle.ts';

/**
 * A client without the SDK, with the same interface as in the server's own tests. It is for servers of earlier versions,
 * which the SDK of this version does not describe.
 */
export type RawClient = Pick<TestAisle, 'call'>;

export function rawClientOf({ url }: { url: string }): RawClient {
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
