import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { platformEventTypes } from '@aisle/contract/platform-events';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { type AisleClient, createClient, type FeedEvent, isApiError, type Order } from '@aisle/sdk';
import type { Response } from '../server/test/support/aisle.ts';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { jobIdOf, waitForJob } from './support/client.ts';
import { makeFolder } from './support/folder.ts';
import { launchModule } from './support/launch.ts';
import { insertOffers, insertProducts, skuOf } from './support/products.ts';
import { freePort, type Program, type Run, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const productCount = 50_000;
const orderCount = 12;
const program = fileURLToPath(new URL('storefront/storefront.ts', import.meta.url));

let database: TestDatabase;
let chain: TestChain;
let token: string;
let platform: AisleClient;
let partner: AisleClient;
let server: Program;
let serverPort: number;
let storefront: Run;
let storefrontUrl: string;
let launchStorefront: () => Run;
const { folder, remove } = makeFolder();

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database, { vendors: 1 });
  await insertProducts(database.db, chain.chainId, productCount);
  await insertOffers(database.db, chain.chainId, String(chain.vendors[0]), 10);
  token = await createPlatformToken(database.db, 'storefront');
  serverPort = await freePort();
  server = await startServer();
  platform = patientClient(token);
  partner = patientClient(chain.token);
  const port = await freePort();
  storefrontUrl = `http://127.0.0.1:${port}`;
  const event_types = platformEventTypes.filter((type) => type.startsWith('order.'));
  const webhook = await platform.platformCreateWebhook({ body: { url: storefrontUrl, event_types } });
  const settings = {
    url: server.url,
    token,
    chainId: chain.chainId,
    vendorId: chain.vendors[0],
    folder,
    port,
    secret: webhook.signing_secret,
    orders: orderCount,
  };
  launchStorefront = () => launchModule(program, [], { STOREFRONT: JSON.stringify(settings) });
});

after(async () => {
  await database?.drop();
  remove();
});

test('a storefront keeps an exact copy and delivers its orders, while both sides are killed three times', {
  timeout: 400_000,
}, async (t) => {
  storefront = launchStorefront();
  await waitFor(60, 'the snapshot', () => existsSync(join(folder, 'snapshot.ndjson.part')) || undefined);
  await killStorefront();
  await opened();
  const store = servePartner();
  t.after(store.stop);
  const jobs = [await update(1)];
  await killServer();
  await messages(8);
  await killStorefront();
  jobs.push(await update(2));
  await messages(20);
  await killServer();
  await messages(32);
  jobs.push(await update(3));
  await Promise.all([killStorefront(), killServer()]);

  const orders = await waitFor(180, 'all orders to be delivered', async () => {
    const known = Object.values((await stateOf('/'))?.orders ?? {}) as Response['body'][];
    const isDone = known.length === orderCount && known.every(({ status }) => status === 'DELIVERED');
    return isDone ? known : undefined;
  });
  store.stop();
  await store.ended;
  const outcomes = orders.map(({ items }) => items[0].approval.state);
  assert.deepEqual(new Set(outcomes), new Set(['APPROVED', 'REJECTED', 'COUNTERED']));
  for (const { items } of orders) {
    const { state, sku, counter_sku } = items[0].approval;
    const expected = { APPROVED: sku, COUNTERED: counter_sku, REJECTED: undefined }[state as 'APPROVED'];
    const replacement = items.find((item: Response['body']) => item.replaced_id === items[0]._id);
    assert.deepEqual([items[0].status, replacement?.sku], [expected ? 'REPLACED' : 'NOT_FOUND', expected]);
  }
  for (const job of jobs) await waitForJob(partner, job, 120);
  const expected = await snapshot();
  assert.equal(expected.size, productCount);
  await waitFor(120, 'the copy to be complete', async () => {
    const copy = new Map((await stateOf('/copy'))?.products.map((one: Response['body']) => [one.sku, one]));
    return isEqual(copy, expected) || undefined;
  });
  t.diagnostic(`${orders.length} orders, ${(await stateOf('/'))?.messages} messages`);
});

function isEqual(copy: Map<unknown, unknown>, expected: Map<string, unknown>): boolean {
  try {
    assert.deepEqual(Object.fromEntries(copy), Object.fromEntries(expected));
    return true;
  } catch {
    return false;
  }
}

