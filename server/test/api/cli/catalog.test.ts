import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { createCli } from '../../support/cli.ts';
import { clientOf, listen } from '../../support/sdk.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(30));
const [store = '', other = ''] = chain.vendors;
const client = await clientOf(aisle, chain.token, { chainId: chain.chainId });
const cli = createCli({ AISLE_URL: await listen(aisle), AISLE_TOKEN: chain.token });

test('push applies the valid rows of a CSV file and saves the failed ones', async () => {
  const file = write('prices.csv', 'sku;price\nSKU-00001;2,50\nNOPE;1\n');
  const { exitCode, stdout, stderr } = await cli.run(['catalog', 'push', file, '--store', 'ext-1']);
  assert.equal(exitCode, 7);
  assert.match(stdout, /1 product changed, 0 unchanged, 1 failed/);
  assert.match(stderr, /1 row failed\.\nCorrect the rows in .*prices\.failed\.csv/);
  assert.match(readFileSync(join(cli.folder, 'prices.failed.csv'), 'utf8'), /^sku;price;reason\r?\nNOPE;1;/);
  assert.equal(await priceOf(store, 'SKU-00001'), 2.5);
});

test('push saves the failed rows also if all rows failed', async () => {
  const file = write('unknown.csv', 'sku,price\nNOPE-1,1\nNOPE-2,1\n');
  const { exitCode, stdout } = await cli.run(['catalog', 'push', file, '--store', store]);
  assert.deepEqual([exitCode, /0 products changed, 0 unchanged, 2 failed/.test(stdout)], [7, true], stdout);
  assert.match(readFileSync(join(cli.folder, 'unknown.failed.csv'), 'utf8'), /NOPE-1.*\r?\nNOPE-2/);
});

test('push reads JSON and NDJSON, and --all changes all stores', async () => {
  const json = write('a.json', JSON.stringify([{ sku: 'SKU-00002', price: 3 }]));
  assert.equal((await cli.run(['catalog', 'push', json, '--all'])).exitCode, 0);
  assert.deepEqual([await priceOf(store, 'SKU-00002'), await priceOf(other, 'SKU-00002')], [3, 3]);
  const ndjson = write('b.ndjson', '{"sku":"SKU-00003","price":4}\n\n{"sku":"SKU-00004","price":5}\n');
  const result = JSON.parse((await cli.run(['catalog', 'push', ndjson, '--store', store, '--json'])).stdout);
  assert.deepEqual([result.rows, result.changed, result.failed_rows], [2, 2, null]);
  assert.deepEqual([await priceOf(store, 'SKU-00004'), await priceOf(other, 'SKU-00004')], [5, 1]);
});

test('push and diff read a sheet of an Excel file: other column names, dates, empty cells and rows, and text as it is', async () => {
  const header = ['Item code', 'Selling price', 'Stock', 'Active'];
  const rows = [
    header,
    ['SKU-00011', 0.1 + 0.2, 12, true],
    ['SKU-00012', 1234.5, null, false],
    [],
    ['SKU-00013', '2,50', null, null],
    ['SKU-00014', new Date('2026-05-04T00:00:00Z'), null, null],
    ['007', 1, null, null],
  ];
  const file = await writeBook('prices.xlsx', [
    { name: 'Cover', rows: [['Prices of May']] },
    { name: 'Store 1', rows },
  ]);
  const args = [file, '--store', store, '--sheet'];
  const diff = JSON.parse((await cli.run(['catalog', 'diff', ...args, 'store 1', '--json'])).stdout);
  const errors = diff.items.filter((item: { class: string }) => item.class === 'ERROR');
  assert.deepEqual(
    errors.map(({ row_number, sku }: { row_number: number; sku: string }) => `${row_number} ${sku}`),
    ['6 SKU-00014', '7 007'],
    'with the row numbers of the spreadsheet',
  );
  assert.match(errors[0].message, /price must be a number/);
  const { exitCode, stdout } = await cli.run(['catalog', 'push', ...args, '2']);
  assert.deepEqual([exitCode, /3 products changed, 0 unchanged, 2 failed/.test(stdout)], [7, true], stdout);
  assert.match(
    readFileSync(join(cli.folder, 'prices.failed.csv'), 'utf8'),
    /Selling price.*reason\r?\nSKU-00014,2026-05-04/,
  );
  const prices = ['SKU-00011', 'SKU-00012', 'SKU-00013'].map((sku) => priceOf(store, sku));
  assert.deepEqual(await Promise.all(prices), [0.3, 1234.5, 2.5]);
});

test('an Excel file that cannot be read is explained, with how to save it', async () => {
  const good = await writeBook('good.xlsx', [
    {
      name: 'Prices',
      rows: [
        ['sku', 'price'],
        ['SKU-00015', 4],
      ],
    },
  ]);
  const cases: [string, string | Uint8Array, RegExp][] = [
    ['cut.xlsx', readFileSync(good).subarray(0, 700), /cut\.xlsx is damaged, or is not an Excel workbook/],
    ['text.xlsx', 'sku,price\nSKU-00015,4\n', /text\.xlsx is damaged, or is not an Excel workbook/],
    ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old format \(\.xls\), or is protected by a password/],
  ];
  for (const [name, content, message] of cases) {
    const { exitCode, stderr } = await cli.run(['catalog', 'push', write(name, content), '--store', store]);
    assert.equal(exitCode, 2, stderr);
    assert.match(stderr.replaceAll(/\s+/g, ' '), message);
    assert.match(stderr.replaceAll(/\s+/g, ' '), /save it as an Excel workbook \(\.xlsx\) or as CSV/);
  }
  const unknown = await cli.run(['catalog', 'push', good, '--store', store, '--sheet', 'Stock']);
  assert.match(unknown.stderr, /has no sheet Stock\.\nSheets: Prices/);
  const empty = await cli.run(['catalog', 'push', await writeBook('empty.xlsx', [{ name: 'A', rows: [] }]), '--all']);
  assert.match(empty.stderr, /empty\.xlsx is empty/);
  const csv = await cli.run(['catalog', 'push', write('a.csv', 'sku,price\n'), '--all', '--sheet', '2']);
  assert.match(csv.stderr, /--sheet is only for Excel files/);
  assert.equal(await priceOf(store, 'SKU-00015'), 1);
});

