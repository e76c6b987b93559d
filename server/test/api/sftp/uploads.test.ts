import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { callerFor, makeChain } from '../../support/aisle.ts';
import { addProducts, plainProducts, waitForJob } from '../../support/catalog.ts';
import { connectSftp, makeSftpUser, promised, useSftp } from '../../support/sftp.ts';
import { waitFor } from '../../support/wait.ts';
import { makeTemporaryFolder } from '../../../../tools/temporary-folder.ts';

const aisle = await useSftp({ AISLE_MAX_FILE_BYTES: String(8 * 1024 * 1024) });
const chain = await makeChain(aisle);
const call = callerFor(aisle, chain);
const user = await makeSftpUser(aisle, chain);
const sftp = await connectSftp(aisle.port, user);
const csv = 'sku,price\nA,1\n';

test('an uploaded file is accepted when it is closed', async () => {
  const path = `/catalog/${chain.vendors[0]}/closed.csv`;
  const handle = await sftp.open(path, 'w');
  await sftp.write(handle, Buffer.from(csv), 0);
  assert.equal((await fileNamed('closed.csv')).state, 'UNFINISHED');
  await sftp.close(handle);
  const file = await fileNamed('closed.csv');
  assert.equal(file.state, 'ACCEPTED');
  assert.equal(file.folder, `/catalog/${chain.vendors[0]}`);
  assert.equal(file.uploaded_by, user.username);
  assert.equal(file.address, '127.0.0.1');
  assert.equal(file.channel, 'sftp');
  assert.equal(file.job_ids?.length ?? file.jobs.length, 1);
  const line = aisle.logged.find((text) => text.includes('"name":"closed.csv"'));
  assert.match(line ?? '', /"event":"sftp.file".*"bytes":14/);
});

test('an accepted file leaves the folder, but its size can still be checked in the same session', async () => {
  const path = '/catalog/all/checked.csv';
  await sftp.put(path, csv);
  assert.equal((await sftp.stat(path)).size, csv.length);
  assert.deepEqual(await sftp.list('/catalog/all'), ['TEMPLATE.csv']);
  await promised<void>((done) => sftp.raw.utimes(path, 1, 1, done));
  await promised<void>((done) => sftp.raw.chmod(path, 0o600, done));
  await sftp.remove(path);
  await assert.rejects(sftp.stat(path), { code: 2 });
  assert.equal((await fileNamed('checked.csv')).state, 'ACCEPTED');
});

for (const temporary of ['a.csv.tmp', 'b.csv.part', 'c.csv.filepart', '.d.csv.x7k2']) {
  test(`a file with the temporary name ${temporary} is accepted when it is renamed`, async () => {
    const name = `final-of-${temporary.replaceAll('.', '')}.csv`;
    await sftp.put(`/promotions/${temporary}`, csv);
    assert.equal((await fileNamed(temporary)).state, 'UNFINISHED');
    assert.ok((await sftp.list('/promotions')).includes(temporary));
    await sftp.rename(`/promotions/${temporary}`, `/promotions/${name}`);
    assert.equal((await fileNamed(name)).state, 'ACCEPTED');
    assert.ok(!(await sftp.list('/promotions')).includes(temporary));
  });
}

test("a file renamed with OpenSSH's extension is accepted too", async () => {
  await sftp.put('/products/posix.csv.part', csv);
  const raw = sftp.raw as unknown as { _extensions: Record<string, string> };
  // The server cannot announce the extension, because ssh2 does not support that.
  raw._extensions['posix-rename@openssh.com'] = '1';
  await promised<void>((done) => sftp.raw.ext_openssh_rename('/products/posix.csv.part', '/products/posix.csv', done));
  assert.equal((await fileNamed('posix.csv')).state, 'ACCEPTED');
});

