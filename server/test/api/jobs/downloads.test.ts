import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { copyOut } from '../../../src/kernel/database/copy.ts';
import { readConfig } from '../../../src/config.ts';
import { jobChores } from '../../../src/jobs/chores.ts';
import { newIdIn } from '../../../src/kernel/values/ids.ts';
import { readPieces } from '../../../src/jobs/index.ts';
import { runChore } from '../../support/chores.ts';
import {
  type Response,
  makeChain,
  makeToken,
  startTestAisle,
  type OwnAisle,
  type TestChain,
} from '../../support/aisle.ts';
import { catalogPath, addProducts, plainProducts, readLog, runUpdate, waitForJob } from '../../support/catalog.ts';

let aisle: OwnAisle;
let chain: TestChain;
let jobId: string;

before(async () => {
  aisle = await startTestAisle();
  chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(3));
  const items = [
    { sku: 'SKU-00001', price: 2, barcode: '4001' },
    { sku: 'NO"WHERE', price: 1 },
    { sku: 'SKU-00002', price: 1 },
  ];
  jobId = (await runUpdate(aisle, chain, items)).job_id;
});
after(() => aisle.stop());

const download = (accept?: string, id = jobId, token: string | undefined = chain.token): Promise<Response> =>
  aisle.call('GET', `${chain.base}/catalog/jobs/${id}/download`, { token, headers: accept ? { accept } : {} });

const rows = [
  { sku: 'SKU-00001', code: null, state: 'UPDATED', errors: null, rowNumber: 1, pieceBarcode: '4001' },
  {
    sku: 'NO"WHERE',
    code: 'product_not_found',
    state: 'FAILED',
    errors: 'The vendor has no product with this SKU.',
    rowNumber: 2,
    pieceBarcode: null,
  },
  { sku: 'SKU-00002', code: null, state: 'UNCHANGED', errors: null, rowNumber: 3, pieceBarcode: null },
];

const csv = `sku,code,state,errors,rowNumber,pieceBarcode
SKU-00001,,UPDATED,,1,4001
"NO""WHERE",product_not_found,FAILED,"The vendor has no product with this SKU.",2,
SKU-00002,,UNCHANGED,,3,
`;

test('an export that is not read to its end does not leave a broken connection behind', async () => {
  for (let count = 0; count < 3; count++) {
    for await (const chunk of copyOut(aisle.db, 'select generate_series(1, 300000)')) {
      assert.ok(chunk.length > 0);
      break;
    }
  }
  const results = await Promise.all(Array.from({ length: 20 }, () => aisle.db.query('select 1 as one')));
  assert.deepEqual(
    results.flat(),
    results.map(() => ({ one: 1 })),
  );
});

test("a job's file is CSV with a header row by default", async () => {
  for (const accept of [undefined, '*/*', 'text/csv', 'text/html, text/csv;q=0.5', 'image/png', '']) {
    const { status, text, headers } = await download(accept);
    assert.equal(status, 200);
    assert.equal(text, csv);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(headers['content-disposition'], `attachment; filename="catalog_update-${jobId}.csv"`);
  }
});

test("a job's file is also available as a JSON array of objects keyed by the header", async () => {
  for (const accept of ['application/json', 'Application/JSON; q=0.9', 'text/html, application/json']) {
    const { status, body, headers } = await download(accept);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(body, rows);
  }
});

test("a job's file is also available as NDJSON", async () => {
  const { status, text, headers } = await download('application/x-ndjson');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8');
  assert.ok(text.endsWith('}\n'));
  assert.deepEqual(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    rows,
  );
});

test('a client that accepts gzip gets one gzip file, even if it prefers another encoding', async () => {
  for (const encoding of ['gzip', 'zstd, br, gzip;q=0.1']) {
    const { statusCode, headers, rawPayload } = await aisle.aisle.http.inject({
      url: `${chain.base}/catalog/jobs/${jobId}/download`,
      headers: { authorization: `Bearer ${chain.token}`, 'accept-encoding': encoding },
    });
    assert.deepEqual(
      [statusCode, headers['content-encoding'], headers['vary']],
      [200, 'gzip', 'accept, accept-encoding'],
    );
    assert.equal(gunzipSync(rawPayload).toString(), csv);
    // The trailer has the length of the whole text, so the parts were joined into one gzip file.
    assert.equal(rawPayload.readUInt32LE(rawPayload.length - 4), csv.length);
  }
});

