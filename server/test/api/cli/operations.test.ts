import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { makeChain, makeToken, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { createCli } from '../../support/cli.ts';
import { unusedUrl, useReceivers } from '../../support/receiver.ts';
import { clientOf, listen } from '../../support/sdk.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(3));
const client = await clientOf(aisle, chain.token, { chainId: chain.chainId });
const url = await listen(aisle);
const cli = createCli({ AISLE_URL: url, AISLE_TOKEN: chain.token });
const newReceiver = useReceivers();

test('a promotion is put, listed and stopped', async () => {
  const file = join(cli.folder, 'promotion.json');
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
  const promotion = {
    vendors: '*',
    type: 'STRIKETHROUGH',
    display_name: { en_AE: 'Milk days' },
    conditions: { start_time: day(0), end_time: day(7) },
    discount: [{ sku: ['SKU-00001', 'NOPE'], discount_subtype: 'FINAL_PRICE', discount_value: 0.5 }],
  };
  writeFileSync(file, JSON.stringify(promotion));
  const put = await cli.run(['promotions', 'put', file]);
  assert.equal(put.exitCode, 7, put.stderr);
  assert.match(put.stdout, /Unknown SKUs +NOPE/);
  const list = await cli.run(['promotions', 'list', '--sku', 'SKU-00001', '--json']);
  const [{ promotion_id }] = JSON.parse(list.stdout);
  assert.match((await cli.run(['promotions', 'list'])).stdout, /Milk days/);
  assert.equal((await cli.run(['promotions', 'stop', promotion_id])).exitCode, 0);
  assert.equal((await client.getPromotion({ params: { promotion_id } })).state, 'CANCELLED');
});

test('stores are closed for some time and opened again', async () => {
  const [store = ''] = chain.vendors;
  const closed = await cli.run(['outlets', 'close', 'ext-1', '--for', '30m', '--reason', 'TOO_BUSY_KITCHEN']);
  assert.deepEqual(
    [closed.exitCode, /CLOSED_UNTIL, opens in (29|30) min/.test(closed.stdout)],
    [0, true],
    closed.stdout,
  );
  assert.match((await cli.run(['outlets', 'list'])).stdout, new RegExp(`${store} +ext-1 +Store 1 +CLOSED_UNTIL`));
  const partly = await cli.run(['outlets', 'open', 'ext-1', 'nowhere']);
  assert.equal(partly.exitCode, 7);
  assert.equal((await client.getOutletStatus({ params: { vendor_id: store } })).status, 'OPEN');
  assert.equal((await cli.run(['outlets', 'open', 'nowhere'])).exitCode, 4);
  assert.equal((await cli.run(['outlets', 'close', 'all', '--today', '--for', '1h'])).exitCode, 2);
  assert.equal((await cli.run(['outlets', 'close', 'all'])).exitCode, 0);
  assert.equal((await cli.run(['outlets', 'open', 'all'])).exitCode, 0);
});

test('all stores of a chain with more than a request can contain are closed', async () => {
  const large = await makeChain(aisle, { vendors: 1001 });
  const closed = await cli.run(['outlets', 'close', 'all', '--json'], { env: { AISLE_TOKEN: large.token } });
  assert.equal(closed.exitCode, 0, closed.stderr);
  assert.equal(JSON.parse(closed.stdout).length, 1001);
});

test('a webhook is set without losing its other URL, pinged and its deliveries resent', async () => {
  const receiver = await newReceiver();
  await cli.run(['webhooks', 'set', await unusedUrl()]);
  const failed = await cli.run(['webhooks', 'ping']);
  assert.deepEqual([failed.exitCode, /connection_failed/.test(failed.stdout)], [1, true], failed.stdout);
  const set = await cli.run(['webhooks', 'set', receiver.url, '--environment', 'production']);
  assert.equal(set.exitCode, 0, set.stderr);
  const { staging_url, production_url, environment } = await client.getWebhook();
  assert.ok(staging_url);
  assert.deepEqual([production_url, environment], [receiver.url, 'production']);
  const ping = await cli.run(['webhooks', 'ping', '--json']);
  assert.equal(ping.exitCode, 0, ping.stderr);
  const { delivery_id } = JSON.parse(ping.stdout);
  assert.match((await cli.run(['webhooks', 'deliveries', delivery_id])).stdout, /success +200/);
  assert.match((await cli.run(['webhooks', 'deliveries', '--status', 'DELIVERED'])).stdout, new RegExp(delivery_id));
  assert.equal((await cli.run(['webhooks', 'replay', delivery_id])).exitCode, 0);
  await receiver.waitFor(2, 30);
  assert.match((await cli.run(['webhooks', 'replay', '--failed-since', '1h'])).stdout, /\d+ deliver(y|ies) resent/);
});

test("a store's webhook keeps its other URL if the store is given by the chain's own number", async () => {
  const [vendor_id = ''] = chain.vendors;
  const [staging, production] = [await unusedUrl(), await unusedUrl()];
  await cli.run(['webhooks', 'set', staging, '--store', 'ext-1']);
  await cli.run(['webhooks', 'set', production, '--store', 'ext-1', '--environment', 'production']);
  const { staging_url, production_url } = await client.getVendorWebhook({ params: { vendor_id } });
  assert.deepEqual([staging_url, production_url], [staging, production]);
});

test('a token is created, used and revoked', async () => {
  const created = await cli.run([
    'tokens',
    'create',
    'Till',
    '--scopes',
    'catalog:read',
    '--expires-in',
    '1d',
    '--json',
  ]);
  const { token, token_id } = JSON.parse(created.stdout);
  const who = await cli.run(['whoami', '--json'], { env: { AISLE_TOKEN: token } });
  assert.deepEqual(JSON.parse(who.stdout).scopes, ['catalog:read']);
  assert.match((await cli.run(['tokens', 'list'])).stdout, new RegExp(`${token_id} +Till`));
  assert.equal((await cli.run(['tokens', 'revoke', token_id])).exitCode, 0);
  assert.equal((await cli.run(['whoami'], { env: { AISLE_TOKEN: token } })).exitCode, 3);
});

test('doctor reports every check, and an error with its remedy', async () => {
  await client.putWebhook({ body: { environment: 'staging', staging_url: (await newReceiver()).url } });
  const { exitCode, stdout } = await cli.run(['doctor', '--json']);
  const findings: { area: string; status: string }[] = JSON.parse(stdout);
  assert.equal(exitCode, 0, stdout);
  for (const area of ['server', 'clock', 'database', 'worker', 'version', 'queue', 'credentials', 'webhooks', 'jobs']) {
    assert.ok(
      findings.some((finding) => finding.area === area && finding.status === 'ok'),
      `${area}: ${stdout}`,
    );
  }
  await client.disableWebhook();
  const broken = await cli.run(['doctor']);
  assert.equal(broken.exitCode, 1);
  assert.match(broken.stdout, /✗ webhooks +the webhook of the chain is disabled \(MANUAL\)\n +Fix the receiver/);
  const limited = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  const skipped = await cli.run(['doctor'], { env: { AISLE_TOKEN: limited } });
  assert.match(skipped.stdout, /- webhooks +the credentials do not allow this check/);
});

test('doctor explains that a server cannot be reached', async () => {
  const { exitCode, stdout } = await cli.run(['doctor', '--url', await unusedUrl()]);
  assert.equal(exitCode, 1);
  assert.match(stdout, /✗ server .* does not respond: connect ECONNREFUSED.*\n +Start the server/);
});
