import autocannon from 'autocannon';

/** Requests per second over a few seconds; any answer but 2xx is a failure of the bench itself. */
export async function load(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: 16, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} failed.`);
  }
  return result.requests.average;
}