test('a file whose parts were stored by an earlier version can still be downloaded', async () => {
  const { job_id } = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]);
  const expected = (await download(undefined, job_id)).text;
  const [line = ''] = expected.split('\n').slice(1);
  await aisle.db.query('update job_file_parts set bytes = $2 where job_id = $1', [job_id, gzipSync(`${line}\n`)]);
  assert.equal((await download(undefined, job_id)).text, expected);
  const { rawPayload } = await aisle.aisle.http.inject({
    url: `${chain.base}/catalog/jobs/${job_id}/download`,
    headers: { authorization: `Bearer ${chain.token}`, 'accept-encoding': 'gzip' },
  });
  assert.equal(gunzipSync(rawPayload).toString(), expected);
});

test('an export downloaded as JSON has numbers, booleans and null', async () => {
  const small = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, small, [
    { sku: '1', title: 'One', price: 1.25, barcode: '0012', quantity: 0, maximum_sales_quantity: 3 },
    { sku: '2', title: 'Two', price: 2, active: false },
  ]);
  const { body } = await aisle.call('POST', `${catalogPath(small)}/export`, { token: small.token });
  await waitForJob(aisle, small, body.job_id);
  const read = (accept: string) =>
    aisle.call('GET', `${small.base}/catalog/jobs/${body.job_id}/download`, {
      token: small.token,
      headers: { accept },
    });
  assert.deepEqual((await read('application/json')).body, [
    { sku: '1', barcode: '0012', price: 1.25, active: true, max_sales_quantity: 3, quantity: 0 },
    { sku: '2', barcode: null, price: 2, active: false, max_sales_quantity: null, quantity: null },
  ]);
  assert.equal(
    (await read('text/csv')).text,
    'sku,barcode,price,active,max_sales_quantity,quantity\n1,0012,1.25,1,3,0\n2,,2,0,,\n',
  );
});

test('download_url is the absolute URL of the file', async () => {
  const { body } = await aisle.call('GET', `${chain.base}/catalog/jobs/${jobId}`, { token: chain.token });
  assert.equal(body.download_url, body.result.download_url);
  const address = new URL(body.download_url);
  assert.equal(address.origin, 'http://aisle.test');
  assert.equal(address.pathname, `${chain.base}/catalog/jobs/${jobId}/download`);
  assert.equal((await aisle.call('GET', address.pathname, { token: chain.token })).text, csv);
});

