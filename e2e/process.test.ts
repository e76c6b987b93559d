import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../server/src/demo/index.ts';
import type { Answer } from '../server/test/support/aisle.ts';
import { plainProducts, readLog, waitForJob } from '../server/test/support/catalog.ts';
import { cloneDatabase } from '../server/test/support/database.ts';
import { clientOf } from './support/client.ts';
import { listFamily, listProcesses, type ProcessRow, survivors } from './support/processes.ts';
import { freePort, launchProgram, type Program, runProgram, startProgram } from './support/program.ts';
import { waitFor, within } from './support/wait.ts';

/** The whole program as somebody who tries it meets it: one folder, no settings, its own PostgreSQL. */
const root = mkdtempSync(join(tmpdir(), 'aisle-e2e-'));
// As it would be for data in a usual place: enterable for the user that PostgreSQL runs as.
chmodSync(root, 0o755);
const folder = join(root, 'empty');
mkdirSync(folder);
const port = String(await freePort());
const settings = { PORT: port, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' };

const bulk = 40_000;

// Most tests share the folder, one after the other, and leave the program running for the next.
let aisle: Program;
let demo: DemoFile;

after(async () => {
  aisle?.kill('SIGKILL');
  await aisle?.ended;
  await noPostgres();
  rmSync(root, { recursive: true, force: true });
});

test('started in an empty folder, it welcomes with a curl line that answers', async () => {
  aisle = await startProgram({ folder, environment: { PORT: port } });
  assert.match(aisle.stdout(), new RegExp(`API +http://127\\.0\\.0\\.1:${port}/v2\n`));
  assert.equal(aisle.stderr(), '');
  const line = /^ +(curl .*)$/m.exec(aisle.stdout())?.[1];
  assert.ok(line, 'the welcome has a curl line');
  const answer = JSON.parse(await runCurl(line));
  assert.ok(answer.total_items > 0);
  assert.ok(answer.products.length >= 1 && answer.products.length <= 3);
  for (const product of answer.products) assert.match(JSON.stringify(product.translations), /milk/i);
});

test('demo.json has the promised names and is for its owner alone', () => {
  const file = join(folder, 'data', 'demo.json');
  demo = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const names = ['base_url', 'chain_id', 'vendors', 'api_token', 'client_id', 'client_secret', 'platform_token'];
  assert.deepEqual(Object.keys(demo), [...names, 'portal']);
  assert.deepEqual(Object.keys(demo.portal).toSorted(), ['email', 'password', 'url']);
  assert.ok(demo.vendors.length > 1);
  for (const vendor of demo.vendors) {
    assert.deepEqual(Object.keys(vendor), ['vendor_id', 'external_id', 'name', 'currency']);
  }
  assert.equal(demo.base_url, aisle.url);
  assert.equal(demo.portal.url, `${aisle.url}/portal`);
});

test('every credential of demo.json opens its door', async () => {
  const stores = await call('GET', '/vendors');
  assert.equal(stores.status, 200);
  assert.deepEqual(
    stores.body.vendors.map((vendor: { vendor_id: string }) => vendor.vendor_id).toSorted(),
    demo.vendors.map((vendor) => vendor.vendor_id).toSorted(),
  );

  const granted = await clientOf(aisle).call('POST', '/v2/oauth/token', {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: demo.client_id,
      client_secret: demo.client_secret,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(granted.status, 200, granted.text);
  assert.equal((await call('GET', '/vendors', { token: granted.body.access_token })).status, 200);

  const chain = await clientOf(aisle).call('GET', `/platform/v1/chains/${demo.chain_id}`, {
    token: demo.platform_token,
  });
  assert.equal(chain.status, 200, chain.text);
  assert.equal(chain.body.chain_id, demo.chain_id);
});

test('the demo shows a clean update, one with failures, and an export that downloads', async () => {
  const jobs = await waitFor(
    20,
    'the end of the demo’s jobs',
    async () => {
      const { body } = await call('GET', '/catalog/jobs');
      return body.jobs.every((job: Answer['body']) => job.job_status === 'COMPLETED') ? body.jobs : undefined;
    },
    200,
  );
  const updates = jobs.filter((job: Answer['body']) => job.job_type === 'CATALOG_UPDATE');
  const failures = updates.map((job: Answer['body']) => job.progress.failed).toSorted();
  assert.equal(updates.length, 2);
  assert.equal(failures[0], 0);
  assert.ok(failures[1] > 0);
  const exports = jobs.filter((job: Answer['body']) => job.job_type === 'CATALOG_EXPORT');
  assert.equal(exports.length, 1);
  const file = await fetch(exports[0].download_url, { headers: { authorization: `Bearer ${demo.api_token}` } });
  assert.match(await file.text(), /^sku,barcode,price,active,max_sales_quantity,quantity\r?\n.+/);
});

test('a second start on the same data folder is refused in one sentence and does not disturb the first', async () => {
  const second = await runProgram([], { PORT: String(await freePort()) }, folder);
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    new RegExp(`^The data folder .* is in use by another Aisle \\(process ${aisle.pid}\\);.*\n$`),
  );
  assert.equal((await call('GET', '/vendors')).status, 200);
});

test('after kill -9 no PostgreSQL is left, and the next start has every acknowledged change and the same credentials', async () => {
  const [vendor] = demo.vendors;
  const sku = (await call('GET', `/vendors/${vendor?.vendor_id}/catalog?page_size=1`)).body.products[0].sku;
  const family = familyOf(aisle);
  const sent = await call('PUT', `/vendors/${vendor?.vendor_id}/catalog`, {
    body: { products: [{ sku, price: 77.25 }] },
  });
  assert.equal(sent.status, 200, sent.text);
  aisle.kill('SIGKILL');
  await aisle.ended;
  await allGone(family, 5);

  aisle = await startProgram({ folder, environment: settings });
  assert.equal(aisle.stderr(), '');
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8')), demo);
  const found = await call('GET', `/vendors/${vendor?.vendor_id}/catalog?query_term=${sku}`);
  assert.equal(found.body.products[0].price, 77.25);
  assert.equal((await call('GET', '/catalog/jobs')).body.total_items, 3);
});

test('a creation survives kill -9 of the program in its middle', async () => {
  await ensureRunning();
  const products = plainProducts(bulk);
  const job = await submit('POST', { products });
  await killInTheMiddle(job, () => aisle.kill('SIGKILL'));
  await completesWhole(job, 'CREATED');
});

test('an update survives kill -9 of the program and its PostgreSQL together', async () => {
  await ensureRunning();
  const products = plainProducts(bulk).map(({ sku }, index) => ({ sku, price: 2 + index / 100, quantity: index }));
  const job = await submit('PUT', { products });
  await killInTheMiddle(job, () => {
    const postmaster = readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
    aisle.kill('SIGKILL');
  });
  await completesWhole(job, 'UPDATED');
  for (const index of [0, bulk / 2, bulk - 1]) {
    const { sku, price, quantity } = products[index] ?? assert.fail();
    const [found] = (await call('GET', `/vendors/${store()}/catalog?query_term=${sku}`)).body.products;
    assert.deepEqual({ sku: found.sku, price: found.price, quantity: found.quantity }, { sku, price, quantity });
  }
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} lets a request in flight finish, then ends with 0 and leaves no process`, async () => {
    await ensureRunning();
    const family = familyOf(aisle);
    const upload = startUpload([
      { sku: 'SKU-00001', active: false },
      { sku: 'SKU-00002', active: false },
    ]);
    await upload.isUnderWay;
    aisle.kill(signal);
    await waitFor(5, 'new connections being refused', () =>
      fetch(`${aisle.url}/health/live`).then(
        () => undefined,
        () => true,
      ),
    );
    upload.finish();
    const answer = await within(10, 'the answer to the upload', upload.answer);
    assert.equal(answer.status, 202);
    // The client would keep its connection for the next request; that must not hold up the end.
    assert.deepEqual(await within(10, `the end after ${signal}`, aisle.ended), { code: 0, signal: null });
    assert.equal(aisle.stderr(), '');
    await allGone(family, 1);
    assert.equal(existsSync(join(folder, 'data', 'aisle.lock')), false);

    aisle = await startProgram({ folder, environment: settings });
    const job = await waitForJob(clientOf(aisle), chain(), answer.job_id);
    assert.equal(job.job_status, 'COMPLETED');
  });
}

test('a second signal ends it at once, although a request is in flight', async () => {
  await ensureRunning();
  const family = familyOf(aisle);
  const upload = startUpload([{ sku: 'SKU-00001', active: true }]);
  await upload.isUnderWay;
  aisle.kill('SIGTERM');
  await sleep(500);
  assert.equal(survivors(family.slice(0, 1)).length, 1, 'it waits for the request');
  aisle.kill('SIGTERM');
  assert.deepEqual(await within(2, 'the end after the second signal', aisle.ended), { code: 130, signal: null });
  upload.abandon();
  await allGone(family, 5);
});

test('a signal while it is still starting ends it well, and the next start carries on', async () => {
  const fresh = join(root, 'interrupted');
  mkdirSync(fresh);
  for (const moment of ['Making a new PostgreSQL database', 'Filling the demo chain']) {
    const run = launchProgram([], { PORT: port, AISLE_LOG_LEVEL: 'warn' }, fresh);
    await waitFor(30, moment, () => run.stdout().includes(moment) || undefined, 2);
    run.kill('SIGTERM');
    assert.deepEqual(await within(20, `the end after "${moment}"`, run.ended), { code: 0, signal: null });
    assert.equal(run.stderr(), '');
    await waitFor(5, 'the end of every process', () => processesIn(fresh).length === 0 || undefined);
  }
  const next = await startProgram({ folder: fresh, environment: { PORT: port } });
  assert.ok(existsSync(join(fresh, 'data', 'demo.json')));
  await next.stop();
});

test('a taken port is told in one sentence', async () => {
  const other = createServer().listen(Number(port), '127.0.0.1');
  const outcome = await runProgram([], { PORT: port }, folder);
  await new Promise((resolve) => other.close(resolve));
  assertRefused(outcome, [`Port ${port} is taken: set PORT to another one.`]);
  assert.equal(processesIn(folder).length, 0);
});

test('an unknown role is told, with the roles there are', async () => {
  const { code, stderr } = await runProgram(['cook']);
  assert.equal(code, 1);
  assert.match(stderr, /^There is no role "cook"\.\n/);
  for (const role of ['all', 'api', 'worker', 'migrate', 'platform-token'])
    assert.match(stderr, new RegExp(` ${role} `));
});

test('every mistake in the settings is told at once, a sentence each, and no password is repeated', async () => {
  const outcome = await runProgram([], {
    PORT: '99999',
    AISLE_DEMO: 'perhaps',
    AISLE_LOG_LEVEL: 'loud',
    AISLE_WORKER_SLOTS: '0',
    AISLE_RATE_LIMITS: 'read=20,writes=many',
    DATABASE_URL: 'mysql://me:hunter2@localhost/aisle',
  });
  assertRefused(outcome, [
    'PORT must be a whole number from 0 to 65535, not "99999".',
    'DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
    'AISLE_DEMO must be on or off, not "perhaps".',
    'AISLE_LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud".',
    'AISLE_WORKER_SLOTS must be a whole number from 1 to 64, not "0".',
    /^AISLE_RATE_LIMITS must be on, off, or a list such as .*; "writes=many" is not understood\.$/,
  ]);
});

test('a role that shares a database is told to name one', async () => {
  await forRoles(['api', 'worker'], async (role) => {
    const sentence = `The role ${role} shares a database with others: set DATABASE_URL.`;
    assertRefused(await runProgram([role]), [sentence]);
  });
});

test('a database that cannot be reached is told with the reason', async () => {
  const nobody = await freePort();
  const DATABASE_URL = `postgres://me:hunter2@127.0.0.1:${nobody}/aisle`;
  const outcome = await runProgram(['api'], { DATABASE_URL });
  assertRefused(outcome, [`The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${nobody}.`]);
});

test('a database of another version is told what to do, and left as it is', async () => {
  const database = await cloneDatabase();
  const environment = { DATABASE_URL: database.url, PORT: port };
  try {
    await database.db.query("insert into migrations (version, name) values (9999, 'from the future')");
    const newest =
      /^The database is at migration 9999, but this version of Aisle knows only \d+: start a newer version\.$/;
    await forRoles(['all', 'migrate', 'api', 'worker'], async (role) => {
      assertRefused(await runProgram([role], environment), [newest]);
    });
    await database.db.query('drop table migrations');
    const behind = 'The database is not up to date: run "npm start -- migrate" first.';
    await forRoles(['api', 'worker'], async (role) => {
      assertRefused(await runProgram([role], environment), [behind]);
    });
    const tables = await database.db.query("select 1 where to_regclass('migrations') is not null");
    assert.equal(tables.length, 0);
  } finally {
    await database.drop();
  }
});

test('--help explains the roles and --version says one number', async () => {
  const help = await runProgram(['--help']);
  assert.equal(help.code, 0);
  assert.equal(help.stderr, '');
  for (const word of ['all', 'api', 'worker', 'migrate', 'DATABASE_URL', 'AISLE_DATA_DIR']) {
    assert.ok(help.stdout.includes(word), word);
  }
  const version = await runProgram(['--version']);
  assert.deepEqual({ code: version.code, stderr: version.stderr }, { code: 0, stderr: '' });
  assert.match(version.stdout, /^\d+\.\d+\.\d+\S*\n$/);
});

/** A test before may have failed and left it in any state. */
async function ensureRunning(): Promise<void> {
  const isUp = await fetch(`${aisle.url}/health/live`).catch(() => undefined);
  if (isUp?.ok) return;
  aisle.kill('SIGKILL');
  await aisle.ended;
  aisle = await startProgram({ folder, environment: settings });
}

function store(): string {
  return demo.vendors[0]?.vendor_id ?? '';
}

function chain() {
  const vendors = demo.vendors.map((vendor) => vendor.vendor_id);
  return { chainId: demo.chain_id, token: demo.api_token, base: `/v2/chains/${demo.chain_id}`, vendors };
}

function call(method: string, path: string, options: { token?: string; body?: unknown } = {}): Promise<Answer> {
  return clientOf(aisle).call(method, `${chain().base}${path}`, { token: demo.api_token, ...options });
}

async function submit(method: 'PUT' | 'POST', body: unknown): Promise<string> {
  const { status, body: answer, text } = await call(method, `/vendors/${store()}/catalog`, { body });
  assert.equal(status, 202, text);
  return answer.job_id;
}

/** Kills while the job is neither untouched nor done, and starts the program again. */
async function killInTheMiddle(job: string, kill: () => void): Promise<void> {
  const family = familyOf(aisle);
  const { progress } = await waitFor(
    30,
    'the middle of the job',
    async () => {
      const { body } = await call('GET', `/catalog/jobs/${job}`);
      assert.match(body.job_status, /QUEUED|IN_PROGRESS/);
      return body.progress.processed > 0 ? body : undefined;
    },
    5,
  );
  kill();
  assert.ok(progress.processed < progress.total);
  await aisle.ended;
  await allGone(family, 5);
  aisle = await startProgram({ folder, environment: settings });
}

async function completesWhole(jobId: string, state: 'CREATED' | 'UPDATED'): Promise<void> {
  const job = await waitForJob(clientOf(aisle), chain(), jobId, 60);
  assert.equal(job.job_status, 'COMPLETED', job.error);
  assert.deepEqual(job.progress, { total: bulk, processed: bulk, succeeded: bulk, unchanged: 0, failed: 0 });
  const [, ...lines] = await readLog(clientOf(aisle), chain(), jobId);
  assert.equal(lines.length, bulk);
  lines.forEach((line, index) => {
    const [sku, , found, , rowNumber] = line.split(',');
    const expected = `SKU-${String(index + 1).padStart(5, '0')}`;
    assert.deepEqual([sku, found, rowNumber], [expected, state, String(index + 1)]);
  });
}

/** A bulk update whose second half is sent when the test says so, on a connection that is kept for later. */
function startUpload(products: unknown[]) {
  const text = JSON.stringify({ products });
  const half = Math.floor(text.length / 2);
  const agent = new Agent({ keepAlive: true });
  const sending: ClientRequest = request(`${aisle.url}${chain().base}/vendors/${store()}/catalog`, {
    method: 'PUT',
    agent,
    headers: {
      authorization: `Bearer ${demo.api_token}`,
      'content-type': 'application/json',
      'content-length': text.length,
      // The server says "go on" once it has read the head, so the request is surely in flight.
      expect: '100-continue',
    },
  });
  const answer = new Promise<{ status: number; job_id: string }>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response: IncomingMessage) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then(
          (parts) => resolve({ status: response.statusCode ?? 0, job_id: JSON.parse(parts.join('')).job_id }),
          reject,
        );
    });
  });
  answer.catch(() => {});
  const isUnderWay = new Promise<void>((resolve, reject) => {
    sending.once('continue', () => sending.write(text.slice(0, half), () => resolve()));
    sending.once('error', reject);
  });
  sending.flushHeaders();
  return {
    isUnderWay: within(5, 'the server reading the upload', isUnderWay),
    answer,
    finish: () => sending.end(text.slice(half)),
    abandon: () => sending.destroy(),
  };
}

