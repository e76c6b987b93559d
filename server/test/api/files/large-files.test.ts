import assert from 'node:assert/strict';
import http, { type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { rowReaders } from '../../../src/catalog/index.ts';
import { createFileReader } from '../../../src/files/read-file.ts';
import type { ReadThreads } from '../../../src/files/read-next.ts';
import type { ReadPayload } from '../../../src/files/read-task.ts';
import { readWindow, type WindowInput } from '../../../src/files/read-window.ts';
import { fileTasks } from '../../../src/files/tasks.ts';
import type { Task } from '../../../src/kernel/background/queue.ts';
import { callerFor, makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, readProduct, waitForJob } from '../../support/catalog.ts';
import { gzipOfOneLine, readFailedRows, uploadFile } from '../../support/files.ts';
import { waitFor } from '../../support/wait.ts';

/** Without a worker, so that the tests run the slices themselves. */
const aisle = await useOwnAisle({}, 'api');
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(50));
const call = callerFor(aisle, chain);
const { db } = aisle;

/** More than four windows, so that reading takes several slices. The first product is in the first and the last row. */
const rowCount = 90_000;
const rows = Array.from({ length: rowCount }, (_, index) => `NOWHERE-${index},1`);
const content = ['sku,price', 'SKU-00001,2', ...rows, 'SKU-00001,3', ''].join('\n');

const threads: ReadThreads = {
  run: async (_chainId, input) => readWindow((input as { window: WindowInput }).window, rowReaders),
  close: async () => {},
};
const newReader = () =>
  createFileReader({
    db,
    threads,
    limits: { maxBytes: 1e9, maxRatio: 200 },
    maxPromotionPairs: 1000,
    maxPromotionBytes: 1e6,
  });

async function findPayload(jobId: string): Promise<ReadPayload> {
  const found = await db.query<{ payload: ReadPayload }>(
    "select payload from queue_tasks where chain_id = $1 and kind = 'files.read' and batch = $2",
    [chain.chainId, jobId],
  );
  return found[0]?.payload ?? assert.fail('the file has no task');
}

const countChunks = async (jobId: string) =>
  (await db.query('select 1 from job_chunks where chain_id = $1 and job_id = $2', [chain.chainId, jobId])).length;

for (const [name, bytes] of [
  ['large.csv', Buffer.from(content)],
  ['large.csv.gz', gzipSync(content)],
] as const) {
  test(`a slice of ${name} that is interrupted has no effect, and the next process continues`, async () => {
    const type = 'application/octet-stream';
    const { body } = await uploadFile(aisle, chain, { name, content: bytes, type });
    const jobId = body.job_ids[0] as string;
    const first = newReader();
    let payload = await findPayload(jobId);
    const interrupted = db.transaction(async (tx) => {
      await first.slice(tx, chain.chainId, payload);
      throw new Error('killed');
    });
    await assert.rejects(interrupted, /killed/);
    assert.equal(await countChunks(jobId), 0);

    const slices: number[] = [];
    for (let reader = first; ; reader = newReader()) {
      const result = await db.transaction((tx) => reader.slice(tx, chain.chainId, payload));
      await reader.close();
      slices.push(await countChunks(jobId));
      if (result === 'done') break;
      payload = result.again;
    }
    assert.ok(slices.length > 1, 'the file was read in one slice');
    assert.equal(await db.transaction((tx) => first.slice(tx, chain.chainId, payload)), 'done');
    assert.equal(await countChunks(jobId), slices.at(-1));

    const worker = await aisle.another({}, 'worker');
    const job = await waitForJob(aisle, chain, jobId, 120).finally(worker.stop);
    assert.deepEqual(
      [job.progress.total, job.progress.processed, job.progress.failed],
      [rowCount + 2, rowCount + 2, rowCount],
    );
    assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 3);
    const file = (await call('GET', `/files/${body.file_id}`)).body;
    const failed = (await readFailedRows(aisle, chain, file)) ?? [];
    const reason = 'The vendor has no product with this SKU.';
    assert.deepEqual(failed, ['sku,price,reason', ...rows.map((row) => `${row},${reason}`)]);
    assert.deepEqual(await db.query('select 1 from file_parts where file_id = $1', [body.file_id]), []);
  });
}