test('every SKU is written as valid CSV that cannot be run as a formula, and is unchanged in JSON', async () => {
  const skus: [string, string][] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ["'=x", "''=x"],
    ["it's", "it's"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['back\\slash\\N\\.', 'back\\slash\\N\\.'],
    ['ends with \\', 'ends with \\'],
    ['two  spaces', 'two  spaces'],
    ['حليب 🥛', 'حليب 🥛'],
    ['{"json": [1]}', '"{""json"": [1]}"'],
    ['a\tb', 'a\tb'],
    ['%_%', '%_%'],
    ['__proto__', '__proto__'],
  ];
  await addProducts(
    aisle,
    chain,
    skus.map(([sku]) => ({ sku, title: 'Odd', price: 1 })),
  );
  const job = await runUpdate(
    aisle,
    chain,
    skus.flatMap(([sku]) => [
      { sku, price: 5 },
      { sku, price: 6 },
      { sku: `${sku}?`, price: 1 },
      { sku, price: 'x', barcode: sku },
    ]),
  );
  const count = skus.length;
  assert.deepEqual(job.progress, {
    total: 4 * count,
    processed: 4 * count,
    succeeded: count,
    unchanged: count,
    failed: 2 * count,
  });
  const { text } = await download('text/csv', job.job_id);
  for (const [index, [sku, cell]] of skus.entries()) {
    const row = 4 * index + 1;
    const quoted = /[",\r\n]/.test(sku);
    const odd = quoted ? `${cell.slice(0, -1)}?"` : `${cell}?`;
    const expected = [
      `\n${cell},given_again,SUPERSEDED,"The SKU appears again in row ${row + 1}; the last one is used.",${row},\n`,
      `\n${cell},,UPDATED,,${row + 1},\n`,
      `\n${odd},product_not_found,FAILED,"The vendor has no product with this SKU.",${row + 2},\n`,
      `\n${cell},bad_format,FAILED,"barcode must be a string of 1 to 14 digits; price must be a number from 0 to 9999999.999.",${row + 3},${cell}\n`,
    ];
    for (const line of expected) assert.ok(text.includes(line), `${JSON.stringify(line)} is missing in ${text}`);
  }
  const { body } = await download('application/json', job.job_id);
  assert.deepEqual(
    body.map((row: { sku: string }) => row.sku),
    skus.flatMap(([sku]) => [sku, sku, `${sku}?`, sku]),
  );
  assert.deepEqual(
    body
      .filter((_: unknown, index: number) => index % 4 === 3)
      .map((row: { pieceBarcode: string }) => row.pieceBarcode),
    skus.map(([sku]) => sku),
  );
});

test("a creation job's file has one row per product and vendor, with the vendor in the last column", async () => {
  const vendors = [...chain.vendors, '=1+1', 'a,"b"'];
  const body = { vendors, products: [{ sku: 'NEW', title: 'New', price: 1, barcodes: ['71', '72'] }, { sku: 'BAD' }] };
  const response = await aisle.call('POST', `${chain.base}/catalog`, { token: chain.token, body });
  const { job_id } = await waitForJob(aisle, chain, response.body.job_id);
  const bad =
    '"title must be a string of at most 10000 characters, or an object with one such string per locale, for example {""en_SG"": ""…""}; price must be a number from 0 to 9999999.999."';
  assert.deepEqual(await readLog(aisle, chain, job_id), [
    'sku,code,state,errors,rowNumber,pieceBarcode,vendor_id',
    ...chain.vendors.flatMap((vendor) => [`NEW,,CREATED,,1,71,${vendor}`, `BAD,missing,FAILED,${bad},2,,${vendor}`]),
    `NEW,vendor_not_found,FAILED,"The chain has no vendor =1+1.",1,71,'=1+1`,
    `BAD,vendor_not_found,FAILED,"The chain has no vendor =1+1.",2,,'=1+1`,
    `NEW,vendor_not_found,FAILED,"The chain has no vendor a,""b"".",1,71,"a,""b"""`,
    `BAD,vendor_not_found,FAILED,"The chain has no vendor a,""b"".",2,,"a,""b"""`,
  ]);
  const { body: json } = await download('application/json', job_id);
  assert.deepEqual(
    json.map((row: { vendor_id: string }) => row.vendor_id),
    vendors.flatMap((vendor) => [vendor, vendor]),
  );
});

test("a download requires catalog:read and access to the job's vendor", async () => {
  const stranger = await makeChain(aisle);
  const writer = await makeToken(aisle, chain.chainId, { scopes: ['catalog:write', 'orders:read'] });
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  const elsewhere = await makeToken(aisle, chain.chainId, { vendor_ids: [chain.vendors[1] as string] });
  const cases: [string | undefined, number, string | undefined][] = [
    [undefined, 401, 'invalid_token'],
    ['nonsense', 401, 'invalid_token'],
    [stranger.token, 404, 'chain_not_found'],
    [elsewhere, 404, 'job_not_found'],
    [writer, 403, 'forbidden'],
    [reader, 200, undefined],
  ];
  for (const [token, status, code] of cases) {
    const response = await aisle.call('GET', `${chain.base}/catalog/jobs/${jobId}/download`, { token });
    assert.deepEqual([response.status, response.body.code], [status, code]);
  }
  const foreign = await aisle.call('GET', `${stranger.base}/catalog/jobs/${jobId}/download`, { token: stranger.token });
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'job_not_found']);
});

test("a job's file is deleted after seven days, but the job is kept", async () => {
  const job = await runUpdate(aisle, chain, [{ sku: 'SKU-00003', price: 9 }]);
  const [kept] = await aisle.db.query<{ days: number; parts: number }>(
    `select extract(epoch from file_expires_at - updated_at)::float / 86400 as days,
       (select count(*)::int from job_file_parts p where p.chain_id = $1 and p.job_id = $2) as parts
     from jobs j where chain_id = $1 and job_id = $2`,
    [chain.chainId, job.job_id],
  );
  assert.deepEqual(kept, { days: 7, parts: 1 });

  await aisle.db.query(`update jobs set file_expires_at = now() - interval '1 second' where job_id = $1`, [job.job_id]);
  const expired = async () => {
    const { status, body } = await download(undefined, job.job_id);
    assert.deepEqual([status, body.code], [410, 'download_expired']);
  };
  await expired();
  const [housekeeping] = jobChores(readConfig({}));
  assert.equal(await runChore(aisle, housekeeping), '1 file parts, 0 jobs');
  assert.deepEqual(await aisle.db.query('select 1 from job_file_parts where job_id = $1', [job.job_id]), []);
  await expired();
  assert.equal((await download()).status, 200);
  const read = await aisle.call('GET', `${chain.base}/catalog/jobs/${job.job_id}`, { token: chain.token });
  assert.deepEqual([read.status, read.body.job_status], [200, 'COMPLETED']);
});

