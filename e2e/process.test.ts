import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../server/src/demo/index.ts';
import type { Response, CallOptions } from '../server/test/support/aisle.ts';
import { plainProducts, readLog, waitForJob } from '../server/test/support/catalog.ts';
import { clientOf } from './support/client.ts';
import { makeFolder } from './support/folder.ts';
import { assertExited, familyWithPostgres, assertNoneRunning, survivors } from './support/processes.ts';
import { freePort, launchProgram, type Program, runProgram, startProgram } from './support/program.ts';
import { startUpload } from './support/upload.ts';
import { waitFor, within } from './support/wait.ts';

/** Runs the program as a new user would: in an empty folder, without settings, with the embedded PostgreSQL. */
const { folder, remove } = makeFolder();
const port = String(await freePort());
const metricsPort = String(await freePort());
const settings = {
  PORT: port,
  AISLE_METRICS_PORT: metricsPort,
  AISLE_RATE_LIMITS: 'off',
  AISLE_LOG_LEVEL: 'warn',
};
const bulk = 40_000;

// The tests run in order, share the folder, and leave the program running for the next test.
let aisle: Program;
let demo: DemoFile;

after(async () => {
  await aisle?.stop().catch(() => aisle.kill('SIGKILL'));
  await assertNoneRunning(folder, 10);
  remove();
});

test('when started in an empty folder, Aisle prints a curl command that works', async () => {
  aisle = await startProgram({ folder, environment: { PORT: port } });
  assert.match(aisle.stdout(), new RegExp(`API +http://127\\.0\\.0\\.1:${port}/v2\n`));
  assert.equal(aisle.stderr(), '');
  const line = /^ +(curl .*)$/m.exec(aisle.stdout())?.[1];
  assert.ok(line, 'the output contains a curl command');
  const response = JSON.parse(await runCurl(line));
  assert.ok(response.total_items > 0);
  assert.ok(response.products.length >= 1 && response.products.length <= 3);
  for (const product of response.products) assert.match(JSON.stringify(product.translations), /milk/i);
});

test('demo.json has the documented fields and only its owner can read it', () => {
  const file = join(folder, 'data', 'demo.json');
  demo = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const names = ['base_url', 'chain_id', 'vendors', 'api_token', 'client_id', 'client_secret', 'platform_token'];
  assert.deepEqual(Object.keys(demo), [...names, 'portal', 'console', 'sftp']);
  assert.deepEqual(Object.keys(demo.portal).toSorted(), ['email', 'password', 'url']);
  assert.deepEqual(Object.keys(demo.console).toSorted(), ['email', 'password', 'url']);
  const sftpNames = ['fingerprint', 'host', 'password', 'port', 'username'];
  assert.deepEqual(Object.keys(demo.sftp).toSorted(), sftpNames);
  assert.ok(demo.vendors.length > 1);
  for (const vendor of demo.vendors) {
    assert.deepEqual(Object.keys(vendor), ['vendor_id', 'external_id', 'name', 'currency']);
  }
  assert.equal(demo.base_url, aisle.url);
  assert.equal(demo.portal.url, `${aisle.url}/portal`);
});

