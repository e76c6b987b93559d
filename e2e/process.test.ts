import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AisleClient, createClient, type Product } from '@aisle/sdk';
import type { DemoFile } from '../server/src/demo/index.ts';
import { plainProducts } from '../server/test/support/catalog.ts';
import { clientOf, jobIdOf, statusOf, waitForJob } from './support/client.ts';
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
  const { chain_id, client_id: clientId, client_secret: clientSecret } = demo;
  const stores = demo.vendors.map((vendor) => vendor.vendor_id).toSorted();
  for (const one of [client(), createClient({ baseUrl: aisle.url, clientId, clientSecret })]) {
    const { vendors } = await one.listVendors();
    assert.deepEqual(vendors.map(({ vendor_id }) => vendor_id).toSorted(), stores);
  }
  const platform = clientOf(aisle, { token: demo.platform_token });
  assert.equal((await platform.platformGetChain({ params: { chain_id } })).chain_id, chain_id);
});

test('the demo has an update job without failures, one with failures, and an export to download', async () => {
  const jobs = await waitFor(
    20,
    'the demo jobs to finish',
    async () => {
      const found = (await client().listCatalogJobs()).jobs;
      return found.every(({ job_status }) => job_status === 'COMPLETED') ? found : undefined;
    },
    200,
  );
  const updates = jobs.filter(({ job_type }) => job_type === 'CATALOG_UPDATE');
  const [none, some = 0] = updates.map(({ progress }) => progress.failed).toSorted((one, other) => one - other);
  assert.equal(updates.length, 2);
  assert.equal(none, 0);
  assert.ok(some > 0);
  const [exported, ...more] = jobs.filter(({ job_type }) => job_type === 'CATALOG_EXPORT');
  assert.equal(more.length, 0);
  const file = await client().downloadCatalogJob({ params: { job_id: exported?.job_id ?? '' } });
  assert.match(await file.text(), /^sku,barcode,price,active,max_sales_quantity,quantity\r?\n.+/);
});

test('the demo has a promotion in every state, and its catalog shows the running promotions', async () => {
  const { promotions } = await client().listPromotions();
  const states = promotions.map(({ state }) => state);
  assert.deepEqual(new Set(states), new Set(['RUNNING', 'UPCOMING', 'ENDED', 'CANCELLED']));
  const [cereal, juice, bread] = [await find('CER-'), await find('JUC-'), await find('BRD-')];
  assert.equal(cereal.promotion?.display_name['en_AE'], 'Breakfast week');
  assert.ok(Number(cereal.promotional_price) < cereal.price);
  assert.deepEqual([juice.promotion?.type, juice.promotional_price], ['SAME_ITEM_BUNDLE', undefined]);
  assert.equal(bread.promotion, undefined);
});

test('a second process in the same data folder reports one error and leaves the first one running', async () => {
  const second = await runProgram([], { PORT: String(await freePort()) }, folder);
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    new RegExp(`^The data folder .* is in use by another Aisle \\(process ${aisle.pid}\\);.*\n$`),
  );
  await client().listVendors();
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
    const body = { token: link ?? '', password: 'an operator needs a password' };
    return clientOf(aisle, { token: 'none' }).consoleAcceptInvitation.withResponse({ body });
  };
  assert.equal(await statusOf(accept(first.stdout)), 404);
  const { status, data } = await accept(stdout);
  assert.deepEqual([status, data.user.role], [201, 'ADMIN']);
});

test('kill -9 leaves no PostgreSQL process behind, and a restart keeps every confirmed change and the credentials', async () => {
  const [sku = ''] = await twoSkus();
  const family = familyWithPostgres(aisle.pid);
  await client().updateCatalog({ params: store(), body: { products: [{ sku, price: 77.25 }] } });
  aisle.kill('SIGKILL');
  await aisle.ended;
  await assertExited(family, 5);

  aisle = await startProgram({ folder, environment: settings });
  assert.equal(aisle.stderr(), '');
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8')), demo);
  assert.equal((await find(sku)).price, 77.25);
  assert.equal((await client().listCatalogJobs()).total_items, 3);
});

test('metrics are served on their own port', async () => {
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  assert.match(await metrics.text(), /aisle_http_requests_total/);
  assert.equal((await fetch(`${aisle.url}/metrics`)).status, 404);
});

test('a creation job survives kill -9 halfway through', async () => {
  await ensureRunning();
  const { jobId } = await interrupt(
    async (round) => {
      const body = { products: newProducts(round) };
      return (await client().createStoreProducts({ params: store(), body })).job_id;
    },
    () => aisle.kill('SIGKILL'),
  );
  await assertComplete(jobId, 'CREATED');
});

test('an update job survives kill -9 of both the server and PostgreSQL', async () => {
  await ensureRunning();
  const { jobId, round } = await interrupt(
    async (round) => {
      const body = { products: changedProducts(round) };
      return jobIdOf(await client().updateCatalog({ params: store(), body }));
    },
    () => {
      const postmaster = readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
      aisle.kill('SIGKILL');
    },
  );
  await assertComplete(jobId, 'UPDATED');
  const sent = changedProducts(round);
  for (const expected of [sent[0], sent[bulk / 2], sent[bulk - 1]]) {
    const { sku, price, quantity } = await find(expected?.sku ?? '');
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
    await waitForJob(client(), JSON.parse(text).job_id);
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

function client(): AisleClient {
  return clientOf(aisle, { token: demo.api_token, chainId: demo.chain_id });
}

/** The first store of the demo. */
function store(): { vendor_id: string } {
  return { vendor_id: String(demo.vendors[0]?.vendor_id) };
}

/** The first product that the store's catalog shows for these words. */
async function find(query_term: string): Promise<Product> {
  const { products } = await client().listCatalog({ params: store(), query: { query_term, page_size: 1 } });
  return products[0] ?? assert.fail(`${query_term} was not found`);
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
    const read = () => client().getCatalogJob({ params: { job_id: jobId } });
    const isStarted = async () => ((await read()).progress.processed > 0 ? true : undefined);
    await waitFor(30, 'the job to be partly done', isStarted, 5);
    kill();
    await aisle.ended;
    await assertExited(family, 5);
    aisle = await startProgram({ folder, environment: settings });
    if ((await read()).job_status === 'IN_PROGRESS') return { jobId, round };
  }
  return assert.fail('five jobs finished before they could be interrupted');
}

async function assertComplete(jobId: string, state: 'CREATED' | 'UPDATED'): Promise<void> {
  const job = await waitForJob(client(), jobId, 60);
  assert.deepEqual(job.progress, { total: bulk, processed: bulk, succeeded: bulk, unchanged: 0, failed: 0 });
  const file = await client().downloadCatalogJob({ params: { job_id: jobId } });
  const [, ...lines] = (await file.text()).trimEnd().split('\n');
  assert.equal(lines.length, bulk);
  const states = new Map(lines.map((line) => [Number(line.split(',')[4]), line.split(',')[2]]));
  for (let row = 1; row <= bulk; row++) assert.equal(states.get(row), state, `row ${row}`);
}

async function twoSkus(): Promise<string[]> {
  const { products } = await client().listCatalog({ params: store(), query: { page_size: 2 } });
  return products.map(({ sku }) => sku);
}

function uploadHalf(skus: string[]) {
  const products = skus.map((sku) => ({ sku, active: false }));
  const path = `/v2/chains/${demo.chain_id}/vendors/${store().vendor_id}/catalog`;
  return startUpload(`${aisle.url}${path}`, 'PUT', demo.api_token, { products });
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