test('a line that is not JSON is reported with its number, and nothing is applied', async () => {
  const file = write('bad.ndjson', '{"sku":"SKU-00005","price":4}\nSKU-00006\n');
  const { exitCode, stderr } = await cli.run(['catalog', 'push', file, '--store', store]);
  assert.equal(exitCode, 2);
  assert.match(stderr, /Line 2 of .*bad\.ndjson is not valid JSON/);
  assert.equal(await priceOf(store, 'SKU-00005'), 1);
});

test('a file that was pushed before is applied again only with --force', async () => {
  const file = write('again.csv', 'sku,price\nSKU-00007,9\n');
  const push = (...more: string[]) => cli.run(['catalog', 'push', file, '--store', store, ...more]);
  await push();
  await client.updateCatalog({ params: { vendor_id: store }, body: { products: [{ sku: 'SKU-00007', price: 1 }] } });
  assert.match((await push()).stdout, /Nothing was applied/);
  assert.equal(await priceOf(store, 'SKU-00007'), 1);
  assert.match((await push('--force')).stdout, /1 product changed/);
  assert.equal(await priceOf(store, 'SKU-00007'), 9);
});

test('diff shows what a push would change, suspicious changes first, and changes nothing', async () => {
  const file = write('diff.csv', 'sku,price\nSKU-00008,1.10\nSKU-00009,100\nSKU-00010,1\n');
  const { exitCode, stdout } = await cli.run(['catalog', 'diff', file, '--store', store]);
  assert.equal(exitCode, 0);
  assert.match(stdout, /SUSPICIOUS +SKU-00009 +price 1 → 100 .*\n.*CHANGED +SKU-00008 +price 1 → 1.1/);
  assert.match(stdout, /0 errors, 1 suspicious, 0 duplicates, 1 changed, 1 unchanged/);
  assert.equal(await priceOf(store, 'SKU-00008'), 1);
  const dry = await cli.run(['catalog', 'push', file, '--store', store, '--dry-run', '--json']);
  assert.equal(JSON.parse(dry.stdout).counts.CHANGED, 1);
});

test('what pull writes can be pushed again without a change', async () => {
  for (const name of ['pulled.csv', 'pulled.ndjson', 'pulled.json', 'pulled.xlsx']) {
    const file = join(cli.folder, name);
    assert.equal((await cli.run(['catalog', 'pull', '--store', store, '--output', file])).exitCode, 0);
    const { stdout, stderr } = await cli.run(['catalog', 'push', file, '--store', store, '--json']);
    const { rows, changed, failed } = JSON.parse(stdout);
    assert.deepEqual([rows, changed, failed], [30, 0, 0], `${name}: ${stderr}`);
  }
  const { stdout } = await cli.run(['catalog', 'pull', '--store', store]);
  assert.equal(stdout.trim().split('\n').length, 31);
});

test('a scheduled push can be cancelled, and jobs can be listed, watched and downloaded', async () => {
  const file = write('later.csv', 'sku,price\nSKU-00011,7\nNOPE,7\n');
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await cli.run(['catalog', 'push', file, '--store', store, '--apply-at', at]);
  const [, job = ''] = /jobs cancel (\S+)/.exec(scheduled.stdout) ?? [];
  assert.equal((await cli.run(['jobs', 'cancel', job])).exitCode, 0);
  const now = await cli.run(['catalog', 'push', file, '--store', store, '--force', '--json']);
  const [id] = JSON.parse(now.stdout).job_ids;
  const list = JSON.parse((await cli.run(['jobs', 'list', '--limit', '1', '--json'])).stdout);
  assert.equal(list[0].job_id, id);
  const watched = await cli.run(['jobs', 'watch', id]);
  assert.deepEqual([watched.exitCode, /1 succeeded, 0 unchanged, 1 failed/.test(watched.stdout)], [7, true]);
  assert.match((await cli.run(['jobs', 'download', id])).stdout, /NOPE,product_not_found,FAILED/);
});

test('a store is required, and --store and --all exclude each other', async () => {
  const file = write('x.csv', 'sku,price\nSKU-00001,1\n');
  const none = await cli.run(['catalog', 'push', file]);
  assert.deepEqual([none.exitCode, /Which store\?/.test(none.stderr)], [2, true]);
  assert.equal((await cli.run(['catalog', 'push', file, '--all', '--store', store])).exitCode, 2);
  assert.equal((await cli.run(['catalog', 'push', 'missing.csv', '--all'])).exitCode, 2);
});

function write(name: string, content: string | Uint8Array): string {
  const path = join(cli.folder, name);
  writeFileSync(path, content);
  return path;
}

async function writeBook(name: string, sheets: WriteSheet[]): Promise<string> {
  return write(name, await writeXlsx({ sheets }));
}

async function priceOf(vendor_id: string, sku: string): Promise<number | undefined> {
  const { products } = await client.listCatalog({ params: { vendor_id }, query: { query_term: sku } });
  return products.find((product) => product.sku === sku)?.price;
}
