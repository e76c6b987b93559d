import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { lockLanes } from '../../../src/kernel/background/queue.ts';
import { type Response, makeChain, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import {
  catalogPath,
  addProducts,
  plainProducts,
  putProducts,
  readLog,
  readOffers,
  readProduct,
  runUpdate,
  sendUpdate,
  waitForJob,
} from '../../support/catalog.ts';

let aisle: TestAisle;
let chain: TestChain;

before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(20));
});

const countJobs = async () => (await aisle.db.query('select 1 from jobs where chain_id = $1', [chain.chainId])).length;
const sendRaw = (raw: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  aisle.call('PUT', catalogPath(chain), { token: chain.token, raw, headers });

/** Checks that a malformed document is rejected before a job is created. */
async function assertDocumentRejected(raw: string | Buffer, pointer: string, code: string): Promise<void> {
  const jobs = await countJobs();
  const { status, body } = await sendRaw(raw);
  assert.equal(status, 400);
  assert.deepEqual([body.code, body.errors[0].pointer, body.errors[0].code], ['invalid_request', pointer, code]);
  assert.equal(await countJobs(), jobs);
}

test('the result file lists the outcome of every item in request order', async () => {
  const job = await runUpdate(aisle, chain, [
    { sku: 'SKU-00001', price: 2.5, barcode: '4001' },
    { sku: 'SKU-00002', quantity: 5 },
    { sku: 'NOWHERE', price: 1, barcode: '123' },
    { sku: 'SKU-00003', price: '5', barcode: '12' },
    { price: 5 },
    { sku: 'SKU-00004', price: 7 },
    { sku: 'SKU-00004', quantity: 8 },
    { sku: 'SKU-00005' },
    { sku: 'SKU-00006', price: -1, active: 'yes' },
  ]);
  assert.deepEqual(await readLog(aisle, chain, job.job_id), [
    'sku,code,state,errors,rowNumber,pieceBarcode',
    'SKU-00001,,UPDATED,,1,4001',
    'SKU-00002,,UNCHANGED,,2,',
    'NOWHERE,product_not_found,FAILED,"The vendor has no product with this SKU.",3,123',
    'SKU-00003,wrong_type,FAILED,"price must be a number from 0 to 9999999.999.",4,12',
    ',missing,FAILED,"sku must be a string of 1 to 64 characters.",5,',
    'SKU-00004,given_again,SUPERSEDED,"The SKU appears again in row 7; the last one is used.",6,',
    'SKU-00004,,UPDATED,,7,',
    'SKU-00005,nothing_to_update,FAILED,"at least one of barcode, quantity, price, active, maximum_sales_quantity is required.",8,',
    'SKU-00006,out_of_range,FAILED,"price must be a number from 0 to 9999999.999; active must be true or false.",9,',
  ]);
  assert.deepEqual(job.progress, { total: 9, processed: 9, succeeded: 2, unchanged: 2, failed: 5 });
  assert.equal(job.job_status, 'COMPLETED');
});

test('items in a bulk update follow the same rules as those in a single update', async () => {
  await runUpdate(aisle, chain, [
    { sku: 'SKU-00007', price: 4.5559, quantity: null, active: false, max_sales_quantity: 3, barcode: '4007' },
    { sku: 'SKU-00008', price: null, active: null, barcode: null, maximum_sales_quantity: 0 },
    { sku: 'SKU-00009', title: 'ignored', quantity: 9 },
  ]);
  const [seven, eight, nine] = await Promise.all(
    ['SKU-00007', 'SKU-00008', 'SKU-00009'].map((sku) => readProduct(aisle, chain, sku)),
  );
  assert.deepEqual(
    [seven.price, seven.quantity, seven.active, seven.maximum_sales_quantity, seven.barcodes],
    [4.555, null, false, 3, ['4007']],
  );
  assert.deepEqual([eight.price, eight.quantity, eight.active, eight.maximum_sales_quantity], [1, 5, true, 0]);
  assert.deepEqual([nine.price, nine.quantity, nine.active, nine.title], [1, 9, true, 'Product 9']);
  await runUpdate(aisle, chain, [{ sku: 'SKU-00007', maximum_sales_quantity: null }]);
  assert.equal((await readProduct(aisle, chain, 'SKU-00007')).maximum_sales_quantity, null);
});

test('a job changes only its own vendor’s offers, but barcodes are changed for the whole chain', async () => {
  const [, otherStore] = chain.vendors;
  await runUpdate(aisle, chain, [{ sku: 'SKU-00010', price: 33, barcode: '4010' }]);
  const other = await readProduct(aisle, chain, 'SKU-00010', otherStore);
  assert.deepEqual([other.price, other.barcodes], [1, ['4010']]);
});

test('an invalid item does not affect the items around it', async () => {
  const bad = [{ sku: 'SKU-00011', price: {} }, { sku: 7 }, {}, { sku: 'x'.repeat(100_000), price: 1 }];
  for (const item of bad) {
    const price = 50 + bad.indexOf(item);
    const job = await runUpdate(aisle, chain, [{ sku: 'SKU-00011', price }, item, { sku: 'SKU-00012', price }]);
    assert.deepEqual(job.progress, { total: 3, processed: 3, succeeded: 2, unchanged: 0, failed: 1 });
    assert.equal((await readProduct(aisle, chain, 'SKU-00012')).price, price);
  }
});

test('a valid item is applied even if it follows a thousand invalid ones', async () => {
  const bad = Array.from({ length: 1200 }, (_, index) => ({ sku: `BAD-${index}`, price: 'free' }));
  const job = await runUpdate(aisle, chain, [...bad, { sku: 'SKU-00013', price: 13 }]);
  assert.equal(job.job_status, 'COMPLETED');
  assert.deepEqual(job.progress, { total: 1201, processed: 1201, succeeded: 1, unchanged: 0, failed: 1200 });
  assert.equal(job.result.item_level_feedback.length, 1000);
  assert.deepEqual(job.result.item_level_feedback.at(-1), {
    sku: 'BAD-999',
    vendor_id: chain.vendors[0],
    status: 'FAILED',
    code: 'wrong_type',
    rejection_reasons: [{ rejected_data: 'free', rejected_reason: 'price must be a number from 0 to 9999999.999.' }],
  });
  assert.equal((await readLog(aisle, chain, job.job_id)).length, 1202);
});

test('a job fails if all of its items are invalid', async () => {
  const stored = await readOffers(aisle, chain);
  const job = await runUpdate(aisle, chain, [{ sku: 'NOWHERE', price: 1 }, { sku: 'SKU-00001', price: 'x' }, {}]);
  assert.equal(job.job_status, 'FAILED');
  assert.equal(job.error, 'All items failed; the result file has the reasons.');
  assert.deepEqual(job.progress, { total: 3, processed: 3, succeeded: 0, unchanged: 0, failed: 3 });
  assert.equal((await readLog(aisle, chain, job.job_id)).length, 4);
  assert.deepEqual(await readOffers(aisle, chain), stored);
});

test('if a SKU occurs several times, only its last valid item is applied, and fields are not merged', async () => {
  await runUpdate(aisle, chain, [{ sku: 'SKU-00014', price: 1, quantity: 1 }]);
  const job = await runUpdate(aisle, chain, [
    { sku: 'SKU-00014', price: 40 },
    { sku: 'SKU-00014', price: 41, active: false },
    { sku: 'SKU-00014', quantity: 42 },
    { sku: 'SKU-00014', price: 'bad' },
  ]);
  const log = await readLog(aisle, chain, job.job_id);
  assert.deepEqual(
    log.slice(1).map((line) => line.split(',')[2]),
    ['SUPERSEDED', 'SUPERSEDED', 'UPDATED', 'FAILED'],
  );
  assert.match(log[1] ?? '', /again in row 2/);
  assert.match(log[2] ?? '', /again in row 3/);
  assert.deepEqual(job.progress, { total: 4, processed: 4, succeeded: 1, unchanged: 2, failed: 1 });
  const product = await readProduct(aisle, chain, 'SKU-00014');
  assert.deepEqual([product.price, product.active, product.quantity], [1, true, 42]);
});

test('items that match the stored values are reported as UNCHANGED and write no rows', async () => {
  await runUpdate(aisle, chain, [
    { sku: 'SKU-00015', price: 1.5, quantity: null, active: false, maximum_sales_quantity: 2, barcode: '4015' },
    { sku: 'SKU-00016', maximum_sales_quantity: null },
  ]);
  const stored = await readOffers(aisle, chain);
  const job = await runUpdate(aisle, chain, [
    { sku: 'SKU-00015', price: 1.5, quantity: null, active: false, maximum_sales_quantity: 2, barcode: '4015' },
    { sku: 'SKU-00016', price: 1.0009, quantity: 5, active: true, maximum_sales_quantity: null },
    { sku: 'SKU-00017', active: true },
  ]);
  assert.deepEqual(job.progress, { total: 3, processed: 3, succeeded: 0, unchanged: 3, failed: 0 });
  assert.equal(job.job_status, 'COMPLETED');
  assert.deepEqual((await readLog(aisle, chain, job.job_id)).slice(1), [
    'SKU-00015,,UNCHANGED,,1,4015',
    'SKU-00016,,UNCHANGED,,2,',
    'SKU-00017,,UNCHANGED,,3,',
  ]);
  assert.deepEqual(await readOffers(aisle, chain), stored);
});

test('a new barcode alone counts as an update', async () => {
  const job = await runUpdate(aisle, chain, [
    { sku: 'SKU-00018', barcode: '4018' },
    { sku: 'SKU-00019', price: 1 },
  ]);
  assert.deepEqual(job.progress, { total: 2, processed: 2, succeeded: 1, unchanged: 1, failed: 0 });
  assert.deepEqual((await readProduct(aisle, chain, 'SKU-00018')).barcodes, ['4018']);
});

test('a vendor cannot set the barcode of a product it does not have', async () => {
  const [store, otherStore] = chain.vendors;
  await addProducts(aisle, chain, [{ sku: 'OTHERS', title: 'Others', price: 1, barcode: '1' }], [otherStore as string]);
  const job = await runUpdate(aisle, chain, [{ sku: 'OTHERS', barcode: '2' }], store);
  assert.equal(job.job_status, 'FAILED');
  assert.deepEqual((await readProduct(aisle, chain, 'OTHERS', otherStore)).barcodes, ['1']);
});

test('a malformed document is rejected before a job is created', async () => {
  const good = '{"sku":"SKU-00001","price":1}';
  await assertDocumentRejected(Buffer.from(`{"products":[${good},{"sku":"caf\xe9"}]}`, 'latin1'), '', 'malformed_utf8');
  await assertDocumentRejected(`[${good},${good}]`, '', 'wrong_type');
  await assertDocumentRejected(`{"products":[${good},${good}`, '', 'malformed_json');
  await assertDocumentRejected(`{"products":[${good},[]]}`, '/products/1', 'wrong_type');
  await assertDocumentRejected(`{"products":[${good},null]}`, '/products/1', 'wrong_type');
  await assertDocumentRejected(`{"products":[]}`, '/products', 'too_short');
  await assertDocumentRejected(`{"product":[${good},${good}]}`, '/products', 'missing');
});

test('an update is visible to the next read as soon as its job is completed', async () => {
  for (let price = 100; price < 110; price++) {
    await runUpdate(aisle, chain, [
      { sku: 'SKU-00019', price },
      { sku: 'SKU-00020', price },
    ]);
    assert.equal((await readProduct(aisle, chain, 'SKU-00020')).price, price);
  }
});

test('concurrent updates are applied one at a time in the order they were accepted', async () => {
  const prices = Array.from({ length: 30 }, (_, index) => 200 + index);
  const jobIds = await Promise.all(
    prices.map((price) =>
      sendUpdate(aisle, chain, [
        { sku: 'SKU-00001', price },
        { sku: 'SKU-00002', price },
      ]),
    ),
  );
  const jobs: Response['body'][] = [];
  // One after the other, because 30 polling clients would slow the jobs down.
  for (const jobId of jobIds) jobs.push(await waitForJob(aisle, chain, jobId, 120));
  assert.deepEqual(
    jobs.map((job) => job.progress.succeeded),
    prices.map(() => 2),
  );
  const accepted = await aisle.db.query<{ job_id: string }>(
    'select job_id from jobs where job_id = any ($1) order by acceptance_no',
    [jobIds],
  );
  const ended = await aisle.db.query<{ job_id: string }>(
    `select body ->> 'job_id' as job_id from events where body ->> 'job_id' = any ($1) order by event_no`,
    [jobIds],
  );
  assert.deepEqual(ended, accepted);
  const last = prices[jobIds.indexOf(accepted.at(-1)?.job_id ?? '')];
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, last);
  assert.equal((await readProduct(aisle, chain, 'SKU-00002')).price, last);
});

