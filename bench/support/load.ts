import autocannon from 'autocannon';
import { createClient, repeat } from './client.ts';

/** Returns the number of requests per second. Fails if a response is not 2xx. */
export async function load(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: 16, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed.`);
  }
  return result.requests.average;
}

/** Returns the number of PUT requests per second with `width` clients. Each request has a different body. */
export async function loadWrites(
  url: string,
  token: string,
  seconds: number,
  body: () => unknown,
  width: number,
): Promise<number> {
  const client = createClient(url, width);
  const { pathname } = new URL(url);
  const rate = await repeat(width, seconds, async () => {
    const { status, text } = await client.send('PUT', pathname, token, body());
    if (status !== 200) throw new Error(`${url} returned ${status}: ${text}`);
  });
  client.close();
  return rate;
}
