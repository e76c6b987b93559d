import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { readConfig } from '../../../src/config.ts';
import { fileChores } from '../../../src/files/chores.ts';
import {
  acceptFile,
  appendPart,
  deleteUnfinished,
  getFolder,
  renameFile,
  startFile,
} from '../../../src/files/index.ts';
import { runChore } from '../../support/chores.ts';
import { callerFor, makeChain, makeToken, makeUser, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, readLog, readProduct, sendUpdate, waitForJob } from '../../support/catalog.ts';
import { readFailedRows, runFile, uploadFile } from '../../support/files.ts';
import { run } from '../../support/undo.ts';
import { waitFor } from '../../support/wait.ts';

const limits = { fileBytes: 600_000, unfinishedBytes: 1_000_000 };
const aisle = await useOwnAisle({
  AISLE_MAX_FILE_BYTES: String(limits.fileBytes),
  AISLE_MAX_UNFINISHED_BYTES: String(limits.unfinishedBytes),
});
const chain = await makeChain(aisle);
const other = await makeChain(aisle);
const [store, otherStore] = chain.vendors as [string, string];
await addProducts(aisle, chain, plainProducts(10));
const call = callerFor(aisle, chain);
const { db } = aisle;
const uploader = {
  name: 'Night job',
  by: 'sftp:1',
  address: '203.0.113.7',
  channel: 'sftp' as const,
  vendorIds: null,
  scopes: ['catalog:write'],
};

const start = (name: string, by = uploader.by) =>
  db.transaction((tx) =>
    startFile(tx, chain.chainId, {
      folder: { kind: 'catalog', vendorId: store },
      name,
      uploader: { ...uploader, by },
    }),
  );
const append = (fileId: string, offset: number, text: string | Buffer) =>
  db.transaction((tx) => appendPart(tx, chain.chainId, fileId, offset, Buffer.from(text), limits));
const accept = (fileId: string, name?: string) =>
  db.transaction((tx) => acceptFile(tx, chain.chainId, fileId, { finalName: name }));
const getFile = async (fileId: string) => (await call('GET', `/files/${fileId}`)).body;

test('an uploaded file is listed with its uploader and its job', async () => {
  const { job, file } = await runFile(aisle, chain, { name: 'first.csv', content: 'sku,price\nSKU-00001,2\n' });
  assert.equal(job.job_status, 'COMPLETED');
  assert.deepEqual([job.file_name, job.vendor_id, job.job_type], ['first.csv', store, 'CATALOG_UPDATE']);
  const { received_at: _at, address: _address, ...rest } = file;
  assert.deepEqual(rest, {
    file_id: file.file_id,
    name: 'first.csv',
    folder: `/catalog/${store}`,
    size: 22,
    state: 'ACCEPTED',
    uploaded_by: file.uploaded_by,
    channel: 'api',
    jobs: [{ job_id: job.job_id, job_type: 'CATALOG_UPDATE', job_status: 'COMPLETED', failed: 0, rows: 1, stores: 1 }],
  });
  const list = await call('GET', `/files?state=ACCEPTED&vendor_id=${store}&page_size=500`);
  assert.ok(list.body.files.some((one: { file_id: string }) => one.file_id === file.file_id));
});

test('a file from the portal is listed with the name of its user', async () => {
  const { session } = await makeUser(aisle, chain.chainId, 'MANAGER', { name: 'Night shift' });
  const upload = { name: 'portal.csv', content: 'sku,price\nSKU-00001,2.02\n', token: session };
  const { body } = await uploadFile(aisle, chain, upload);
  const file = await getFile(body.file_id);
  assert.deepEqual([file.uploaded_by, file.channel], ['Night shift', 'portal']);
});

test("the event of a file's job has the name of the file", async () => {
  const { job } = await runFile(aisle, chain, { name: 'event.csv', content: 'sku,price\nSKU-00001,2.01\n' });
  const events = await db.query<{ body: { file_name?: string } }>(
    "select body from events where chain_id = $1 and type = 'catalog.job_finished' and job_id = $2",
    [chain.chainId, job.job_id],
  );
  assert.deepEqual(
    events.map(({ body }) => body.file_name),
    ['event.csv'],
  );
});