test('an update repeated with the same idempotency key creates only one job', async () => {
  const headers = { 'idempotency-key': 'bulk' };
  const items = [
    { sku: 'SKU-00001', price: 1 },
    { sku: 'SKU-00002', price: 1 },
  ];
  const first = await putProducts(aisle, chain, items, { headers });
  const jobs = await countJobs();
  const again = await putProducts(aisle, chain, items, { headers });
  assert.deepEqual([first.status, again.status, again.text], [202, 202, first.text]);
  assert.equal(await countJobs(), jobs);
  await waitForJob(aisle, chain, first.body.job_id);
});

test('a large update with an idempotency key survives the loss of its database connection', async () => {
  const items = Array.from({ length: 4000 }, (_, index) => ({ sku: `SKU-${index}`, price: 1, note: 'x'.repeat(30) }));
  const { response } = await aisle.db.transaction(async (tx) => {
    const lane = `vendor ${chain.chainId} ${chain.vendors[0]}`;
    await lockLanes(tx, [lane]);
    /** Finds a connection, other than the given one, that is waiting for the vendor's lane. */
    const findWaiting = async (other: number) => {
      const rows = await tx.query<{ pid: number }>(
        `select pid from pg_locks where not granted and locktype = 'advisory' and pid <> $1
         and database = (select oid from pg_database where datname = current_database())`,
        [other],
      );
      return rows[0]?.pid;
    };
    const sent = putProducts(aisle, chain, items, { headers: { 'idempotency-key': 'lost' } });
    const first = await poll(() => findWaiting(0));
    await tx.query('select pg_terminate_backend($1::int)', [first]);
    await poll(() => findWaiting(first));
    return { response: sent };
  });
  const { status, text, body } = await response;
  assert.equal(status, 202, text);
  assert.equal((await waitForJob(aisle, chain, body.job_id)).progress.total, 4000);
});