test('a file that has expired by the clock of the database is not sent without its rows', async () => {
  const { job_id: jobId } = await runUpdate(aisle, chain, [{ sku: 'SKU-00003', price: 10 }]);
  await aisle.db.query(`update jobs set file_expires_at = now() - interval '1 second' where job_id = $1`, [jobId]);
  const [housekeeping] = jobChores(readConfig({}));
  await runChore(aisle, housekeeping);
  // A process whose clock is late still begins to send the file.
  const rows = Array.fromAsync(readPieces(aisle.db, chain.chainId, jobId));
  await assert.rejects(rows, { code: 'download_expired' });
});

test('the files of 1,001 jobs that expired at the same time are deleted at once', async () => {
  const ids = Array.from({ length: 1001 }, () => newIdIn(chain.chainId));
  await aisle.db.query(
    `insert into jobs (chain_id, job_id, type, status, vendor_ids, open_tasks, total, file_expires_at)
     select $1, id, 'CATALOG_UPDATE', 'COMPLETED', '{}', 0, 0, now() - interval '1 second' from unnest($2::uuid[]) as id`,
    [chain.chainId, ids],
  );
  await aisle.db.query(
    `insert into job_file_parts (chain_id, job_id, part_no, bytes) select $1, id, 0, '' from unnest($2::uuid[]) as id`,
    [chain.chainId, ids],
  );
  const [housekeeping] = jobChores(readConfig({}));
  assert.equal(await runChore(aisle, housekeeping), '1001 file parts, 0 jobs');
});

test('the number of days a file is kept is configurable', async () => {
  const brief = await startTestAisle({ AISLE_DOWNLOAD_DAYS: '2' });
  try {
    const small = await makeChain(brief);
    const { job_id } = await runUpdate(brief, small, [{ sku: 'NOWHERE', price: 9 }]);
    const [job] = await brief.db.query<{ days: number }>(
      'select extract(epoch from file_expires_at - updated_at)::float / 86400 as days from jobs where job_id = $1',
      [job_id],
    );
    assert.equal(job?.days, 2);
  } finally {
    await brief.stop();
  }
});

test('a file without rows contains only the header in CSV, and is an empty array in JSON', async () => {
  const empty = await makeChain(aisle);
  const { body } = await aisle.call('POST', `${catalogPath(empty)}/export`, { token: empty.token });
  const job = await waitForJob(aisle, empty, body.job_id);
  const path = `${empty.base}/catalog/jobs/${job.job_id}/download`;
  const read = (accept: string) => aisle.call('GET', path, { token: empty.token, headers: { accept } });
  assert.equal((await read('text/csv')).text, 'sku,barcode,price,active,max_sales_quantity,quantity\n');
  assert.deepEqual((await read('application/json')).body, []);
  assert.equal((await read('application/x-ndjson')).text, '');
});

test('a file is streamed, so its first bytes are sent before the last ones are read', async () => {
  const items = Array.from({ length: 30_000 }, (_, index) => ({
    sku: `FAR-${String(index).padStart(5, '0')}`,
    price: 1,
  }));
  const job = await runUpdate(aisle, chain, items);
  // The last part cannot be decompressed, so a server that reads the whole file first would send nothing.
  const broken = await aisle.db.query<{ part_no: string }>(
    `update job_file_parts set bytes = 'not gzip' where job_id = $1
       and part_no = (select max(part_no) from job_file_parts where job_id = $1) returning part_no`,
    [job.job_id],
  );
  assert.ok(Number(broken[0]?.part_no) >= 1);
  await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = aisle.aisle.http.server.address() as { port: number };
  for (const accept of ['text/csv', 'application/json', 'application/x-ndjson']) {
    const path = `${chain.base}/catalog/jobs/${job.job_id}/download`;
    const headers = { authorization: `Bearer ${chain.token}`, accept };
    // `fetch` discards what it has received when the connection is closed.
    const [response] = (await once(get({ port, path, headers, agent: false }), 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    let read = '';
    response.setEncoding('utf8').on('data', (text: string) => (read += text));
    await assert.rejects(once(response, 'end'));
    assert.ok(read.includes('FAR-00000') && !read.includes('FAR-29999'), `${accept}: ${read.slice(0, 200)}`);
  }
});

test('a download is cut off if its file expires and is deleted before the end, and does not look complete', async () => {
  const items = Array.from({ length: 25_000 }, (_, index) => ({ sku: `GONE-${index}`, price: 1 }));
  const { job_id } = await runUpdate(aisle, chain, items);
  const pieces = readPieces(aisle.db, chain.chainId, job_id);
  assert.equal((await pieces.next()).done, false);
  await aisle.db.query('delete from job_file_parts where chain_id = $1 and job_id = $2', [chain.chainId, job_id]);
  await assert.rejects(async () => {
    for await (const _ of pieces);
  }, /expired/);
});