test('the same content under the same name returns the earlier job', async () => {
  const content = 'sku,price\nSKU-00002,3\n';
  const first = await uploadFile(aisle, chain, { name: 'same.csv', content });
  await waitForJob(aisle, chain, first.body.job_ids[0]);
  await sendUpdate(aisle, chain, [{ sku: 'SKU-00002', price: 4 }]);
  const second = await uploadFile(aisle, chain, { name: 'same.csv', content });
  assert.deepEqual(second.body, { ...first.body, is_repeat: true });
  assert.match(String(second.headers['location']), new RegExp(`/files/${first.body.file_id}$`));
  for (const changed of [
    { name: 'same-2.csv', content },
    { name: 'same.csv', content: 'sku,price\nSKU-00002,5\n' },
    { name: 'same.csv', content, folder: `/catalog/${otherStore}` },
  ]) {
    const third = await uploadFile(aisle, chain, changed);
    assert.deepEqual([third.body.is_repeat, third.body.job_ids[0] === first.body.job_ids[0]], [false, false]);
  }
});

test('a file is applied again after another one with the same name, or if its rows failed', async () => {
  const upload = (content: string) => runFile(aisle, chain, { name: 'night.csv', content });
  const prices: unknown[] = [];
  for (const price of [21, 22, 21]) {
    await upload(`sku,price\nSKU-00009,${price}\n`);
    prices.push((await readProduct(aisle, chain, 'SKU-00009')).price);
  }
  assert.deepEqual(prices, [21, 22, 21]);
  const missing = { name: 'missing.csv', content: 'sku,price\nNOT-YET,1\n' };
  await runFile(aisle, chain, missing);
  assert.equal((await uploadFile(aisle, chain, missing)).body.is_repeat, false);
});

test('a file is applied again after its job was reverted', async () => {
  const upload = { name: 'reverted.csv', content: 'sku,price\nSKU-00008,31\n' };
  const { job } = await runFile(aisle, chain, upload);
  await run(aisle, chain, job.job_id, 'revert');
  assert.equal((await readProduct(aisle, chain, 'SKU-00008')).price, 1);
  await runFile(aisle, chain, upload);
  assert.equal((await readProduct(aisle, chain, 'SKU-00008')).price, 31);
  assert.equal((await uploadFile(aisle, chain, upload)).body.is_repeat, true);
});

test('a file for all stores is applied again after a store was added', async () => {
  const grown = await makeChain(aisle, { vendors: 1 });
  const products = { name: 'range.csv', content: 'sku,title,price\nNEW-1,New,1\n', folder: '/products' };
  await runFile(aisle, grown, products);
  const place = { currency: 'AED', country_code: 'AE', locale: 'en_AE', timezone: 'Asia/Dubai' };
  const body = { ...place, name: 'The second store', transport_type: 'LOGISTICS_DELIVERY' };
  const path = `/platform/v1/chains/${grown.chainId}/vendors`;
  const added = await aisle.call('POST', path, { token: aisle.platformToken, body });
  assert.equal(added.status, 201, added.text);
  const { job } = await runFile(aisle, grown, products);
  assert.equal((await readProduct(aisle, grown, 'NEW-1', added.body.vendor_id)).price, 1);
  assert.deepEqual([job.progress.succeeded, job.progress.unchanged], [1, 1]);
  assert.equal((await uploadFile(aisle, grown, products)).body.is_repeat, true);
});

test('a file of new products without rows fails with the reason', async () => {
  const { job } = await runFile(aisle, chain, { name: 'none.csv', content: 'sku,title,price\n', folder: '/products' });
  assert.deepEqual([job.job_status, job.error_code], ['FAILED', 'unreadable_file'], job.error);
});

test('two files with the same content that are accepted at the same time have one job', async () => {
  const content = 'sku,price\nSKU-00002,3.5\n';
  const responses = await Promise.all([1, 2, 3].map(() => uploadFile(aisle, chain, { name: 'race.csv', content })));
  assert.equal(new Set(responses.map(({ body }) => body.job_ids[0])).size, 1);
  assert.deepEqual(responses.map(({ body }) => String(body.is_repeat)).toSorted(), ['false', 'true', 'true']);
});