test('a broken connection leaves an unfinished file, which can be resumed', async () => {
  const content = randomBytes(3_000_000);
  const path = '/catalog/all/broken.csv';
  const first = await connectSftp(aisle.port, user);
  const handle = await first.open(path, 'w');
  for (let at = 0; at < 2_000_000; at += 30_000) await first.write(handle, content.subarray(at, at + 30_000), at);
  await first.destroy();
  await waitFor('the end of the session', async () => (await fileNamed('broken.csv')).size === 2_010_000, 30);
  const second = await connectSftp(aisle.port, user);
  const { size } = await second.stat(path);
  assert.equal((await fileNamed('broken.csv')).state, 'UNFINISHED');
  await assert.rejects(second.rename(path, '/catalog/all/other.csv'), { code: 3 });
  const resumed = await second.open(path, 'r+');
  for (let at = size; at < content.length; at += 30_000) {
    await second.write(resumed, content.subarray(at, at + 30_000), at);
  }
  await second.close(resumed);
  await second.end();
  const file = await fileNamed('broken.csv');
  assert.equal(file.state, 'ACCEPTED');
  assert.equal(file.size, content.length);
});

test('a file that is being written cannot be renamed, replaced or deleted by another session', async () => {
  const [path, final] = ['/catalog/all/shared.csv.part', '/catalog/all/shared.csv'];
  const [writing, other] = [await connectSftp(aisle.port, user), await connectSftp(aisle.port, user)];
  const handle = await writing.open(path, 'w');
  await writing.write(handle, Buffer.from(csv), 0);
  await other.put('/catalog/all/other.part', csv);
  const expected = { code: 4, message: /being written in another session/ };
  await assert.rejects(other.rename(path, final), expected);
  await assert.rejects(other.remove(path), expected);
  await assert.rejects(other.rename('/catalog/all/other.part', path), expected);
  await other.remove('/catalog/all/other.part');
  await writing.write(handle, Buffer.from('B,2\n'), csv.length);
  await writing.close(handle);
  await other.rename(path, final);
  assert.deepEqual([(await fileNamed('shared.csv')).state, (await fileNamed('shared.csv')).size], ['ACCEPTED', 18]);
});

test('a session that opens an unfinished file takes it over from another one', async () => {
  const path = '/catalog/all/taken.csv.part';
  const [first, second] = [await connectSftp(aisle.port, user), await connectSftp(aisle.port, user)];
  const lost = await first.open(path, 'w');
  await first.write(lost, Buffer.from(csv), 0);
  assert.equal((await first.fstat(lost)).size, csv.length);
  const handle = await second.open(path, 'a');
  await first.write(lost, Buffer.from('LOST,2\n'), csv.length);
  await assert.rejects(first.close(lost), { message: /being written in another session/ });
  await second.write(handle, Buffer.from('B,2\n'), csv.length);
  await assert.rejects(first.remove(path), { message: /being written in another session/ });
  await second.destroy();
  await waitFor('the end of the session', () =>
    first.remove(path).then(
      () => true,
      () => false,
    ),
  );
});

test('the stored bytes are those that were sent, however they are split into writes', async () => {
  const content = randomBytes(1_500_000);
  const path = '/catalog/all/cut.part';
  const handle = await sftp.open(path, 'w');
  let at = 0;
  for (const length of [1, 255, 262_143, 1, 32_768, 100, 700_000, 262_144, content.length]) {
    const piece = content.subarray(at, at + length);
    const writes: Promise<void>[] = [];
    for (let inside = 0; inside < piece.length; inside += 32_768) {
      writes.push(sftp.write(handle, piece.subarray(inside, inside + 32_768), at + inside));
    }
    await Promise.all(writes);
    at += piece.length;
  }
  assert.equal((await sftp.fstat(handle)).size, content.length);
  await sftp.close(handle);
  assert.ok((await storedBytes('cut.part')).equals(content));
  await sftp.remove(path);
});

