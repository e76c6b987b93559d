import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCsv } from '@aisle/contract/csv';
import type { FileEntryWithStats } from 'ssh2';
import { makeChain } from '../../support/aisle.ts';
import { countLockWaits, holdLocks } from '../../support/lock-waits.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { connectSftp, makeSftpUser, promised, useSftp } from '../../support/sftp.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useSftp();
const chain = await makeChain(aisle);
const [store, otherStore] = chain.vendors as [string, string];
await addProducts(aisle, chain, plainProducts(5));
const user = await makeSftpUser(aisle, chain);
const sftp = await connectSftp(aisle.port, user);

const read = async (name: string) => (await sftp.get(`/results/${name}`)).toString();
const entries = () => promised<FileEntryWithStats[]>((done) => sftp.raw.readdir('/results', done));

/** Reads `<name>.status.csv`. */
async function readStatus(name: string): Promise<Record<string, string>> {
  const [columns = [], cells = []] = [...parseCsv(await read(`${name}.status.csv`))];
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
}

/** Uploads a file and waits until its status says that the job has ended. Returns the status. */
async function send(folder: string, name: string, content: string): Promise<Record<string, string>> {
  await sftp.put(`${folder}/${name}`, content);
  const baseName = name.replace(/\..*/, '');
  let status: Record<string, string> = {};
  const hasEnded = async () => {
    status = await readStatus(baseName);
    return status['status'] === 'COMPLETED' || status['status'] === 'FAILED';
  };
  await waitFor(`the job of ${name}`, hasEnded, 60, 100);
  return status;
}

test('the status of a file can be read as soon as it is accepted, and shows the rows and stores', async () => {
  const content = 'sku,price\nSKU-00001,2\nNOWHERE,2\n';
  const status = await send('/catalog/all', 'everywhere.csv', content);
  assert.deepEqual(status, {
    file_name: 'everywhere.csv',
    folder: '/catalog/all',
    job_id: status['job_id'],
    status: 'COMPLETED',
    rows: '2',
    stores: '2',
    succeeded: '2',
    unchanged: '0',
    failed: '2',
    error: '',
  });
});

test('failed rows can still be read after a file of the same name was uploaded for another store', async () => {
  const first = await send(`/catalog/${store}`, 'same.csv', 'sku,price\nFIRST,2\n');
  await sftp.put(`/catalog/${otherStore}/same.csv.gz`, 'sku,price\nSECOND,2\n');
  await waitFor('the second job', async () => /SECOND/.test(await read('same.failed.csv').catch(() => '')), 60, 100);
  assert.match(await read(`${first['job_id']}.failed.csv`), /^FIRST,/m);
  const names = await sftp.list('/results');
  assert.equal(names.filter((name) => name === 'same.failed.csv').length, 1);
  assert.ok(names.includes(`${first['job_id']}.failed.csv`));
});

test('failed rows are found by name although many newer files have names that start alike', async () => {
  const { job_id: jobId } = await send(`/catalog/${store}`, 'prices.csv', 'sku,price\nMISSING,2\n');
  await aisle.db.query(
    `insert into files (chain_id, file_id, folder, name, state, is_limited, uploaded_by, actor, address, channel, job_id,
       accepted_at)
     select $1, gen_random_uuid(), '/products', 'prices-' || n || '.csv', 'ACCEPTED', false, '', '', '', 'api', $2,
       now() + interval '1 hour' from generate_series(1, 150) n`,
    [chain.chainId, jobId],
  );
  assert.match(await read('prices.failed.csv'), /^MISSING,/m);
});

test('while a job is running, its status is listed, but not its result', async () => {
  const { job_id: jobId } = await send(`/catalog/${store}`, 'slow.csv', 'sku,price\nNOWHERE,2\n');
  await aisle.db.query(
    "update jobs set status = 'IN_PROGRESS', error = null, file_expires_at = null where chain_id = $1 and job_id = $2",
    [chain.chainId, jobId],
  );
  const session = await connectSftp(aisle.port, user);
  const names = await session.list('/results');
  assert.deepEqual(
    ['slow.status.csv', `${jobId}.csv`, `${jobId}.failed.csv`, 'slow.failed.csv'].filter((name) =>
      names.includes(name),
    ),
    ['slow.status.csv'],
  );
  assert.match((await session.get('/results/slow.status.csv')).toString(), /,IN_PROGRESS,/);
  await assert.rejects(session.get(`/results/${jobId}.csv`), { code: 2 });
  await session.end();
});