test('a file sent after 24 hours is applied again', async () => {
  const content = 'sku,price\nSKU-00002,3.7\n';
  const first = await uploadFile(aisle, chain, { name: 'daily.csv', content });
  await db.query("update files set accepted_at = now() - interval '25 hours' where file_id = $1", [first.body.file_id]);
  assert.equal((await uploadFile(aisle, chain, { name: 'daily.csv', content })).body.is_repeat, false);
});

test('files and requests for a store are applied in the order they were accepted', async () => {
  const jobs: string[] = [];
  for (const price of [11, 13, 15]) {
    const content = `sku,price\nSKU-00003,${price}\n`;
    jobs.push((await uploadFile(aisle, chain, { name: `order-${price}.csv`, content })).body.job_ids[0]);
    jobs.push(await sendUpdate(aisle, chain, [{ sku: 'SKU-00003', price: price + 1 }], store));
  }
  for (const job of jobs) {
    await waitForJob(aisle, chain, job);
    assert.match(String((await readLog(aisle, chain, job))[1]), /^SKU-00003,,UPDATED,/);
  }
  assert.equal((await readProduct(aisle, chain, 'SKU-00003')).price, 16);
});

test('a file for all stores has one job, and its failed rows name the stores that rejected them', async () => {
  await addProducts(aisle, chain, [{ sku: 'ONLY-HERE', title: 'Only here', price: 1 }], [store]);
  const { job, file } = await runFile(aisle, chain, {
    name: 'everywhere.csv',
    folder: '/catalog/all',
    content: 'sku,price\nSKU-00004,8\nONLY-HERE,8\nNOWHERE,8\n',
  });
  assert.deepEqual(job.progress, { total: 6, processed: 6, succeeded: 3, unchanged: 0, failed: 3 });
  const { failed, rows: rowCount, stores: storeCount } = file.jobs[0];
  assert.deepEqual({ failed, rowCount, storeCount }, { failed: 3, rowCount: 3, storeCount: 2 });
  const [head, ...rows] = await readLog(aisle, chain, job.job_id);
  assert.equal(head, 'sku,code,state,errors,rowNumber,pieceBarcode,vendor_id');
  assert.equal(rows.filter((row) => row.endsWith(`,${store}`)).length, 3);
  const stores = [store, otherStore].toSorted().join(', ');
  assert.deepEqual(await readFailedRows(aisle, chain, file), [
    'sku,price,reason',
    `ONLY-HERE,8,${otherStore}: The vendor has no product with this SKU.`,
    `NOWHERE,8,"${stores}: The vendor has no product with this SKU."`,
  ]);
});

test('a file with new products creates them in all stores', async () => {
  const { job } = await runFile(aisle, chain, {
    name: 'new.csv',
    folder: '/products',
    content:
      'sku;name_en_AE;Title_ar_AE;price;EAN;stock\nNEW-1;Dates;تمر;12,5;111|222;4\nNEW-2;;;1;;\nSKU-00001;Again;;1;;\n',
  });
  assert.deepEqual([job.job_type, job.job_status], ['PRODUCT_CREATION', 'COMPLETED']);
  assert.deepEqual([job.progress.succeeded, job.progress.unchanged, job.progress.failed], [2, 2, 2]);
  const product = await readProduct(aisle, chain, 'NEW-1');
  assert.deepEqual([product.price, product.quantity, product.barcodes], [12.5, 4, ['111', '222']]);
});

test('an upload can be resumed after a lost connection, and the end of the file can be overwritten', async () => {
  const { file_id: fileId } = await start('resumed.csv.part');
  await append(fileId, 0, 'sku,price\nSKU-00');
  await append(fileId, 10, 'SKU-00005,7\n');
  await assert.rejects(append(fileId, 30, 'x'), /must be written from start to end/);
  await assert.rejects(append(fileId, 5, 'x'), /must be written from start to end/);
  assert.equal((await getFile(fileId)).state, 'UNFINISHED');
  const { jobIds } = await accept(fileId, 'resumed.csv');
  assert.equal((await waitForJob(aisle, chain, jobIds[0] ?? '')).file_name, 'resumed.csv');
  assert.equal((await readProduct(aisle, chain, 'SKU-00005')).price, 7);
  await assert.rejects(append(fileId, 22, 'x'), /There is no upload/);
  await assert.rejects(accept(fileId), /There is no upload/);
});