test('the request limits can be lowered in the configuration', async () => {
  const small = await aisle.another({ AISLE_MAX_CATALOG_BYTES: '2048', AISLE_MAX_CATALOG_ITEMS: '3' });
  try {
    const send = (raw: string | Buffer, headers: Record<string, string> = {}) =>
      small.call('PUT', catalogPath(chain), { token: chain.token, raw, headers });
    const text = JSON.stringify({ products: [{ sku: 'SKU-00001', price: 1 }] });
    assert.equal((await send(text.padEnd(2048))).status, 200);
    const over = await send(text.padEnd(2049));
    assert.deepEqual([over.status, over.body.code, over.body.limit_bytes], [413, 'payload_too_large', 2048]);
    const compressed = await send(gzipSync(text.padEnd(2049)), { 'content-encoding': 'gzip' });
    assert.deepEqual([compressed.status, compressed.body.code], [413, 'payload_too_large']);
    assert.equal((await send(text.padEnd(2049), { 'content-type': 'text/plain' })).status, 413);
    assert.equal((await putProducts(small, chain, plainProducts(3))).status, 202);
    const many = await putProducts(small, chain, plainProducts(4));
    assert.deepEqual([many.status, many.body.errors[0].code], [400, 'too_long']);
  } finally {
    await small.stop();
  }
});