test('a file that cannot be read has a result and failed rows with the line, the column and the reason', async () => {
  const { job_id: jobId, status } = await send('/products', 'broken.csv', 'sku,prise\nSKU-00001,2\n');
  assert.equal(status, 'FAILED');
  const reason = /Line 1, column 2: the column ""prise"" is unknown/;
  assert.match(await read(`${jobId}.csv`), reason);
  assert.match(await read(`${jobId}.failed.csv`), reason);
  assert.match(await read('broken.failed.csv'), /^reason\n"Line 1, column 2: /);
});

test('a promotion file without rejections and a job that failed without a file have a result too', async () => {
  const columns = 'type,name,start,end,stores,sku,discount_type,value';
  const row = `strikethrough,Deal,2026-01-01,2099-01-01,${store},SKU-00002,final_price,0.5`;
  const promotion = await send('/promotions', 'deal.csv', `${columns}\n${row}\n`);
  assert.deepEqual([promotion['status'], promotion['error'], promotion['rows']], ['COMPLETED', '', '']);
  assert.equal(await read(`${promotion['job_id']}.csv`), 'vendor_id,sku,code,errors\n');
  const { job_id: jobId } = await send(`/catalog/${store}`, 'unlucky.csv', 'sku,price\nSKU-00001,2\n');
  await aisle.db.query(
    `update jobs set status = 'FAILED', error = 'An internal error.', error_code = 'internal_error',
       file_expires_at = null where chain_id = $1 and job_id = $2`,
    [chain.chainId, jobId],
  );
  const session = await connectSftp(aisle.port, user);
  const result = (await session.get(`/results/${jobId}.csv`)).toString();
  assert.deepEqual(result.split('\n')[1], ',internal_error,FAILED,An internal error.,,');
  await session.end();
});

test('results and statuses are listed with their size', async () => {
  const { job_id: jobId } = await send(`/catalog/${store}`, 'sized.csv', 'sku,price\nSKU-00001,3\nNOWHERE,ü\n');
  const listed = new Map((await entries()).map((entry) => [entry.filename, entry]));
  for (const name of [`${jobId}.csv`, 'sized.status.csv']) {
    const content = await sftp.get(`/results/${name}`);
    assert.equal(listed.get(name)?.attrs.size, content.length, name);
    assert.match(listed.get(name)?.longname ?? '', new RegExp(` ${content.length} `));
  }
  assert.equal(listed.get('sized.failed.csv')?.attrs.size, undefined);
});

test('an expired result is neither listed nor served', async () => {
  const { job_id: jobId } = await send(`/catalog/${store}`, 'old.csv', 'sku,price\nNOWHERE,2\n');
  await aisle.db.query('update jobs set file_expires_at = now() where chain_id = $1 and job_id = $2', [
    chain.chainId,
    jobId,
  ]);
  const names = await sftp.list('/results');
  for (const name of [`${jobId}.csv`, `${jobId}.failed.csv`, 'old.failed.csv']) {
    assert.ok(!names.includes(name), name);
    await assert.rejects(read(name), { code: 2 });
  }
  assert.equal((await readStatus('old'))['status'], 'FAILED');
});

test('results of files that other users of the chain uploaded are visible', async () => {
  const other = await connectSftp(aisle.port, await makeSftpUser(aisle, chain));
  assert.ok((await other.list('/results')).includes('everywhere.status.csv'));
  await other.end();
});

test('a chain lists one folder at a time, and other chains do not wait for it', async () => {
  const other = await makeChain(aisle);
  const otherUser = await makeSftpUser(aisle, other);
  const sessions = await Promise.all([user, user, user, user, otherUser].map((one) => connectSftp(aisle.port, one)));
  const unlock = await holdLocks(aisle.db, 'lock table files in access exclusive mode');
  const countWaiting = () => countLockWaits(aisle.db, 'relation');
  const listings: Promise<string[]>[] = [];
  for (const session of sessions) {
    listings.push(session.list('/results'));
    // Statements that start together could be sent together.
    await sleep(50);
  }
  await waitFor('a listing of each chain', async () => (await countWaiting()) === 2, 30);
  await sleep(200);
  assert.equal(await countWaiting(), 2);
  await unlock();
  const [first, ...rest] = await Promise.all(listings);
  assert.deepEqual(rest, [first, first, first, []]);
  await Promise.all(sessions.map((session) => session.end()));
});
