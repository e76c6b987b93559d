import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { before } from 'node:test';
import { compressPart } from '../../../src/jobs/gzip-parts.ts';
import { makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, runUpdate } from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';

const mebibyte = 1024 * 1024;
const aisle = await useOwnAisle({
  AISLE_MAX_CATALOG_BYTES: String(2 * mebibyte),
  AISLE_BODY_MEMORY: String(4 * mebibyte),
  AISLE_LOG_LEVEL: 'error',
});
const chain = await makeChain(aisle);
const small = await makeFile(chain, 1);
const large = await makeFile(chain, 50);
let port = 0;
before(async () => {
  port = Number(new URL(await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 })).port);
});

test('a chain can have a limited number of downloads at the same time', async (t) => {
  const other = await makeChain(aisle);
  const path = await makeFile(other, 1);
  // Each chain has 16 MiB, and half of the setting.
  const sockets = await Promise.all(Array.from({ length: 18 }, () => startDownload()));
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const refused = await aisle.call('GET', small, { token: chain.token });
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'], refused.text.slice(0, 200));
  assert.match(refused.body.detail, /Too many large responses/);
  assert.equal((await aisle.call('GET', path, { token: other.token })).status, 200);
  for (const socket of sockets) socket.destroy();
  const isAccepted = async () => (await aisle.call('GET', small, { token: chain.token })).status === 200;
  await waitFor('a download to be accepted', isAccepted);
});

test('a file is not read for HEAD', async () => {
  const response = await aisle.call('HEAD', large, { token: chain.token });
  assert.deepEqual([response.status, response.headers['content-type']], [200, 'text/csv; charset=utf-8']);
  await aisle.db.query('delete from job_file_parts where job_id = $1 and part_no > 0', [large.split('/').at(-2)]);
  // The downloads of a chain take turns, so another one would fail now.
  for (let count = 0; count < 20; count++) await aisle.call('GET', small, { token: chain.token });
  assert.deepEqual(
    aisle.logged.filter((line) => line.includes('The file has expired.')),
    [],
  );
});

/** Returns the path of a file with this many parts, which compress poorly. */
async function makeFile(owner: TestChain, parts: number): Promise<string> {
  await addProducts(aisle, owner, plainProducts(2));
  const { job_id } = await runUpdate(aisle, owner, [
    { sku: 'SKU-00001', price: 2 },
    { sku: 'SKU-00002', price: 2 },
  ]);
  const rows = Array.from({ length: 4096 }, (_, no) => `${randomBytes(120).toString('base64url')},,UPDATED,,${no},\n`);
  await aisle.db.query('delete from job_file_parts where job_id = $1', [job_id]);
  await aisle.db.query(
    `insert into job_file_parts (chain_id, job_id, part_no, bytes) select $1, $2, n, $3 from generate_series(1, $4) n`,
    [owner.chainId, job_id, await compressPart(rows.join('')), parts],
  );
  return `${owner.base}/catalog/jobs/${job_id}/download`;
}

/** Resolves when the response has begun. The rest is not read. */
async function startDownload(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`GET ${large} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${chain.token}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  assert.match(first.toString('latin1'), /^HTTP\/1.1 200/);
  return socket.pause();
}