for (const name of ['lost.csv', 'lost.csv.part']) {
  test(`a file of which PostgreSQL has lost the end in a crash is not complete (${name})`, async () => {
    const content = randomBytes(300_000);
    const path = `/catalog/all/${name}`;
    const handle = await sftp.open(path, 'w');
    for (let at = 0; at < content.length; at += 30_000) {
      await sftp.write(handle, content.subarray(at, at + 30_000), at);
    }
    assert.equal((await sftp.fstat(handle)).size, content.length);
    await loseLastPart(name, 262_144);
    await assert.rejects(sftp.close(handle), { code: 4, message: /lost a part of the file: 262144 of 300000/ });
    assert.equal((await fileNamed(name)).state, 'UNFINISHED');
    const resumed = await sftp.open(path, 'r+');
    await sftp.write(resumed, content.subarray(262_144, 290_000), 262_144);
    await sftp.write(resumed, content.subarray(290_000), 290_000);
    await sftp.close(resumed);
    if (name !== 'lost.csv') await sftp.rename(path, '/catalog/all/renamed.csv');
    const { state, size } = await fileNamed(name === 'lost.csv' ? name : 'renamed.csv');
    assert.deepEqual([state, size], ['ACCEPTED', content.length]);
  });
}

test('a file of which a failover has lost the end after it was closed is not accepted when it is renamed', async () => {
  const content = randomBytes(300_000);
  const [path, other, final] = ['part', 'tmp', 'csv'].map((end) => `/catalog/all/failover.${end}`) as [
    string,
    string,
    string,
  ];
  await sftp.put(path, content);
  await loseLastPart('failover.part', 262_144);
  const lost = { code: 4, message: /lost a part of the file: 262144 of 300000/ };
  await assert.rejects(sftp.rename(path, final), lost);
  await sftp.rename(path, other);
  await assert.rejects(sftp.rename(other, final), lost);
  await assert.rejects(sftp.open(other, 'a'), lost);
  assert.equal((await sftp.stat(other)).size, 262_144);
  const resumed = await sftp.open(other, 'r+');
  await sftp.write(resumed, content.subarray(262_144), 262_144);
  await sftp.close(resumed);
  await sftp.rename(other, final);
  assert.ok((await storedBytes('failover.csv')).equals(content));
});

test('a file that could not be closed is not accepted when it is renamed', async () => {
  const path = '/catalog/all/not-closed.part';
  const handle = await sftp.open(path, 'w');
  await sftp.write(handle, randomBytes(200_000), 0);
  await sftp.fstat(handle);
  await loseLastPart('not-closed.part', 0);
  await assert.rejects(sftp.close(handle), /lost a part of the file: 0 of 200000/);
  await assert.rejects(sftp.rename(path, '/catalog/all/not-closed.csv'), /lost a part of the file: 0 of 200000/);
  await sftp.put(path, csv);
  await sftp.rename(path, '/catalog/all/not-closed.csv');
  assert.equal((await fileNamed('not-closed.csv')).size, csv.length);
});

test('a client can send several writes at a time, in any order', async () => {
  const content = randomBytes(400_000);
  const file = join(makeTemporaryFolder('sftp'), 'fast.csv');
  writeFileSync(file, content);
  await promised<void>((done) => sftp.raw.fastPut(file, '/catalog/all/fast.part', { concurrency: 64 }, done as never));
  assert.ok((await storedBytes('fast.part')).equals(content));
  rmSync(dirname(file), { recursive: true });
});

test('a file with a gap cannot be completed', async () => {
  const handle = await sftp.open('/catalog/all/gap.csv', 'w');
  await sftp.write(handle, Buffer.from('sku'), 0);
  await sftp.write(handle, Buffer.from('A'), 10);
  await assert.rejects(sftp.close(handle), /The bytes from 3 on are missing/);
  assert.equal((await fileNamed('gap.csv')).state, 'UNFINISHED');
  await sftp.remove('/catalog/all/gap.csv');
});

test('a file opened for appending continues at its end', async () => {
  await sftp.put('/products/log.part', 'sku\n');
  const handle = await sftp.open('/products/log.part', 'a');
  await sftp.write(handle, Buffer.from('1\n'), 0);
  await sftp.close(handle);
  assert.equal((await sftp.stat('/products/log.part')).size, 6);
  await sftp.put('/products/log.part', 'x');
  assert.equal((await sftp.stat('/products/log.part')).size, 1);
  await sftp.remove('/products/log.part');
  await assert.rejects(sftp.stat('/products/log.part'), { code: 2 });
});

