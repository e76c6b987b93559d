import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parseCsv, writeCsv } from '@aisle/contract/csv';
import fc from 'fast-check';
import { escapeFormulaSql } from '../../../src/catalog/queries.ts';
import { copyOut } from '../../../src/kernel/database/copy.ts';
import { type Response, makeChain, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { catalogPath, addProducts, putProducts, readLog, waitForJob } from '../../support/catalog.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle);
  [store, otherStore] = chain.vendors as [string, string];
});

const header = 'sku,barcode,price,active,max_sales_quantity,quantity';

const startExport = (options: Record<string, unknown> = {}, vendor = store): Promise<Response> =>
  aisle.call('POST', `${catalogPath(chain, vendor)}/export`, { token: chain.token, ...options });

async function runExport(vendor = store): Promise<Response['body']> {
  const { status, text, body } = await startExport({}, vendor);
  assert.equal(status, 202, text);
  return waitForJob(aisle, chain, body.job_id);
}

async function readExport(jobId: string, accept: string): Promise<Response> {
  const path = `${chain.base}/catalog/jobs/${jobId}/download`;
  return aisle.call('GET', path, { token: chain.token, headers: { accept } });
}

test('an export is a job whose file contains the store’s whole assortment, sorted by SKU', async () => {
  await addProducts(
    aisle,
    chain,
    [
      { sku: 'B', title: 'B', price: 4.5559, barcodes: ['21', '22'], quantity: 7, maximum_sales_quantity: 2 },
      { sku: 'A', title: 'A', price: 10, active: false, quantity: 0 },
      { sku: 'a', title: 'a', price: 0, barcode: '31', maximum_sales_quantity: 0 },
    ],
    [store],
  );
  await addProducts(aisle, chain, [{ sku: 'C', title: 'C', price: 1 }], [otherStore]);
  const { status, body } = await startExport();
  assert.equal(status, 202);
  assert.deepEqual(body, { job_id: body.job_id, job_status: 'QUEUED' });
  const job = await waitForJob(aisle, chain, body.job_id);
  assert.deepEqual([job.job_status, job.job_type, job.vendor_id], ['COMPLETED', 'CATALOG_EXPORT', store]);
  assert.deepEqual(job.progress, { total: 3, processed: 3, succeeded: 3, unchanged: 0, failed: 0 });
  assert.deepEqual(await readLog(aisle, chain, job.job_id), [header, 'A,,10,0,,0', 'B,21,4.555,1,2,7', 'a,31,0,1,0,']);
  const { body: rows } = await readExport(job.job_id, 'application/json');
  assert.deepEqual(rows[1], {
    sku: 'B',
    barcode: '21',
    price: 4.555,
    active: true,
    max_sales_quantity: 2,
    quantity: 7,
  });
  assert.deepEqual(await readLog(aisle, chain, (await runExport(otherStore)).job_id), [header, 'C,,1,1,,']);
});

test('an export can be requested with the vendor’s external id', async () => {
  const { status, body } = await startExport({}, 'ext-2');
  assert.equal(status, 202);
  assert.equal((await waitForJob(aisle, chain, body.job_id)).vendor_id, otherStore);
});

test('the body of an export request is ignored', async () => {
  const json = { 'content-type': 'application/json' };
  for (const options of [
    { body: { vendors: ['x'] } },
    { raw: '{"broken', headers: json },
    { raw: '', headers: json },
    { raw: 'hello', headers: { 'content-type': 'text/plain' } },
    { raw: Buffer.from([0xff, 0, 1]), headers: { 'content-type': 'application/octet-stream' } },
  ]) {
    const { status, text, body } = await startExport(options);
    assert.equal(status, 202, text);
    assert.equal((await waitForJob(aisle, chain, body.job_id)).job_status, 'COMPLETED');
  }
});

test('an export includes the single updates made before it', async () => {
  await putProducts(aisle, chain, [{ sku: 'A', price: 77.7, active: true }]);
  assert.ok((await readLog(aisle, chain, (await runExport()).job_id)).includes('A,,77.7,1,,0'));
});

test('an export requires catalog:write for the store', async () => {
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  const elsewhere = await makeToken(aisle, chain.chainId, { vendor_ids: [otherStore] });
  const cases: [string | undefined, string, number, string][] = [
    [undefined, store, 401, 'invalid_token'],
    [reader, store, 403, 'forbidden'],
    [elsewhere, store, 403, 'forbidden'],
    [chain.token, 'nope', 404, 'vendor_not_found'],
  ];
  for (const [token, vendor, status, code] of cases) {
    const response = await startExport({ token }, vendor);
    assert.deepEqual([response.status, response.body.code], [status, code]);
  }
});