test('200,000 items in 64 MiB are accepted as one job, but one more item or byte is rejected', async () => {
  const maxBytes = 64 * 1024 * 1024;
  const known = new Map([1, 10_000, 10_001, 199_999].map((row, index) => [row, `SKU-0000${index + 1}`]));
  const note = 'x'.repeat(280);
  const items = Array.from({ length: 200_000 }, (_, index) => {
    const sku = known.get(index + 1) ?? (index === 4 ? 'SKU-00004' : `FAR-${index + 1}`);
    return `{"sku":"${sku}","price":${700 + (index % 100)},"note":"${note}"}`;
  });
  const body = Buffer.alloc(maxBytes, ' ');
  assert.ok(body.write(`{"products":[${items.join(',')}]}`) < maxBytes);

  const jobs = await countJobs();
  const over = await sendRaw(Buffer.concat([body, Buffer.from(' ')]));
  assert.deepEqual([over.status, over.body.code, over.body.limit_bytes], [413, 'payload_too_large', maxBytes]);
  await assertDocumentRejected(
    `{"products":[${'{"sku":"A","price":1},'.repeat(200_000)}{"sku":"A"}]}`,
    '/products',
    'too_long',
  );
  assert.equal(await countJobs(), jobs);

  const response = await sendRaw(body);
  assert.equal(response.status, 202, response.text);
  const job = await waitForJob(aisle, chain, response.body.job_id, 120);
  assert.equal(job.job_status, 'COMPLETED');
  assert.deepEqual(job.progress, { total: 200_000, processed: 200_000, succeeded: 4, unchanged: 1, failed: 199_995 });
  assert.equal(job.result.item_level_feedback.length, 1000);
  const log = await readLog(aisle, chain, job.job_id);
  const byRow = new Map(log.slice(1).map((line) => [Number(line.split(',').at(-2)), line]));
  assert.deepEqual([log.length, byRow.size], [200_001, 200_000]);
  assert.match(byRow.get(5) ?? '', /^SKU-00004,given_again,SUPERSEDED,.*row 199999;/);
  assert.match(byRow.get(199_999) ?? '', /^SKU-00004,,UPDATED/);
  assert.match(byRow.get(200_000) ?? '', /^FAR-200000,product_not_found,FAILED/);
  assert.equal((await readProduct(aisle, chain, 'SKU-00003')).price, 700);
});