test('a file that is too large is refused, and is not accepted when it is closed', async () => {
  const handle = await sftp.open('/catalog/all/huge.csv', 'w');
  const piece = Buffer.alloc(250_000, 'x');
  await assert.rejects(async () => {
    for (let at = 0; at < 12_000_000; at += piece.length) await sftp.write(handle, piece, at);
  }, /must not be larger than 8388608 bytes/);
  await assert.rejects(sftp.close(handle), /must not be larger/);
  assert.equal((await fileNamed('huge.csv')).state, 'UNFINISHED');
  await sftp.remove('/catalog/all/huge.csv');
});

test('a file that was accepted cannot be resumed, so that its rest does not become a file of its own', async () => {
  const path = '/catalog/all/resumed.csv';
  await sftp.put(path, csv);
  await assert.rejects(sftp.open(path, 'a'), /has been accepted already/);
  await sftp.put(path, `${csv}B,2\n`);
  assert.equal((await fileNamed('resumed.csv')).size, csv.length + 4);
});

test('a file is not accepted after its user was changed', async () => {
  const changed = await makeSftpUser(aisle, chain);
  const session = await connectSftp(aisle.port, changed);
  const handle = await session.open('/catalog/all/changed.csv', 'w');
  await session.write(handle, Buffer.from(csv), 0);
  // Without the notification that ends the session, so that the file is closed first.
  await aisle.db.query('update sftp_users set revision = revision + 1 where username = $1', [changed.username]);
  await assert.rejects(session.close(handle), /The user has been changed/);
  assert.equal((await fileNamed('changed.csv')).state, 'UNFINISHED');
});

test('the same content under the same name is recognized', async () => {
  await addProducts(aisle, chain, plainProducts(1));
  const known = 'sku,price\nSKU-00001,2\n';
  await sftp.put('/catalog/all/twice.csv', known);
  await sftp.put('/catalog/all/twice.csv', known);
  const { body } = await call('GET', '/files?page_size=500');
  assert.equal(body.files.filter((file: { name: string }) => file.name === 'twice.csv').length, 1);
  assert.equal((await sftp.stat('/catalog/all/twice.csv')).size, known.length);
});

test("a store's folder can be accessed by its platform id and by the chain's own number", async () => {
  await sftp.put('/catalog/ext-2/by-number.csv', csv);
  assert.equal((await fileNamed('by-number.csv')).folder, `/catalog/${chain.vendors[1]}`);
  assert.deepEqual(await sftp.list('/catalog'), ['all', ...chain.vendors.toSorted()]);
  assert.deepEqual(await sftp.list('/exports/ext-1'), ['catalog.csv']);
});

test('a limited user sees only its stores and folders', async () => {
  const [vendor = '', other = ''] = chain.vendors;
  const limited = await makeSftpUser(aisle, chain, { vendor_ids: [vendor], scopes: ['catalog:write'] });
  const session = await connectSftp(aisle.port, limited);
  assert.deepEqual(await session.list('/'), ['catalog', 'products']);
  assert.deepEqual(await session.list('/catalog'), ['all', vendor]);
  for (const path of [`/catalog/${other}/x.csv`, '/catalog/ext-2/x.csv', '/promotions/x.csv']) {
    await assert.rejects(session.put(path, csv), { code: 2 }, path);
  }
  for (const path of ['/results', '/exports', `/exports/${vendor}/catalog.csv`]) {
    await assert.rejects(session.stat(path), { code: 2 }, path);
  }
  await session.end();
});

test('a file that was started before its user was limited cannot change what all stores share', async () => {
  const [vendor = ''] = chain.vendors;
  await addProducts(aisle, chain, plainProducts(1));
  const uploader = await makeSftpUser(aisle, chain);
  const before = await connectSftp(aisle.port, uploader);
  const folder = `/catalog/${vendor}`;
  await before.put(`${folder}/limited.part`, 'sku,barcode\nSKU-00001,5901234123457\n');
  await before.end();
  const limited = await call('PATCH', `/sftp-users/${uploader.sftp_user_id}`, { body: { vendor_ids: [vendor] } });
  assert.equal(limited.status, 200, limited.text);
  const after = await connectSftp(aisle.port, uploader);
  await after.rename(`${folder}/limited.part`, `${folder}/limited.csv`);
  await after.end();
  const [{ job_id }] = (await fileNamed('limited.csv')).jobs;
  const job = await waitForJob(aisle, chain, job_id);
  assert.equal(job.result.item_level_feedback[0]?.code, 'requires_all_vendors');
});

