import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { BackupError, backUp, loadBackup, openBackup } from '../src/backup.ts';
import { type Database, openDatabase } from '../src/kernel/database/db.ts';
import { readDump } from '../src/kernel/database/dump.ts';
import { readMigrations } from '../src/kernel/database/migrate.ts';
import { makeChain } from './support/aisle.ts';
import { addProducts } from './support/catalog.ts';
import { cloneDatabase, createEmptyDatabase } from './support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'aisle-backup-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const database = await cloneDatabase();
after(() => database.drop());
const migrations = readMigrations(new URL('../migrations/', import.meta.url));
const file = join(folder, 'aisle.backup');
const chain = await makeChain(database);
const title = 'Tab\there, line\nbreak, back\\slash, \\. and حليب';
await addProducts(database, chain, [{ sku: 'ODD', title, price: 1 }]);
await backUp(database.url, options(file));

test('a restored database has the same rows and sequences', async (t) => {
  const db = await open(t);
  await loadBackup(db, await openBackup(file, migrations), migrations, () => {});
  const relations = await db.query<{ name: string; kind: string }>(
    `select relname as name, relkind as kind from pg_class
     where relkind in ('r', 'S') and relpersistence = 'p' and relnamespace = 'public'::regnamespace`,
  );
  assert.ok(relations.length > 30);
  const positions = 'event_positions';
  const changed = new Set([positions, 'placed_offer_changes', 'promotion_changes', 'order_changes']);
  for (const { name, kind } of relations.filter((relation) => !changed.has(relation.name))) {
    const rows = `select coalesce(jsonb_agg(to_jsonb(r) order by to_jsonb(r)), '[]') as rows from ${name} r`;
    const sql = kind === 'r' ? rows : `select last_value, is_called from ${name}`;
    assert.deepEqual(await db.query(sql), await database.db.query(sql), name);
  }
  // New events must not get positions that clients have already read.
  const [row] = await db.query<{ last: string }>(`select last_value as last from ${positions}`);
  assert.ok(Number(row?.last) > 1_000_000_000);
});

test('a backup of an older version is migrated when it is restored', async (t) => {
  const newer = [...migrations, { version: 9999, name: 'added', sql: 'create table added_later (id int)' }];
  const db = await open(t);
  await loadBackup(db, await openBackup(file, newer), newer, () => {});
  assert.deepEqual(await db.query('select * from added_later'), []);
});

const damaged: [problem: string, damage: (zipped: Buffer, text: string) => Buffer, message: RegExp][] = [
  ['was cut', (zipped) => zipped.subarray(0, zipped.length / 2), /cut\.backup is incomplete; use another one\.$/],
  ['has no end', (_, text) => zip(text.slice(0, text.lastIndexOf('\nset ') + 1)), /is incomplete; use another one/],
  ['ends in a table', (_, text) => zip(text.slice(0, text.indexOf('\n\\.\n'))), /is incomplete; use another one/],
  ['has wrong bytes', (zipped) => Buffer.from(zipped).fill(0, 600, 700), /is damaged or is not an Aisle backup\.$/],
  ['is a different file', () => zip('something else\n'), /file\.backup is not an Aisle backup\.$/],
  ['is not compressed', () => Buffer.from('text'), /is damaged or is not an Aisle backup\.$/],
  [
    'has no description',
    (_, text) => zip(text.replace('"migrations":', '"unknown":')),
    /is damaged or is not an Aisle/,
  ],
  [
    'was made by a newer version',
    (_, text) => zip(text.replace('"version":1,', '"version":9999,')),
    /^The backup was made by a newer version of Aisle \(.*, migration 9999\); restore it with that version\.$/,
  ],
  [
    'has a different migration',
    (_, text) => zip(text.replace(/"sha256":"\w+/, '"sha256":"0')),
    /^Migration 1 \(foundation\) differs from the one in the backup; restore it with Aisle /,
  ],
];
for (const [problem, damage, message] of damaged) {
  test(`a backup that ${problem} is rejected`, async (t) => {
    const { zipped, unzipped, path } = copyOf(problem.split(' ').at(-1) ?? '');
    writeFileSync(path, damage(zipped, unzipped.toString('latin1')));
    const restore = async () => {
      const backup = await openBackup(path, migrations);
      await loadBackup(await open(t), backup, migrations, () => {});
    };
    await assert.rejects(restore, (error: Error) => error instanceof BackupError && message.test(error.message));
  });
}

test('of two backups to the same file at the same time, one is complete and the other is rejected', async () => {
  const path = join(folder, 'twice.backup');
  const ends = await Promise.allSettled([1, 2].map(() => backUp(database.url, options(path))));
  assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.match(gunzipSync(readFileSync(path)).toString('latin1'), /\nset session_replication_role = origin;\n$/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('unfinished')),
    [],
  );
});

test('a backup overwrites no file, requires a folder and a database, and leaves no partial file behind', async (t) => {
  const empty = await createEmptyDatabase();
  t.after(empty.drop);
  await assert.rejects(backUp(database.url, options(file)), /already exists; choose another name for the backup\.$/);
  await assert.rejects(
    backUp(database.url, options(join(folder, 'no', 'file'))),
    /: The folder .*no does not exist\.$/,
  );
  await assert.rejects(backUp(empty.url, options(join(folder, 'empty.backup'))), /The database in .* is empty\.$/);
  const stopped = { ...options(join(folder, 'stopped.backup')), signal: AbortSignal.abort() };
  await assert.rejects(backUp(database.url, stopped), { name: 'AbortError' });
  assert.deepEqual(
    readdirSync(folder).filter((name) => /unfinished|empty|stopped/.test(name)),
    [],
  );
});

test('a dump is parsed identically, however it is split into chunks', async () => {
  const text = 'first\ncopy a (b) from stdin;\n1\n\\\\.\n2\n\\.\ncopy c (d) from stdin;\n\\.\nlast';
  for (let size = 1; size <= text.length; size++) {
    const reader = readDump(split(text, size));
    const read = async () => Buffer.concat(await Array.fromAsync(reader.readSection())).toString();
    assert.equal(await reader.readLine(), 'first');
    assert.equal(await reader.readLine(), 'copy a (b) from stdin;');
    assert.equal(await read(), '1\n\\\\.\n2\n', `chunks of ${size} bytes`);
    assert.equal(await reader.readLine(), 'copy c (d) from stdin;');
    assert.equal(await read(), '');
    assert.equal(await reader.readLine(), 'last');
    assert.equal(await reader.readLine(), undefined);
  }
});

function options(path: string) {
  return { dataDir: folder, file: path, print: () => {}, signal: new AbortController().signal };
}

async function open(t: { after(work: () => Promise<void>): void }): Promise<Database> {
  const { url, drop } = await createEmptyDatabase();
  const db = openDatabase({ url, connections: 4, preparedStatements: true, name: 'aisle test', onError: () => {} });
  t.after(() => db.close().then(drop));
  return db;
}

function copyOf(name: string): { zipped: Buffer; unzipped: Buffer; path: string } {
  const zipped = readFileSync(file);
  return { zipped, unzipped: gunzipSync(zipped), path: join(folder, `${name}.backup`) };
}

/** The text has one character per byte. */
function zip(text: string): Buffer {
  return gzipSync(Buffer.from(text, 'latin1'));
}

async function* split(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