test('an upload replaces an unfinished file with the same name and uploader', async () => {
  const first = await start('again.csv.tmp');
  const foreign = await start('again.csv.tmp', 'sftp:2');
  const second = await start('again.csv.tmp');
  assert.equal((await getFile(first.file_id)).code, 'upload_not_found');
  assert.equal((await getFile(foreign.file_id)).state, 'UNFINISHED');
  await db.transaction((tx) => renameFile(tx, chain.chainId, second.file_id, 'renamed.tmp'));
  assert.equal((await getFile(second.file_id)).name, 'renamed.tmp');
  for (const { file_id } of [foreign, second]) {
    await db.transaction((tx) => deleteUnfinished(tx, chain.chainId, file_id));
    assert.equal((await getFile(file_id)).code, 'upload_not_found');
  }
});

test('a file that is too large is rejected, and none of it is kept', async () => {
  const before = await call('GET', '/files?state=UNFINISHED');
  const declared = await uploadFile(aisle, chain, { name: 'large.csv', content: 'x'.repeat(limits.fileBytes + 1) });
  assert.deepEqual(
    [declared.status, declared.body.code, declared.body.limit_bytes],
    [413, 'payload_too_large', 600_000],
  );
  const { file_id: fileId } = await start('large.csv');
  await append(fileId, 0, 'x'.repeat(limits.fileBytes));
  await assert.rejects(append(fileId, limits.fileBytes, 'x'), /must not be larger than 600000 bytes/);
  const more = await uploadFile(aisle, chain, { name: 'more.csv', content: 'x'.repeat(500_000) });
  assert.deepEqual([more.status, more.body.code], [409, 'unfinished_limit_reached']);
  await db.transaction((tx) => deleteUnfinished(tx, chain.chainId, fileId));
  assert.equal((await call('GET', '/files?state=UNFINISHED')).body.total_items, before.body.total_items);
  const parts = await db.query('select 1 from file_parts where chain_id = $1 and file_id = $2', [
    chain.chainId,
    fileId,
  ]);
  assert.equal(parts.length, 0);
});

test('an upload with a bad folder, name or type is rejected before it is read', async () => {
  const rejected = [
    [{ folder: '/nowhere' }, 400, 'folder'],
    [{ folder: '/catalog' }, 400, 'folder'],
    [{ folder: '/products/x' }, 400, 'folder'],
    [{ name: '../x.csv' }, 400, 'name'],
    [{ name: 'a\u0000b' }, 400, 'name'],
    [{ folder: '/catalog/unknown' }, 404, 'vendor_not_found'],
    [{ type: 'application/json' }, 415, 'unsupported_media_type'],
  ] as const;
  for (const [change, status, expected] of rejected) {
    const response = await uploadFile(aisle, chain, { name: 'x.csv', content: 'sku,price\n', ...change });
    assert.equal(response.status, status, response.text);
    assert.equal(response.body.errors?.[0].pointer ?? response.body.code, expected);
  }
  assert.equal((await call('POST', '/files', { raw: 'x', headers: { 'content-type': 'text/csv' } })).status, 400);
});

test("another chain's files cannot be found", async () => {
  const { body } = await uploadFile(aisle, other, {
    name: 'x.csv',
    content: 'sku,price\nNOWHERE,1\n',
    folder: '/catalog/all',
  });
  for (const path of ['', '/failed-rows']) {
    const response = await call('GET', `/files/${body.file_id}${path}`);
    assert.deepEqual([response.status, response.body.code], [404, 'upload_not_found']);
  }
  const list = await call('GET', '/files?page_size=500');
  assert.ok(list.body.files.every((file: { file_id: string }) => file.file_id !== body.file_id));
  await assert.rejects(
    db.transaction((tx) => acceptFile(tx, chain.chainId, body.file_id)),
    /There is no upload/,
  );
});