function startServer(): Promise<Program> {
  return startProgram({
    environment: {
      DATABASE_URL: database.url,
      PORT: String(serverPort),
      AISLE_DEMO: 'off',
      AISLE_RATE_LIMITS: 'off',
      AISLE_LOG_LEVEL: 'warn',
      AISLE_SFTP: 'off',
      AISLE_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
      AISLE_WEBHOOK_ALLOW: 'loopback',
    },
  });
}

async function killServer(): Promise<void> {
  server.kill('SIGKILL');
  await server.ended;
  server = await startServer();
}

async function killStorefront(): Promise<void> {
  storefront.kill('SIGKILL');
  assert.deepEqual(await storefront.ended, { code: null, signal: 'SIGKILL' }, storefront.stderr());
  storefront = launchStorefront();
}

function opened(): Promise<true> {
  return waitFor(120, 'the storefront to open', () => {
    return storefront.stdout().includes('is open') || undefined;
  });
}

async function stateOf(path: string): Promise<Response['body']> {
  try {
    return await (await fetch(`${storefrontUrl}${path}`)).json();
  } catch {
    return undefined;
  }
}

function messages(count: number): Promise<true> {
  return waitFor(120, `${count} messages`, async () => ((await stateOf('/'))?.messages ?? 0) >= count || undefined);
}

/** Repeats requests while the server is restarted, but not for ever. */
function patientClient(as: string): AisleClient {
  const baseUrl = `http://127.0.0.1:${serverPort}`;
  return createClient({ baseUrl, token: as, chainId: chain.chainId, retries: 60, maxRetryDelayMs: 1000 });
}

/** Changes the prices of 10,000 products in one job. */
async function update(round: number): Promise<string> {
  const products = Array.from({ length: 10_000 }, (_, index) => ({
    sku: skuOf(((index * round) % productCount) + 1),
    price: 10 + round + (index % 100) / 100,
  }));
  const unique = [...new Map(products.map((one) => [one.sku, one])).values()];
  const params = { vendor_id: String(chain.vendors[0]) };
  return jobIdOf(await partner.updateCatalog({ params, body: { products: unique } }));
}

/** The store: asks about the first item of each order, and fulfils the order when the customer has answered. */
function servePartner(): { stop(): void; ended: Promise<void> } {
  const stopping = new AbortController();
  const ended = partner.consumeEvents({ from: '0', handle: react, signal: stopping.signal });
  return { stop: () => stopping.abort(), ended };
}

/** A conflict means that the server was killed after it had applied the request. */
async function react({ type, body: order }: FeedEvent): Promise<void> {
  const isConflict = (error: unknown) => isApiError(error) && error.status === 409;
  const ignoreConflict = (error: unknown) => assert.ok(isConflict(error), String(error));
  if (type === 'order.received') await propose(order).catch(ignoreConflict);
  if (type === 'order.replacement_decided') await fulfil(order).catch(ignoreConflict);
}

type OrderBody = Pick<Order, 'order_id' | 'external_order_id' | 'items'>;

function propose({ order_id, external_order_id, items }: OrderBody): Promise<unknown> {
  const params = { order_id, item_id: items[0]?._id ?? '' };
  const number = Number(external_order_id?.split('-')[1]);
  return partner.proposeReplacement({ params, body: { sku: skuOf(40_000 + number) } });
}

function fulfil({ order_id, items: [first, second] }: OrderBody): Promise<unknown> {
  const { state, sku, counter_sku } = first?.approval ?? {};
  const replacement = (state === 'APPROVED' ? sku : counter_sku) ?? undefined;
  const pricing = { pricing_type: 'UNIT', quantity: 1 } as const;
  const items = [
    { _id: first?._id, status: replacement ? 'REPLACED' : 'NOT_FOUND', pricing },
    ...(replacement ? [{ sku: replacement, status: 'IN_CART', replaced_id: first?._id, pricing } as const] : []),
    { _id: second?._id, status: 'IN_CART', pricing },
  ] as const;
  return partner.putOrder({ params: { order_id }, body: { status: 'READY_FOR_PICKUP', items: [...items] } });
}

/** The server's products, by SKU. */
async function snapshot(): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const row of platform.platformGetSnapshot.rows({ params: { chain_id: chain.chainId } })) {
    if (row.type === 'product') found.set(row.product.sku, row.product);
  }
  return found;
}
