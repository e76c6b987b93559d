import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Response, TestAisle, TestChain } from './aisle.ts';
import { waitForJob } from './catalog.ts';

export type Upload = { name: string; content: string | Buffer; folder?: string; token?: string; type?: string };

/** Uploads a file, to the chain's first store by default. */
export function uploadFile(aisle: Pick<TestAisle, 'call'>, chain: TestChain, upload: Upload): Promise<Response> {
  const { name, content, folder = `/catalog/${chain.vendors[0]}`, token = chain.token, type = 'text/csv' } = upload;
  const query = new URLSearchParams({ folder, name });
  const headers = { 'content-type': type };
  return aisle.call('POST', `${chain.base}/files?${query.toString()}`, { token, raw: Buffer.from(content), headers });
}

/** Uploads a catalog file, waits for its job, and returns the job and the file. */
export async function runFile(aisle: Pick<TestAisle, 'call'>, chain: TestChain, upload: Upload) {
  const { status, text, body } = await uploadFile(aisle, chain, upload);
  assert.equal(status, 202, text);
  const job = await waitForJob(aisle, chain, body.job_ids[0], 60);
  const file = await aisle.call('GET', `${chain.base}/files/${body.file_id}`, { token: chain.token });
  return { job, file: file.body };
}

/** The failed rows as lines, or undefined if there are none. */
export async function readFailedRows(aisle: Pick<TestAisle, 'call'>, chain: TestChain, file: Response['body']) {
  if (file.failed_rows_url === undefined) return undefined;
  const url = new URL(file.failed_rows_url);
  const response = await aisle.call('GET', url.pathname, { token: chain.token });
  assert.equal(response.status, 200, response.text);
  return response.text.trimEnd().split('\n');
}

/** A gzip file with a header and a row of this many MiB, in many members, each of which compresses 100 to 1. */
export function gzipOfOneLine(mebibytes: number): Buffer {
  const noise = randomBytes(8 * 1024).toString('hex');
  const member = gzipSync(noise.padEnd(1024 * 1024, 'x'));
  return Buffer.concat([gzipSync('sku,price\n'), ...Array<Buffer>(mebibytes).fill(member)]);
}