test('results are visible with the scope that the API requires for them', async () => {
  // The example's product does not exist, so its row fails.
  await sftp.put('/promotions/seen.csv', await sftp.get('/promotions/TEMPLATE.csv'));
  await sftp.put('/catalog/all/seen-too.csv', csv);
  const listed = async () => (await sftp.list('/results')).filter((name) => /^seen.*\.failed\.csv$/.test(name));
  await waitFor('both results', async () => (await listed()).length === 2, 60);
  for (const [scope, seen, hidden] of [
    ['catalog:read', 'seen-too.failed.csv', 'seen.failed.csv'],
    ['promotions:read', 'seen.failed.csv', 'seen-too.failed.csv'],
  ] as const) {
    const reader = await connectSftp(aisle.port, await makeSftpUser(aisle, chain, { scopes: [scope] }));
    const names = await reader.list('/results');
    assert.ok(names.includes(seen) && !names.includes(hidden), scope);
    assert.ok((await reader.get(`/results/${seen}`)).length > 0);
    await assert.rejects(reader.get(`/results/${hidden}`), { code: 2 });
    await reader.end();
  }
});

test("a user does not see another user's unfinished files", async () => {
  await sftp.put('/products/mine.part', csv);
  const other = await connectSftp(aisle.port, await makeSftpUser(aisle, chain));
  assert.deepEqual(await other.list('/products'), ['TEMPLATE.csv']);
  await assert.rejects(other.remove('/products/mine.part'), { code: 2 });
  await assert.rejects(other.rename('/products/mine.part', '/products/mine.csv'), { code: 2 });
  await other.end();
  await sftp.remove('/products/mine.part');
});

test('an export has a size and can be read in any order and in parallel', async () => {
  const path = `/exports/${chain.vendors[0]}/catalog.csv`;
  const content = await sftp.get(path);
  assert.match(content.toString(), /^sku,/);
  const handle = await sftp.open(path, 'r');
  assert.equal((await sftp.fstat(handle)).size, content.length);
  const [end, start] = await Promise.all([sftp.read(handle, 4, 100), sftp.read(handle, 0, 4)]);
  assert.ok(Buffer.concat([start, end]).equals(content.subarray(0, 104)));
  await sftp.close(handle);
});

test('a folder with many entries is listed completely', async () => {
  await aisle.db.query(
    `insert into files (chain_id, file_id, folder, name, vendor_ids, is_limited, uploaded_by, actor, address, channel)
     select $1, gen_random_uuid(), '/products', n || '.part', null, false, '', $2, '', 'sftp' from generate_series(1, 130) n`,
    [chain.chainId, `sftp:${user.sftp_user_id}`],
  );
  assert.equal((await sftp.list('/products')).length, 131);
});

/** What is left of a file if PostgreSQL crashes before its last part has been written to the disk. */
async function loseLastPart(name: string, size: number): Promise<void> {
  const [file] = await aisle.db.query<{ file_id: string }>(
    'update files set size = $3 where chain_id = $1 and name = $2 returning file_id',
    [chain.chainId, name, size],
  );
  await aisle.db.query('delete from file_parts where chain_id = $1 and file_id = $2 and part_no >= $3::int / 262144', [
    chain.chainId,
    file?.file_id,
    size,
  ]);
}

async function storedBytes(name: string): Promise<Buffer> {
  const [row] = await aisle.db.query<{ bytes: Buffer }>(
    `select string_agg(p.bytes, ''::bytea order by p.part_no) as bytes from file_parts p
     join files f using (chain_id, file_id) where f.chain_id = $1 and f.name = $2`,
    [chain.chainId, name],
  );
  return row?.bytes ?? Buffer.alloc(0);
}

// oxlint-disable-next-line typescript/no-explicit-any -- the response is checked against the contract
async function fileNamed(name: string): Promise<any> {
  const { body } = await call('GET', '/files?page_size=500');
  return body.files.find((file: { name: string }) => file.name === name) ?? assert.fail(`${name} is not listed`);
}
