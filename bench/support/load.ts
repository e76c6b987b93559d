import autocannon from 'autocannon';

/** Returns the number of requests per second. Fails if a response is not 2xx. */
export async function load(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: 16, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed.`);
  }
  return result.requests.average;
}

/** Returns the number of PUT requests per second. Each request has a different body. */
export async function loadWrites(url: string, token: string, seconds: number, body: () => unknown): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const result = await autocannon({
    url,
    connections: 16,
    duration: seconds,
    requests: [{ method: 'PUT', headers, setupRequest: (request) => ({ ...request, body: JSON.stringify(body()) }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} responses were not 2xx.`);
  return result.requests.average;
}