test('hostile bodies are rejected quickly and the server keeps working', async () => {
  const maxBytes = 64 * 1024 * 1024;
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const bodies: [string, string | Buffer][] = [
    ['only opening brackets', Buffer.alloc(maxBytes, '[')],
    ['only nested objects', Buffer.alloc(maxBytes, '{"a":')],
    ['nesting up to the size limit', `{"products":[{"sku":"SKU-00001","x":${nested(maxBytes / 2 - 50)}}]}`],
    ['millions of values', `{"products":[{"sku":"SKU-00001","x":[${'{},'.repeat(21_000_000)}{}]}]}`],
    ['one giant string', `{"products":[{"sku":"${'a'.repeat(maxBytes - 40)}"}]}`],
    ['one giant number', `{"products":[{"sku":"SKU-00001","price":${'9'.repeat(maxBytes - 60)}}]}`],
    ['millions of different names', manyNames(maxBytes)],
    ['only zero bytes', Buffer.alloc(maxBytes)],
  ];
  for (const [what, raw] of bodies) {
    const started = performance.now();
    const { status, text } = await sendRaw(raw);
    assert.equal(status, 400, `${what}: ${text}`);
    const seconds = (performance.now() - started) / 1000;
    assert.ok(seconds < 20, `${what} took ${seconds} s`);
  }
  assert.equal((await putProducts(aisle, chain, [{ sku: 'SKU-00001', price: 1 }])).status, 200);
});

function manyNames(maxBytes: number): Buffer {
  const body = Buffer.alloc(maxBytes, ' ');
  let at = body.write('{"products":[{"sku":"SKU-00001"');
  for (let name = 0; at < maxBytes - 20; name++) at += body.write(`,"${name.toString(36)}":1`, at);
  body.write('}]}', at);
  return body;
}

test('a deeply nested item in a small body fails without affecting the other items', async () => {
  const nested = '['.repeat(40_000) + ']'.repeat(40_000);
  const item = (fields: string) => `{"sku":"SKU-00001",${fields}}`;
  const single = await sendRaw(`{"products":[${item(`"price":${nested}`)}]}`);
  assert.deepEqual([single.status, single.body.errors[0].pointer], [400, '/products/0/price']);
  const { status, text, body } = await sendRaw(`{"products":[${item(`"price":${nested}`)},${item('"price":321')}]}`);
  assert.equal(status, 202, text);
  assert.equal((await waitForJob(aisle, chain, body.job_id)).progress.succeeded, 1);
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 321);
});

async function poll<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    assert.ok(Date.now() < deadline, 'no result within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
