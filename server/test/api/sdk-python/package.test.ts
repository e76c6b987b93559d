import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { makeChain, makeClient, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { placeOrder } from '../../support/orders.ts';
import { hasPython, pythonPackage, runPython } from '../../support/python.ts';
import { useReceivers } from '../../support/receiver.ts';
import { listen } from '../../support/sdk.ts';
import { setWebhook } from '../../support/webhooks.ts';

/** Runs programs that use the Python package against a server, and the package's own unit tests. */
const isInstalled = hasPython();

test('the package has no dependencies, and is tested if Python 3.10 or later is installed', (t) => {
  const project = readFileSync(join(pythonPackage, 'pyproject.toml'), 'utf8');
  assert.match(project, /^dependencies = \[\]$/m);
  assert.match(project, /^requires-python = ">=3\.10"$/m);
  if (!isInstalled) t.diagnostic('not run, because python3 (3.10 or later) is not installed: apt-get install python3');
});

if (isInstalled) await testPackage();

async function testPackage(): Promise<void> {
  const aisle = await useAisle();
  const startReceiver = useReceivers();
  const folder = mkdtempSync(join(tmpdir(), 'aisle-python-'));
  after(() => rmSync(folder, { recursive: true }));
  const baseUrl = await listen(aisle);
  const run = async (file: string, environment: Record<string, string>, input = '') => {
    const { status, stdout, stderr } = await runPython([file], { AISLE_URL: baseUrl, ...environment }, input);
    return { status, lines: stdout.trim().split('\n').filter(Boolean), stderr };
  };
  const skus = ['SKU-00001', 'SKU-00002', 'SKU-00003', 'SKU-00004'];
  const prepare = async (): Promise<TestChain> => {
    const chain = await makeChain(aisle, { vendors: 1 });
    const products = skus.map((sku) => ({ sku, title: 'Food', price: 1, quantity: 5 }));
    await addProducts(aisle, chain, products);
    return chain;
  };

  test('the unit tests of the package pass', async () => {
    const { status, stderr } = await runPython([
      '-W',
      'error::ResourceWarning',
      '-m',
      'unittest',
      'discover',
      '-s',
      'tests',
    ]);
    assert.equal(status, 0, stderr);
    assert.ok(Number(/Ran (\d+) tests/.exec(stderr)?.[1]) >= 30, stderr);
  });

  test('a program pushes rows, waits for jobs, and reads lists and files', async () => {
    const chain = await prepare();
    const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
    const environment = { CLIENT_ID: client_id, CLIENT_SECRET: client_secret, STORE: chain.vendors[0] ?? '' };
    const { status, lines, stderr } = await run('tests/work_with_catalog.py', environment);
    assert.equal(status, 0, stderr);
    const seen = JSON.parse(lines[0] ?? '');
    assert.equal(seen.chain, chain.chainId);
    // While a job runs, only the rows of the next one and the row after them are read.
    assert.deepEqual(seen.jobs, [
      { total: 2, read: 5 },
      { total: 2, read: 7 },
      { total: 2, read: 7 },
      { total: 1, read: 7 },
    ]);
    assert.deepEqual(seen.counts, { jobs: 4, items: 7, succeeded: 4, unchanged: 2, failed: 1 });
    assert.equal(seen.accepted, 7);
    assert.equal(seen.finished.job_status, 'COMPLETED');
    assert.deepEqual(seen.last_progress, seen.finished);
    assert.deepEqual(
      seen.finished.result.item_level_feedback.map(({ sku }: { sku: string }) => sku),
      ['UNKNOWN'],
    );
    assert.ok(seen.single);
    assert.ok(seen.outcomes.some(({ sku }: { sku: string }) => sku === 'UNKNOWN'));
    assert.equal(seen.export_rows, skus.length);
    assert.deepEqual(seen.skus.toSorted(), skus);
    const path = `${chain.base}/vendors/${chain.vendors[0]}/catalog?query_term=SKU-00001`;
    const { body } = await aisle.call('GET', path, { token: chain.token });
    assert.deepEqual([body.products[0].price, body.products[0].quantity], [2.5, 77]);
    const files = await aisle.call('GET', `${chain.base}/files`, { token: chain.token });
    assert.equal(files.body.files[0].file_id, seen.upload.file_id);
  });

  test('a program that follows the feed and dies continues where it was, without losing or repeating an order', async () => {
    const chain = await prepare();
    const orders: string[] = [];
    for (let count = 0; count < 4; count++) {
      orders.push((await placeOrder(aisle, chain, [{ sku: 'SKU-00001', quantity: 1 }])).order_id);
    }
    const [first = '', second = '', third = '', fourth = ''] = orders;
    const environment = { AISLE_TOKEN: chain.token, CURSOR_FILE: join(folder, 'cursor.txt') };
    const died = await run('tests/follow_events.py', { ...environment, COUNT: '4', FAIL_AT: third });
    assert.deepEqual([died.status, died.lines], [3, [first, second]], died.stderr);
    assert.ok(existsSync(environment.CURSOR_FILE));
    const restarted = await run('tests/follow_events.py', { ...environment, COUNT: '2' });
    assert.deepEqual([restarted.status, restarted.lines], [0, [third, fourth]], restarted.stderr);
  });

  test('messages that Aisle sends are verified, also while the secret is rotated', async () => {
    const chain = await prepare();
    const receiver = await startReceiver();
    const { signing_secret: old } = await setWebhook(aisle, chain, { production_url: receiver.url });
    const rotated = await aisle.call('POST', `${chain.base}/webhook/rotate-secret`, { token: chain.token });
    await placeOrder(aisle, chain, [{ sku: 'SKU-00001', quantity: 1 }]);
    const [message] = await receiver.waitFor(1, 30);
    assert.ok(message);
    const verify = async (secrets: string[], body = message.text) => {
      const input = JSON.stringify({ headers: message.headers, body, secrets });
      const { status, lines, stderr } = await run('tests/verify_message.py', {}, input);
      assert.equal(status, 0, stderr);
      return JSON.parse(lines[0] ?? '');
    };
    const expected = { id: message.headers['webhook-id'], type: 'order.received', body: message.body };
    for (const secret of [old, rotated.body.signing_secret]) assert.deepEqual(await verify([secret]), expected);
    assert.deepEqual(await verify([old], `${message.text} `), { reason: 'invalid_signature' });
    assert.deepEqual(await verify(['whsec_b3RoZXI=']), { reason: 'invalid_signature' });
  });
}