test('every credential in demo.json works', async () => {
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

test('the demo has an update job without failures, one with failures, and an export to download', async () => {
  const jobs = await waitFor(
    20,
    'the demo jobs to finish',
    async () => {
      const { body } = await call('GET', '/catalog/jobs');
      return body.jobs.every((job: Response['body']) => job.job_status === 'COMPLETED') ? body.jobs : undefined;
    },
    200,
  );
  const updates = jobs.filter((job: Response['body']) => job.job_type === 'CATALOG_UPDATE');
  const failures = updates.map((job: Response['body']) => job.progress.failed).toSorted();
  assert.equal(updates.length, 2);
  assert.equal(failures[0], 0);
  assert.ok(failures[1] > 0);
  const exports = jobs.filter((job: Response['body']) => job.job_type === 'CATALOG_EXPORT');
  assert.equal(exports.length, 1);
  const file = await fetch(exports[0].download_url, { headers: { authorization: `Bearer ${demo.api_token}` } });
  assert.match(await file.text(), /^sku,barcode,price,active,max_sales_quantity,quantity\r?\n.+/);
});

test('the demo has a promotion in every state, and its catalog shows the running promotions', async () => {
  const { body } = await call('GET', '/promotions');
  const states = body.promotions.map((one: Response['body']) => one.state);
  assert.deepEqual(new Set(states), new Set(['RUNNING', 'UPCOMING', 'ENDED', 'CANCELLED']));
  const shown = async (term: string) =>
    (await call('GET', `${catalog()}?query_term=${term}&page_size=1`)).body.products[0];
  const [cereal, juice, bread] = [await shown('CER-'), await shown('JUC-'), await shown('BRD-')];
  assert.equal(cereal.promotion.display_name.en_AE, 'Breakfast week');
  assert.ok(cereal.promotional_price < cereal.price);
  assert.deepEqual([juice.promotion.type, juice.promotional_price], ['SAME_ITEM_BUNDLE', undefined]);
  assert.equal(bread.promotion, undefined);
});

test('a second process in the same data folder reports one error and leaves the first one running', async () => {
  const second = await runProgram([], { PORT: String(await freePort()) }, folder);
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    new RegExp(`^The data folder .* is in use by another Aisle \\(process ${aisle.pid}\\);.*\n$`),
  );
  assert.equal((await call('GET', '/vendors')).status, 200);
});

test('a user of the console is invited while the server is running, and sets a password with the link', async () => {
  const invite = () => runProgram(['platform-user', 'Ops@Example.com'], { PORT: port }, folder);
  const first = await invite();
  assert.deepEqual([first.code, first.stderr], [0, '']);
  assert.match(first.stdout, /^ops@example\.com is now a user of the console, with the role ADMIN\.\n/);
  const { code, stdout } = await invite();
  assert.equal(code, 0);
  assert.match(stdout, /^ops@example\.com is already a user of the console.*\n.*Earlier links no longer work\.\n/);
  const accept = (text: string) => {
    const link = new RegExp(`^http://127\\.0\\.0\\.1:${port}/console/invitation#(.*)$`, 'm').exec(text)?.[1];
    const body = { token: link, password: 'an operator needs a password' };
    return clientOf(aisle).call('POST', '/platform/v1/invitation', { body });
  };
  assert.equal((await accept(first.stdout)).status, 404);
  const accepted = await accept(stdout);
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal(accepted.body.user.role, 'ADMIN');
});

test('kill -9 leaves no PostgreSQL process behind, and a restart keeps every confirmed change and the credentials', async () => {
  const [sku = ''] = await twoSkus();
  const family = familyWithPostgres(aisle.pid);
  const sent = await call('PUT', catalog(), { body: { products: [{ sku, price: 77.25 }] } });
  assert.equal(sent.status, 200, sent.text);
  aisle.kill('SIGKILL');
  await aisle.ended;
  await assertExited(family, 5);

  aisle = await startProgram({ folder, environment: settings });
  assert.equal(aisle.stderr(), '');
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8')), demo);
  const found = await call('GET', `${catalog()}?query_term=${sku}`);
  assert.equal(found.body.products[0].price, 77.25);
  assert.equal((await call('GET', '/catalog/jobs')).body.total_items, 3);
});

test('metrics are served on their own port', async () => {
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  assert.match(await metrics.text(), /aisle_http_requests_total/);
  assert.equal((await fetch(`${aisle.url}/metrics`)).status, 404);
});

test('a creation job survives kill -9 halfway through', async () => {
  await ensureRunning();
  const { jobId } = await interrupt(
    (round) => submit('POST', newProducts(round)),
    () => aisle.kill('SIGKILL'),
  );
  await assertComplete(jobId, 'CREATED');
});

test('an update job survives kill -9 of both the server and PostgreSQL', async () => {
  await ensureRunning();
  const { jobId, round } = await interrupt(
    (round) => submit('PUT', changedProducts(round)),
    () => {
      const postmaster = readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
      aisle.kill('SIGKILL');
    },
  );
  await assertComplete(jobId, 'UPDATED');
  const sent = changedProducts(round);
  for (const expected of [sent[0], sent[bulk / 2], sent[bulk - 1]]) {
    const [{ sku, price, quantity }] = (await call('GET', `${catalog()}?query_term=${expected?.sku}`)).body.products;
    assert.deepEqual({ sku, price, quantity }, expected);
  }
});

test('a second signal stops the process immediately, even with a request in flight', async () => {
  await ensureRunning();
  const family = familyWithPostgres(aisle.pid);
  const upload = uploadHalf(await twoSkus());
  await upload.inFlight;
  aisle.kill('SIGTERM');
  await sleep(500);
  assert.equal(survivors(family.slice(0, 1)).length, 1, 'the process is still waiting for the request');
  aisle.kill('SIGTERM');
  assert.deepEqual(await within(2, 'the exit after the second signal', aisle.ended), { code: 130, signal: null });
  upload.abort();
  await assertExited(family, 5);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} lets an in-flight request finish, then the process exits with code 0 and leaves no process behind`, async () => {
    await ensureRunning();
    const family = familyWithPostgres(aisle.pid);
    const upload = uploadHalf(await twoSkus());
    await upload.inFlight;
    aisle.kill(signal);
    await waitFor(5, 'new connections to be refused', async () => ((await isListening()) ? undefined : true));
    upload.finish();
    const { status, text } = await within(10, 'the response to the upload', upload.response);
    assert.equal(status, 202, text);
    // The client keeps its connection open, which must not delay the exit.
    assert.deepEqual(await within(10, `the exit after ${signal}`, aisle.ended), { code: 0, signal: null });
    assert.equal(aisle.stderr(), '');
    assert.match(aisle.stdout(), /Press Ctrl-C to stop\.\n\nAisle has stopped\.\n$/);
    await assertExited(family, 1);
    assert.equal(existsSync(join(folder, 'data', 'aisle.lock')), false);

    aisle = await startProgram({ folder, environment: settings });
    const job = await waitForJob(clientOf(aisle), chain(), JSON.parse(text).job_id);
    assert.equal(job.job_status, 'COMPLETED');
  });
}

test('a signal during startup stops the process cleanly, and the next start succeeds', async () => {
  const fresh = join(folder, 'interrupted');
  const environment = { ...settings, PORT: String(await freePort()), AISLE_METRICS_PORT: String(await freePort()) };
  mkdirSync(fresh);
  for (const moment of ['Creating a new PostgreSQL database', 'Filling the demo chain']) {
    const run = launchProgram([], environment, fresh);
    await waitFor(30, moment, () => run.stdout().includes(moment) || undefined, 2);
    run.kill('SIGTERM');
    assert.deepEqual(await within(20, `the exit after "${moment}"`, run.ended), { code: 0, signal: null });
    assert.equal(run.stderr(), '');
    assert.ok(!run.stdout().includes('Press Ctrl-C to stop'), 'no welcome after the signal');
    await assertNoneRunning(fresh, 5);
    assert.deepEqual(
      readdirSync(join(fresh, 'data')).filter((name) => name.startsWith('postgres.')),
      ['postgres.log'],
    );
  }
  const next = await startProgram({ folder: fresh, environment });
  assert.ok(existsSync(join(fresh, 'data', 'demo.json')));
  await next.stop();
});

/** Restarts the program if a failed test has left it stopped or hanging. */
async function ensureRunning(): Promise<void> {
  if (await isListening()) return;
  aisle.kill('SIGKILL');
  await aisle.ended;
  aisle = await startProgram({ folder, environment: settings });
}

function isListening(): Promise<boolean> {
  return fetch(`${aisle.url}/health/live`).then(
    (response) => response.ok,
    () => false,
  );
}

function chain() {
  const vendors = demo.vendors.map((vendor) => vendor.vendor_id);
  return { chainId: demo.chain_id, token: demo.api_token, base: `/v2/chains/${demo.chain_id}`, vendors };
}

function catalog(): string {
  return `/vendors/${demo.vendors[0]?.vendor_id}/catalog`;
}

function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return clientOf(aisle).call(method, `${chain().base}${path}`, { token: demo.api_token, ...options });
}

async function submit(method: 'PUT' | 'POST', products: unknown[]): Promise<string> {
  const { status, body, text } = await call(method, catalog(), { body: { products } });
  assert.equal(status, 202, text);
  return body.job_id;
}

function newProducts(round: number) {
  return plainProducts(bulk).map((product) => ({ ...product, sku: `${round}-${product.sku}` }));
}

/** Returns the products created in the first round, with new prices and quantities. */
function changedProducts(round: number) {
  return newProducts(1).map(({ sku }, index) => ({ sku, price: (100 * round + index) / 100, quantity: index + 10 }));
}

/**
 * Kills the program while the job is partly done, and restarts it. A job that finishes before the kill proves nothing,
 * so another job is submitted.
 */
async function interrupt(
  submitRound: (round: number) => Promise<string>,
  kill: () => void,
): Promise<{ jobId: string; round: number }> {
  for (let round = 1; round <= 5; round++) {
    const family = familyWithPostgres(aisle.pid);
    const jobId = await submitRound(round);
    const find = async () => (await call('GET', `/catalog/jobs/${jobId}`)).body;
    const isStarted = async () => ((await find()).progress.processed > 0 ? true : undefined);
    await waitFor(30, 'the job to be partly done', isStarted, 5);
    kill();
    await aisle.ended;
    await assertExited(family, 5);
    aisle = await startProgram({ folder, environment: settings });
    if ((await find()).job_status === 'IN_PROGRESS') return { jobId, round };
  }
  return assert.fail('five jobs finished before they could be interrupted');
}

async function assertComplete(jobId: string, state: 'CREATED' | 'UPDATED'): Promise<void> {
  const job = await waitForJob(clientOf(aisle), chain(), jobId, 60);
  assert.equal(job.job_status, 'COMPLETED', job.error);
  assert.deepEqual(job.progress, { total: bulk, processed: bulk, succeeded: bulk, unchanged: 0, failed: 0 });
  const [, ...lines] = await readLog(clientOf(aisle), chain(), jobId);
  assert.equal(lines.length, bulk);
  const states = new Map(lines.map((line) => [Number(line.split(',')[4]), line.split(',')[2]]));
  for (let row = 1; row <= bulk; row++) assert.equal(states.get(row), state, `row ${row}`);
}

async function twoSkus(): Promise<string[]> {
  const { body } = await call('GET', `${catalog()}?page_size=2`);
  return body.products.map((product: { sku: string }) => product.sku);
}

function uploadHalf(skus: string[]) {
  const products = skus.map((sku) => ({ sku, active: false }));
  return startUpload(`${aisle.url}${chain().base}${catalog()}`, 'PUT', demo.api_token, { products });
}

/** Runs the printed command in a shell. Without curl, parses the command and sends the request with fetch. */
async function runCurl(line: string): Promise<string> {
  if (spawnSync('curl', ['--version']).error === undefined) {
    const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });
    return (await child.stdout.setEncoding('utf8').toArray()).join('');
  }
  const [, name = '', value = '', url = ''] = /^curl -H '([^:]+): ([^']+)' '([^']+)'$/.exec(line) ?? [];
  return (await fetch(url, { headers: { [name]: value } })).text();
}