test('every SKU is exported unchanged, and no cell can be run as a formula', async () => {
  const odd = await makeChain(aisle, { vendors: 1 });
  const cells: [string, string][] = [
    ['\n=x', `"'\n=x"`],
    ['\t', "'\t"],
    ['\r', `"'\r"`],
    ['  spaces  ', '  spaces  '],
    ['"', '""""'],
    ["''@x", "'''@x"],
    ["'=x", "''=x"],
    ["'plain'", "'plain'"],
    ['+1', "'+1"],
    [',', '","'],
    ['-1', "'-1"],
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\\N', '\\N'],
    ['\\.', '\\.'],
    ['a\\tb\\', 'a\\tb\\'],
    ['two\nlines', '"two\nlines"'],
    ['حليب', 'حليب'],
    ['🥛'.repeat(64), '🥛'.repeat(64)],
  ];
  // Inserted directly, because only earlier versions accepted a SKU with spaces around it.
  await aisle.db.query(
    `with made as (
       insert into products (chain_id, sku, titles, search_text)
       select $1, sku, '{}', '' from unnest($3::text[]) as given (sku) returning sku)
     insert into offers (chain_id, vendor_id, sku, price, active) select $1, $2, sku, 1, true from made`,
    [odd.chainId, odd.vendors[0], cells.map(([sku]) => sku)],
  );
  const { body } = await aisle.call('POST', `${catalogPath(odd)}/export`, { token: odd.token });
  const job = await waitForJob(aisle, odd, body.job_id);
  assert.equal(job.progress.total, cells.length);
  const read = (accept: string) =>
    aisle.call('GET', `${odd.base}/catalog/jobs/${job.job_id}/download`, { token: odd.token, headers: { accept } });
  const { text } = await read('text/csv');
  for (const [, cell] of cells) {
    const line = `\n${cell},,1,1,,\n`;
    assert.ok(text.includes(line), `${JSON.stringify(line)} is missing in ${text}`);
  }
  const skus = (await read('application/json')).body.map((row: { sku: string }) => row.sku);
  assert.deepEqual(skus.toSorted(), cells.map(([sku]) => sku).toSorted());
});

test('the SQL and TypeScript functions write the same CSV for any text', async () => {
  const special = fc.constantFrom(
    "'",
    '=',
    '＝',
    '＠',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '"',
    ',',
    '\\',
    '.',
    'a',
    '5',
    'é',
    '🥛',
  );
  const any = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0'));
  const cells = fc.sample(fc.oneof(fc.string({ unit: special, minLength: 1, maxLength: 6 }), any), 3000);
  await aisle.db.query('create table csv_cells (number integer, cell text)');
  await aisle.db.query(
    'insert into csv_cells select number, cell from unnest($1::text[]) with ordinality as c (cell, number)',
    [cells],
  );
  const query = `select number, ${escapeFormulaSql('cell')} from csv_cells order by number`;
  const parts = await Array.fromAsync(copyOut(aisle.db, query));
  const rows = cells.map((cell, index) => [String(index + 1), cell]);
  const text = Buffer.concat(parts).toString('utf8');
  assert.equal(text, writeCsv(rows));
  assert.deepEqual([...parseCsv(text)], rows);
});

test('a large export is a consistent snapshot, stored in parts', async () => {
  const large = await makeChain(aisle, { vendors: 1 });
  const vendor = large.vendors[0] as string;
  const count = 40_000;
  await aisle.db.query(
    `with numbers as (select to_char(n, 'FM"LONG-STOCK-KEEPING-UNIT-"000000') as sku from generate_series(1, $3::int) n),
       made as (
         insert into products (chain_id, sku, titles, search_text) select $1, sku, '{}', '' from numbers returning sku)
     insert into offers (chain_id, vendor_id, sku, price, active) select $1, $2, sku, 1, true from made`,
    [large.chainId, vendor, count],
  );
  // The first and the last offer always have the same price. If the prices differ in a file, it is not a snapshot.
  const ends = [1, count].map((n) => `LONG-STOCK-KEEPING-UNIT-${String(n).padStart(6, '0')}`);
  let isDone = false;
  const changes = (async () => {
    for (let price = 1; !isDone; price++) {
      await aisle.db.query('update offers set price = $4 where chain_id = $1 and vendor_id = $2 and sku = any ($3)', [
        large.chainId,
        vendor,
        ends,
        price,
      ]);
    }
  })();
  try {
    for (let round = 0; round < 2; round++) {
      const { body } = await aisle.call('POST', `${catalogPath(large)}/export`, { token: large.token });
      const job = await waitForJob(aisle, large, body.job_id, 60);
      assert.equal(job.progress.total, count);
      const log = await readLog(aisle, large, job.job_id);
      assert.equal(log.length, count + 1);
      assert.equal(log[1]?.split(',')[2], log[count]?.split(',')[2]);
      const [parts] = await aisle.db.query<{ count: number }>(
        'select count(*)::int as count from job_file_parts where job_id = $1',
        [job.job_id],
      );
      assert.ok((parts?.count ?? 0) >= 2, `${parts?.count} parts`);
      const path = `${large.base}/catalog/jobs/${job.job_id}/download`;
      const json = await aisle.call('GET', path, { token: large.token, headers: { accept: 'application/json' } });
      assert.equal(new Set(json.body.map((row: { sku: string }) => row.sku)).size, count);
    }
  } finally {
    isDone = true;
    await changes;
  }
});
