import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { callerFor, makeChain, makeToken, type Response, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { readFailedRows, uploadFile } from '../../support/files.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle({ AISLE_MAX_CATALOG_BYTES: '4000000' });
const chain = await makeChain(aisle);
const [store, otherStore] = chain.vendors as [string, string];
await addProducts(aisle, chain, plainProducts(5));
const call = callerFor(aisle, chain);
const start = new Date(Date.now() - 3_600_000).toISOString();
const end = new Date(Date.now() + 86_400_000).toISOString();
const columns = 'type;name_en_AE;start;end;stores;sku;discount_type;value;active';
const row = (sku: string, value: string, more = '') =>
  `strikethrough;Deal;${start};${end};${store};${sku};final_price;${value};${more}`;

async function runPromotionFile(name: string, lines: string[], token = chain.token): Promise<Response['body']> {
  const plain = `${lines.join('\n')}\n`;
  const content = name.endsWith('.gz') ? gzipSync(plain) : name.endsWith('.cut') ? cutUtf16(plain) : plain;
  const upload = { name, content, folder: '/promotions', token };
  const { status, text, body } = await uploadFile(aisle, chain, upload);
  assert.equal(status, 202, text);
  let job: Response['body'];
  await waitFor(
    'the promotion job to end',
    async () => {
      job = (await call('GET', `/promotion/jobs/${body.job_ids[0]}`)).body;
      return job.job_status !== 'QUEUED';
    },
    60,
  );
  return { job, file: (await call('GET', `/files/${body.file_id}`)).body };
}

/** In UTF-16, without the last byte. */
function cutUtf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le').subarray(0, -1);
}

test('a promotion file in UTF-16 whose last byte is missing is applied', async () => {
  const { job } = await runPromotionFile('deal.cut', [columns, row('SKU-00001', '0,9').replace('Deal', 'Cut deal')]);
  assert.deepEqual([job.job_status, job.result.applied], ['COMPLETED', 1], job.error);
});

test('the rows of a promotion file are applied, and those that failed can be downloaded', async () => {
  const { job, file } = await runPromotionFile('deal.csv', [
    columns,
    row('SKU-00001', '0,5'),
    row('SKU-00002', 'cheap'),
    row('NOWHERE', '0.5'),
    row('SKU-00003', '5'),
    row('SKU-00004', '0.8'),
    row('SKU-00004', '0.7'),
    row('SKU-00005', '0.5').replace('Deal', 'Other deal'),
  ]);
  assert.deepEqual([job.job_status, job.result.applied, job.file_name], ['COMPLETED', 2, 'deal.csv']);
  assert.deepEqual(
    job.result.invalid_rows.map((invalid: { line: number }) => invalid.line),
    [3, 8],
  );
  assert.equal(job.result.invalid_rows[0].reason, 'discount_value must be a number.');
  const { body } = await call('GET', `/promotions/${job.promotion_id}`);
  assert.deepEqual(
    body.discount.map((entry: { sku: string[]; discount_value: number }) => [entry.sku[0], entry.discount_value]),
    [
      ['SKU-00001', 0.5],
      ['SKU-00004', 0.7],
    ],
  );
  assert.deepEqual(body.vendors, [store]);
  const failed = (await readFailedRows(aisle, chain, file)) ?? [];
  assert.deepEqual(
    failed.map((line) => [line.split(';')[5], line.split(';').slice(9).join(';')]),
    [
      ['sku', 'reason'],
      ['SKU-00002', 'discount_value must be a number.'],
      ['NOWHERE', failed[2]?.split(';').slice(9).join(';')],
      ['SKU-00003', failed[3]?.split(';').slice(9).join(';')],
      ['SKU-00005', failed[4]?.split(';').slice(9).join(';')],
    ],
  );
  assert.match(failed[2] ?? '', new RegExp(`${store}: `));
  assert.match(failed[4] ?? '', /belongs to another promotion/);
  const accept = { headers: { accept: 'application/json' } };
  const { body: result } = await call('GET', `/promotion/jobs/${job.job_id}/download`, accept);
  assert.deepEqual(
    result.map((line: { vendor_id: string; sku: string }) => [line.vendor_id, line.sku]),
    [
      ['', 'SKU-00002'],
      ['', 'SKU-00005'],
      [store, 'NOWHERE'],
      [store, 'SKU-00003'],
    ],
  );
});

test('if the promotion in a file is invalid, the job fails with the line and the reason', async () => {
  const { job } = await runPromotionFile('ended.csv', [columns, row('SKU-00001', '0.5').replace(end, start)]);
  assert.deepEqual(
    [job.job_status, job.error],
    ['FAILED', 'unreadable_file: Line 2, column 4: end_time must be after start_time.'],
  );
  const { text } = await call('GET', `/promotion/jobs/${job.job_id}/download`);
  assert.match(text, /unreadable_file,.*end_time must be after start_time/);
});