for (const slices of [0, 1]) {
  test(`if a job is cancelled after ${slices} slices of its file, the content of the file is deleted`, async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const query = new URLSearchParams({ folder: `/catalog/${chain.vendors[0]}`, name: 'later.csv', apply_at: at });
    const headers = { 'content-type': 'text/csv' };
    const { body } = await call('POST', `/files?${query.toString()}`, { raw: content, headers });
    const [jobId] = body.job_ids;
    const reader = newReader();
    let payload = await findPayload(jobId);
    const slice = () => db.transaction((tx) => reader.slice(tx, chain.chainId, payload));
    for (let count = 0; count < slices; count++) {
      const result = await slice();
      payload = result === 'done' ? assert.fail('the file was read in one slice') : result.again;
    }
    assert.equal((await call('POST', `/catalog/jobs/${jobId}/cancel`)).status, 200);
    assert.equal(await slice(), 'done');
    await reader.close();
    assert.deepEqual(await db.query('select 1 from file_parts where file_id = $1', [body.file_id]), []);
  });
}

test('if reading a file fails on every attempt, its content is deleted', async () => {
  const { body } = await uploadFile(aisle, chain, { name: 'dead.csv', content: 'sku,price\nSKU-00001,4\n' });
  const payload = await findPayload(body.job_ids[0]);
  const task = { chain_id: chain.chainId, payload, attempts: 5 } as unknown as Task;
  const handler = fileTasks(newReader(), { countFile: () => {} })['files.read'];
  await db.transaction(async (tx) => handler?.giveUp(tx, task));
  assert.deepEqual(await db.query('select 1 from file_parts where file_id = $1', [body.file_id]), []);
});

test('of a file with 1 GiB in one line, only the start is read', async () => {
  const upload = { name: 'one-line.csv.gz', content: gzipOfOneLine(1024), type: 'application/gzip' };
  const { body } = await uploadFile(aisle, chain, upload);
  // A reader that goes on would find that the file is incomplete.
  const rest = await db.query('delete from file_parts where file_id = $1 and part_no >= 24 returning part_no', [
    body.file_id,
  ]);
  assert.ok(rest.length > 0);
  const reader = newReader();
  let result: Awaited<ReturnType<typeof reader.slice>> = { again: await findPayload(body.job_ids[0]) };
  while (result !== 'done') {
    const { again } = result as { again: ReadPayload };
    result = await db.transaction((tx) => reader.slice(tx, chain.chainId, again));
  }
  await reader.close();
  const [job] = await db.query<{ error: string }>('select error from jobs where job_id = $1', [body.job_ids[0]]);
  assert.match(job?.error ?? '', /^Line 2, column 1: the row is longer than 1048576 bytes/);
});

test('a file of which a failover loses a part while it is uploaded is rejected', async () => {
  const url = await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${chain.token}`, 'content-type': 'text/csv' };
  const response = Promise.withResolvers<IncomingMessage>();
  const request = http.request(
    `${url}${chain.base}/files?folder=/catalog/all&name=failover.csv`,
    { method: 'POST', headers },
    response.resolve,
  );
  request.on('error', response.reject);
  request.write(content.slice(0, 256 * 1024));
  await waitFor('the first part', async () => {
    const sql = "update files set size = 0 where chain_id = $1 and name = 'failover.csv' and size > 0 returning 1";
    return (await db.query(sql, [chain.chainId])).length > 0;
  });
  request.end();
  const { statusCode } = await response.promise;
  assert.equal(statusCode, 503);
  const states = await db.query("select state from files where chain_id = $1 and name = 'failover.csv'", [
    chain.chainId,
  ]);
  assert.deepEqual(states, [{ state: 'UNFINISHED' }]);
});