test('a token that is limited to a store can upload and see files only for that store', async () => {
  const token = await makeToken(aisle, chain.chainId, { vendor_ids: [store] });
  const forbidden = await uploadFile(aisle, chain, {
    name: 'l.csv',
    content: 'sku\n',
    folder: `/catalog/${otherStore}`,
    token,
  });
  assert.equal(forbidden.status, 403);
  const everywhere = await uploadFile(aisle, chain, {
    name: 'l.csv',
    content: 'sku,price\nSKU-00006,9\n',
    folder: '/catalog/all',
    token,
  });
  await waitForJob(aisle, chain, everywhere.body.job_ids[0]);
  assert.equal((await readProduct(aisle, chain, 'SKU-00006')).price, 9);
  assert.notEqual((await readProduct(aisle, chain, 'SKU-00006', otherStore)).price, 9);
  const elsewhere = await uploadFile(aisle, chain, {
    name: 'e.csv',
    content: 'sku,price\nSKU-00006,9\n',
    folder: `/catalog/${otherStore}`,
  });
  const limited = callerFor(aisle, chain, token);
  assert.equal((await limited('GET', `/files/${elsewhere.body.file_id}`)).status, 404);
  assert.equal((await limited('GET', `/files/${everywhere.body.file_id}`)).status, 200);
  const barcodes = await runFile(aisle, chain, { name: 'b.csv', content: 'sku,ean\nSKU-00006,123\n', token });
  assert.match(String(barcodes.job.result.item_level_feedback[0].code), /requires_all_vendors/);
});

test('each folder requires its scope', async () => {
  const catalog = await makeToken(aisle, chain.chainId, { scopes: ['catalog:write'] });
  const promotions = await makeToken(aisle, chain.chainId, { scopes: ['promotions:write'] });
  const upload = (folder: string, token: string) =>
    uploadFile(aisle, chain, { name: 's.csv', content: 'sku\n', folder, token });
  assert.equal((await upload('/promotions', catalog)).status, 403);
  assert.equal((await upload('/products', promotions)).status, 403);
  assert.equal((await upload('/promotions', promotions)).status, 202);
});

test('a store can be named by its external id', async () => {
  await db.query('update vendors set external_id = $2 where vendor_id = $1', [store, 'S-17']);
  const folder = await getFolder(db, chain.chainId, { vendorIds: null }, '/catalog/S-17/');
  assert.deepEqual(folder, { kind: 'catalog', vendorId: store });
});

test('unfinished files expire after a day', async () => {
  const [old, recent] = [await start('old.csv.tmp'), await start('recent.csv.tmp')];
  await append(old.file_id, 0, 'sku');
  await db.query("update files set updated_at = now() - interval '25 hours' where file_id = $1", [old.file_id]);
  const [chore] = fileChores(readConfig({}));
  assert.equal(await runChore({ db }, chore), '1 files');
  assert.equal((await getFile(old.file_id)).code, 'upload_not_found');
  assert.equal((await getFile(recent.file_id)).state, 'UNFINISHED');
});

test('the template of each folder can be uploaded', async () => {
  for (const folder of ['catalog', 'products']) {
    const { text } = await call('GET', `/file-templates/${folder}`);
    const { job } = await runFile(aisle, chain, {
      name: `${folder}-template.csv`,
      content: text,
      folder: folder === 'catalog' ? '/catalog/all' : '/products',
    });
    assert.notEqual(job.result.item_level_feedback[0]?.code, 'unreadable_file', job.error);
  }
  assert.equal((await call('GET', '/file-templates/orders')).status, 400);
});

test('files are counted by channel and result, with their rows, bytes and seconds', async () => {
  const read = async (line: string) => {
    const { text } = await aisle.call('GET', '/metrics');
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length) ?? 0,
    );
  };
  const labels = 'channel="api",kind="catalog"';
  const names = [
    `aisle_files_total{${labels},result="read"}`,
    `aisle_files_total{${labels},result="unreadable"}`,
    `aisle_file_rows_total{${labels}}`,
    `aisle_file_bytes_total{${labels}}`,
    'aisle_file_read_seconds_count{kind="catalog"}',
  ];
  const before = await Promise.all(names.map(read));
  const everywhere = { name: 'counted.csv', folder: '/catalog/all', content: 'sku,price\nSKU-00001,7\nSKU-00002,7\n' };
  await runFile(aisle, chain, everywhere);
  await runFile(aisle, chain, { name: 'uncounted.csv', content: 'price\n' });
  // The text of the metrics is reused for a second.
  await waitFor('the files to be counted', async () => {
    const after = await Promise.all(names.map(read));
    const counted = after.map((value, index) => value - (before[index] ?? 0));
    return isDeepStrictEqual(counted, [1, 1, 2, everywhere.content.length + 6, 2]);
  });
});