test('a bad date is reported with its column and without advice about URLs', async () => {
  const { job, file } = await runPromotionFile('date.csv', [columns, row('SKU-00001', '0.5').replace(start, '4 May')]);
  const reason = 'Line 2, column 3: start_time must be a valid time such as 2026-05-04T09:30:00Z.';
  assert.equal(job.error, `unreadable_file: ${reason}`);
  assert.deepEqual(await readFailedRows(aisle, chain, file), ['reason', `"${reason}"`]);
});

test('the rows of a promotion file are not kept if none of them failed', async () => {
  const { job } = await runPromotionFile('plain.csv', [columns, row('SKU-00001', '0.5').replace('Deal', 'Plain deal')]);
  assert.equal(job.job_status, 'COMPLETED', job.error);
  for (const table of ['job_chunks', 'job_failures']) {
    assert.deepEqual(await aisle.db.query(`select 1 from ${table} where job_id = $1`, [job.job_id]), []);
  }
});

test('if every row of a file is wrong, the job fails and the failed rows can be downloaded', async () => {
  const { job, file } = await runPromotionFile('wrong.csv', [columns, row('', '1'), row('SKU-00001', '-1')]);
  assert.deepEqual([job.job_status, job.error?.split(':')[0]], ['FAILED', 'nothing_applied']);
  assert.equal((await readFailedRows(aisle, chain, file))?.length, 3);
});

test("a limited token cannot use a file to change other stores' promotions", async () => {
  const token = await makeToken(aisle, chain.chainId, { vendor_ids: [store] });
  const foreign = row('SKU-00001', '0.5').replace(`;${store};`, `;${otherStore};`);
  const { job } = await runPromotionFile('foreign.csv', [columns, foreign], token);
  assert.deepEqual([job.job_status, job.error?.includes('cannot change these stores')], ['FAILED', true]);
  const own = row('SKU-00001', '0.6').replace(`;${store};`, ';;').replace('Deal', 'Own deal');
  const { job: ownJob } = await runPromotionFile('own.csv', [columns, own], token);
  const { body } = await call('GET', `/promotions/${ownJob.promotion_id}`);
  assert.deepEqual(body.vendors, [store]);
});

test('a promotion file that decompresses to more bytes than a request is rejected', async () => {
  const long = row('SKU-00001', '0.5').replace('Deal', randomBytes(400_000).toString('hex'));
  const { job } = await runPromotionFile('long.csv.gz', [columns, ...Array<string>(6).fill(long)]);
  const reason = 'a promotion file must not be larger than 4000000 bytes, uncompressed';
  assert.deepEqual([job.job_status, job.error], ['FAILED', `unreadable_file: Line 1, column 1: ${reason}.`]);
});

test('a promotion file with several windows of rows returns its failed rows in file order', async () => {
  const count = 21_000;
  const unknown = Array.from({ length: count }, (_, index) => row(`NOWHERE-${index}`, '0.5').replace('Deal', 'Many'));
  const rows = [row('SKU-00001', 'cheap'), ...unknown, row('SKU-00002', 'cheap'), unknown[0] ?? ''];
  const { job, file } = await runPromotionFile('many.csv', [
    columns,
    ...rows.map((text) => text.replace('Deal', 'Many')),
  ]);
  assert.equal(job.job_status, 'FAILED', job.error);
  const failed = (await readFailedRows(aisle, chain, file)) ?? [];
  const skus = failed.slice(1).map((line) => line.split(';')[5]);
  // The first unknown SKU is repeated in the last row, which is the one that counts.
  const expected = ['SKU-00001', ...unknown.slice(1).map((line) => line.split(';')[5]), 'SKU-00002', 'NOWHERE-0'];
  assert.deepEqual(skus, expected);
});

test('promotion files are visible with promotions:read, and all other files with catalog:read', async () => {
  const { file } = await runPromotionFile('secret.csv', [columns, row('NOWHERE', '0.5').replace('Deal', 'Secret')]);
  const { body: other } = await uploadFile(aisle, chain, { name: 'prices.csv', content: 'sku,price\nNOWHERE,1\n' });
  const tokens = await Promise.all(
    ['catalog:read', 'promotions:read'].map((scope) => makeToken(aisle, chain.chainId, { scopes: [scope] })),
  );
  const seen = await Promise.all(
    tokens.map(async (token) => {
      const get = async (path: string) => call('GET', path, { token });
      const { body } = await get('/files?page_size=100');
      const folders = new Set(body.files.map(({ folder }: { folder: string }) => folder === '/promotions'));
      const statuses = await Promise.all(
        [`/files/${file.file_id}`, `/files/${file.file_id}/failed-rows`, `/files/${other.file_id}`].map(
          async (path) => (await get(path)).status,
        ),
      );
      return [[...folders], statuses];
    }),
  );
  assert.deepEqual(seen, [
    [[false], [404, 404, 200]],
    [[true], [200, 200, 404]],
  ]);
});
