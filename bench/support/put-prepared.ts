import { request } from 'node:http';

/**
 * Sends a large body whose bytes were prepared before the measurement, and returns the id of its job. The SDK would
 * encode and compress the body within the measured time.
 */
export async function putPrepared(url: string, token: string, body: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status, text } = await putBytes(url, headers, body);
  if (status !== 202) throw new Error(`PUT ${url} returned ${status}: ${text}`);
  return (JSON.parse(text) as { job_id: string }).job_id;
}

/** `fetch` would copy the body, and the garbage collector would stop this process for up to 40 ms. */
export function putBytes(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': body.length } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    sent.on('error', reject).end(body);
  });
}
