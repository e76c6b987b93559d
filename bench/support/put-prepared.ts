/**
 * Sends a large body whose bytes were prepared before the measurement, and returns the id of its job. The SDK would
 * encode and compress the body within the measured time.
 */
export async function putPrepared(url: string, token: string, body: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body });
  if (response.status !== 202) throw new Error(`PUT ${url} returned ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { job_id: string }).job_id;
}