function forRoles(roles: string[], check: (role: string) => Promise<void>): Promise<void[]> {
  return Promise.all(roles.map(check));
}

function assertRefused(outcome: { code: number | null; stderr: string }, sentences: (string | RegExp)[]): void {
  const lines = outcome.stderr.trimEnd().split('\n');
  assert.equal(lines.length, sentences.length, outcome.stderr);
  sentences.forEach((sentence, index) => {
    if (typeof sentence === 'string') assert.equal(lines[index], sentence);
    else assert.match(lines[index] ?? '', sentence);
  });
  assert.doesNotMatch(outcome.stderr, /hunter2/);
  assert.equal(outcome.code, 1);
}

/** The program and its PostgreSQL, the program first. */
function familyOf({ pid }: Program): ProcessRow[] {
  const family = listFamily(pid);
  assert.ok(
    family.length > 3 && family.slice(1).every((row) => row.command.includes('postgres')),
    JSON.stringify(family),
  );
  return family;
}

async function allGone(family: ProcessRow[], seconds: number): Promise<void> {
  await waitFor(seconds, 'the end of every process', () => survivors(family).length === 0 || undefined);
}

function processesIn(path: string): ProcessRow[] {
  return listProcesses().filter((row) => row.command.includes(path));
}

async function noPostgres(): Promise<void> {
  await waitFor(10, 'the end of every process', () => processesIn(root).length === 0 || undefined);
}

/** As the reader of the welcome would, by pasting it; without curl the line is taken apart. */
async function runCurl(line: string): Promise<string> {
  if (spawnSync('curl', ['--version']).error === undefined) {
    const child = spawn('sh', ['-c', line.replace(/^curl/, 'curl --silent --show-error --fail')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return (await child.stdout.setEncoding('utf8').toArray()).join('');
  }
  const [, name = '', value = '', url = ''] = /^curl -H '([^:]+): ([^']+)' '([^']+)'$/.exec(line) ?? [];
  return (await fetch(url, { headers: { [name]: value } })).text();
}
