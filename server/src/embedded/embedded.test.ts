import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, EmbeddedPostgresError, type EmbeddedPostgresOptions } from './index.ts';
import { findRunningPostgres, startEmbeddedPostgres } from './index.ts';

const settings = { fsync: 'off', shared_buffers: '16MB' };
const root = mkdtempSync(join(tmpdir(), 'aisle test '));
// Allows the user that runs PostgreSQL to enter the folder, as in the default data location.
chmodSync(root, 0o755);
after(() => rmSync(root, { recursive: true, force: true }));

const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

/** Stops everything a test started, even if the test failed, because the next test uses the same folder. */
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
});

/** Shared by the tests, because creating a database takes a second. */
const dataDir = join(root, 'shared');

test('data survives a restart, and trigrams are generated for Arabic text', async () => {
  const first = await start(dataDir);
  await query(first.url, 'CREATE EXTENSION pg_trgm');
  await query(first.url, `CREATE TABLE kept AS SELECT 'حليب طازج' AS title`);
  const [words] = await query(first.url, `SELECT cardinality(show_trgm('حليب طازج')) AS trigrams`);
  assert.equal(words?.['trigrams'], 10);
  await Promise.all([first.stop(), first.stop()]);
  assert.equal(existsSync(join(dataDir, 'aisle.lock')), false);

  const second = await start(dataDir);
  assert.deepEqual(await query(second.url, 'SELECT title FROM kept'), [{ title: 'حليب طازج' }]);
});

test('the server uses our settings, and a wrong password is rejected', async () => {
  const { url } = await start(dataDir);
  const [row] = await query(
    url,
    `SELECT current_setting('fsync') AS fsync, current_setting('max_wal_size') AS max_wal_size,
            current_setting('TimeZone') AS zone, current_database() AS database`,
  );
  assert.deepEqual(row, { fsync: 'off', max_wal_size: '2GB', zone: 'UTC', database: 'aisle' });
  const wrong = new URL(url);
  wrong.password = 'guess';
  await assert.rejects(query(wrong.href, 'SELECT 1'), { code: '28P01' });
  assert.equal(statSync(join(dataDir, 'postgres', 'aisle.password')).mode & 0o777, 0o600);
});

test('values that violate a constraint, such as email addresses, do not reach the log', async () => {
  const { url } = await start(dataDir);
  await query(url, 'CREATE TABLE people (email text CONSTRAINT people_email_key UNIQUE)');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const insert = () => client.query('INSERT INTO people VALUES ($1)', ['sam@private.example']);
  await insert();
  await assert.rejects(insert, { code: '23505' });
  await client.end();
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
  assert.match(log, /people_email_key/);
  assert.doesNotMatch(log, /sam@private/);
});

test('starting a second Aisle process in the same folder fails with a one-sentence error', async () => {
  const first = await start(dataDir);
  await refuses({ dataDir, settings }, new RegExp(`is in use by another Aisle \\(process ${process.pid}\\)`));
  await query(first.url, 'SELECT 1');
});

test('a lock whose process id now belongs to another process is taken over', async () => {
  // On Linux, the second line identifies the process. Elsewhere, a lock is stale only if its process is dead.
  const holder = process.platform === 'linux' ? `${process.ppid}\nanother boot 1\n` : '999999999\n\n';
  writeFileSync(join(dataDir, 'aisle.lock'), holder);
  await start(dataDir);
  assert.match(readFileSync(join(dataDir, 'aisle.lock'), 'utf8'), new RegExp(`^${process.pid}\n`));
});

test('a lock from another container is held as long as its holder renews it', async () => {
  const lock = join(dataDir, 'aisle.lock');
  // In another container, the process can have the id of one that is dead here, or of this one.
  writeFileSync(lock, `${process.pid}\nanother start\nanother place\n`);
  const renewing = setInterval(() => utimesSync(lock, new Date(), new Date()), 500);
  try {
    await assert.rejects(start(dataDir), /is in use by another Aisle in another container or on another host; stop it/);
  } finally {
    clearInterval(renewing);
  }
  await start(dataDir);
  const before = statSync(lock).mtimeMs;
  await within(5000, () => statSync(lock).mtimeMs !== before, 'the lock is renewed');
});

test('a frozen process keeps the folder, also if it is in another container', async () => {
  const lock = join(dataDir, 'aisle.lock');
  const aisle = await startInChild(dataDir);
  aisle.process.kill('SIGSTOP');
  const content = readFileSync(lock, 'utf8');
  await refuses({ dataDir, settings }, new RegExp(`is in use by another Aisle \\(process ${aisle.process.pid}\\)`));
  // Only on Linux, the lock of a process in another container is kept while it does not renew it.
  if (process.platform === 'linux') {
    writeFileSync(lock, `${process.pid}\nanother start\nanother place\n`);
    await refuses({ dataDir, settings }, /is in use by another Aisle in another container or on another host/);
    writeFileSync(lock, content);
  }
  aisle.process.kill('SIGCONT');
  await query(aisle.url, 'SELECT 1');
});

for (const [how, lose] of Object.entries({
  'taken over': (lock: string) => writeFileSync(lock, `${process.pid}\nanother start\nanother place\n`),
  deleted: (lock: string) => rmSync(lock),
})) {
  test(`a process whose lock was ${how} kills its server, and leaves the folder to the other one`, async () => {
    const lock = join(dataDir, 'aisle.lock');
    const first = await start(dataDir);
    const server = postmaster(dataDir);
    const { searchParams } = new URL(first.url);
    lose(lock);
    assert.match(await first.exited, /^The data folder .* was moved or deleted, or another Aisle has taken it over/);
    await within(5000, () => !isRunning(server), 'the server is gone');
    const left = existsSync(lock) && readFileSync(lock, 'utf8');
    await first.stop();
    assert.deepEqual(
      [existsSync(lock) && readFileSync(lock, 'utf8'), existsSync(searchParams.get('host') ?? '')],
      [left, true],
    );
    rmSync(lock, { force: true });
  });
}

test('a lock that a crash left half-made is taken over', async () => {
  const lock = join(dataDir, 'aisle.lock');
  const guard = `${lock}.takeover`;
  writeFileSync(lock, '');
  writeFileSync(guard, '');
  // The clock was set back since.
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(guard, later, later);
  await start(dataDir);
  assert.equal(existsSync(guard), false);
});

test('a folder in place of the lock, or a damaged data folder, is reported in one sentence', async () => {
  const dataDir = join(root, 'damaged');
  const [lock, cluster] = [join(dataDir, 'aisle.lock'), join(dataDir, 'postgres')];
  mkdirSync(lock, { recursive: true });
  await refuses({ dataDir }, /^Aisle cannot write to the data folder .*: a folder exists where a file should be; set/);
  rmSync(lock, { recursive: true });
  // As if PostgreSQL's own files had been copied in part.
  mkdirSync(join(cluster, 'base'), { recursive: true });
  await refuses({ dataDir }, /exists but does not contain PostgreSQL data; remove it, or set AISLE_DATA_DIR/);
  writeFileSync(join(cluster, 'PG_VERSION'), '');
  await refuses({ dataDir }, /^The file PG_VERSION in .* is damaged; restore a backup/);
});

test('if Aisle is killed with SIGKILL, the server exits too, and no acknowledged row is lost', async () => {
  const aisle = await startInChild(dataDir);
  await query(aisle.url, 'CREATE TABLE acknowledged AS SELECT 1 AS n');
  const server = postmaster(dataDir);
  aisle.process.kill('SIGKILL');
  await within(5000, () => !isRunning(server), 'the server is gone');

  const next = await start(dataDir);
  assert.deepEqual(await query(next.url, 'SELECT n FROM acknowledged'), [{ n: 1 }]);
});

test('if Aisle and the server are both killed with SIGKILL, the next start recovers the data', async () => {
  const aisle = await startInChild(dataDir);
  await query(aisle.url, 'CREATE TABLE recovered AS SELECT 1 AS n');
  const server = postmaster(dataDir);
  aisle.process.kill('SIGKILL');
  process.kill(server, 'SIGKILL');

  const next = await start(dataDir);
  assert.deepEqual(await query(next.url, 'SELECT n FROM recovered'), [{ n: 1 }]);
});

test('if Aisle is killed while it creates the database, the next start still works', async () => {
  const dataDir = join(root, 'half-created');
  const aisle = runInChild(dataDir);
  await within(5000, () => hasBegunInitdb(dataDir), 'initdb is running');
  aisle.kill('SIGKILL');
  await once(aisle, 'exit');
  assert.equal(existsSync(join(dataDir, 'postgres')), false);

  const next = await start(dataDir);
  await query(next.url, 'SELECT 1');
});

test('if a restore was killed while it replaced the data, no empty database is created in its place', async () => {
  const dataDir = join(root, 'half-restored');
  const unfinished = join(dataDir, 'restore.unfinished-0a1b2c3d');
  mkdirSync(join(unfinished, 'old-x', 'postgres'), { recursive: true });
  await assert.rejects(start(dataDir), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.match(
      error.message,
      /^A restore was interrupted .* run it again with --overwrite\. The data before it is in /,
    );
    assert.ok(error.message.endsWith(`${unfinished}.`));
    return true;
  });
  assert.deepEqual(readdirSync(unfinished), ['old-x']);
});

test('Ctrl-C in the terminal does not stop the server while Aisle still needs the database', async () => {
  const aisle = await startInChild(dataDir);
  assert.ok(aisle.process.pid);
  process.kill(-aisle.process.pid, 'SIGINT');
  await sleep(300);
  await query(aisle.url, 'SELECT 1');
  aisle.process.kill('SIGTERM');
  await once(aisle.process, 'exit');
  assert.equal(existsSync(join(dataDir, 'aisle.lock')), false);
});

test('a server that crashes is reported and can be started again', async () => {
  const first = await start(dataDir);
  process.kill(postmaster(dataDir), 'SIGKILL');
  await first.exited;
  await first.stop();
  const second = await start(dataDir);
  await query(second.url, 'SELECT 1');
});

test('what a crashed server left behind is not taken for a running one, even if its process id is in use', async () => {
  const { url, stop } = await start(dataDir);
  assert.equal(new URL(findRunningPostgres(dataDir) ?? '').password, new URL(url).password);
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const left = readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid));
  await stop();
  writeFileSync(file, left);
  assert.equal(findRunningPostgres(dataDir), undefined);
  rmSync(file);
});

test('data from another PostgreSQL major version is rejected with a one-sentence error', async () => {
  const dataDir = join(root, 'version');
  const cluster = join(dataDir, 'postgres');
  mkdirSync(cluster, { recursive: true });
  writeFileSync(join(cluster, 'PG_VERSION'), '99\n');
  await refuses({ dataDir }, /was written by PostgreSQL 99, .* start the newer version of Aisle/);
  writeFileSync(join(cluster, 'PG_VERSION'), '9.6\n');
  await refuses({ dataDir }, /was written by PostgreSQL 9, .*: make a backup with the older version of Aisle/);
  assert.equal(existsSync(join(dataDir, 'aisle.lock')), false);
});

test('a data folder that is not writable is reported in one sentence', async () => {
  writeFileSync(join(root, 'file'), '');
  const sentence =
    /^Aisle cannot write to the data folder .*: a file exists where the folder should be; set AISLE_DATA_DIR/;
  await refuses({ dataDir: join(root, 'file') }, sentence);
  await refuses({ dataDir: join(root, 'file', 'below') }, sentence);
});

test('a server that cannot start is reported with the reason and the path to its log', async () => {
  await refuses(
    { dataDir, settings: { ...settings, nonsense: '1' } },
    /^PostgreSQL could not start: unrecognized configuration parameter "nonsense" \(see .*postgres\.log\)\.$/,
  );
});

test('root can use a data folder inside a private folder, and other users without access get an error', async () => {
  const parent = join(root, 'private');
  const dataDir = join(parent, 'data');
  mkdirSync(parent, { mode: 0o700 });
  if (process.getuid?.() === 0) {
    const server = await start(dataDir);
    await query(server.url, 'SELECT 1');
  } else {
    chmodSync(parent, 0);
    await refuses({ dataDir }, /^Aisle cannot write to the data folder .*: permission was denied/);
    chmodSync(parent, 0o700);
  }
});

async function start(folder: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: folder, settings });
  servers.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function refuses(options: EmbeddedPostgresOptions, sentence: RegExp): Promise<void> {
  await assert.rejects(startEmbeddedPostgres(options), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError, String(error));
    assert.match(error.message, sentence);
    return true;
  });
}

/** Starts an Aisle process that only runs a PostgreSQL server and ignores Ctrl-C. */
function runInChild(dataDir: string): ChildProcess {
  const script = `
    process.on('SIGINT', () => {});
    const { startEmbeddedPostgres } = await import(${JSON.stringify(import.meta.resolve('./index.ts'))});
    const { url, stop } = await startEmbeddedPostgres(${JSON.stringify({ dataDir, settings })});
    process.on('SIGTERM', stop);
    process.stdout.write(url);`;
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  children.push(child);
  return child;
}

async function startInChild(dataDir: string): Promise<{ process: ChildProcess; url: string }> {
  const child = runInChild(dataDir);
  assert.ok(child.stdout);
  const [url] = await once(child.stdout, 'data');
  return { process: child, url: String(url) };
}

function postmaster(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead process keeps its id until its parent reads its exit status.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function hasBegunInitdb(dataDir: string): boolean {
  const unfinished = existsSync(dataDir) ? readdirSync(dataDir).find((name) => name.includes('unfinished')) : undefined;
  return unfinished !== undefined && existsSync(join(dataDir, unfinished, 'cluster', 'PG_VERSION'));
}

async function within(milliseconds: number, isMet: () => boolean, condition: string): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!isMet()) {
    assert.ok(Date.now() < deadline, `${condition} within ${milliseconds} ms`);
    await sleep(20);
  }
}
