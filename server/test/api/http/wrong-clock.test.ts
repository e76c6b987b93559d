import assert from 'node:assert/strict';
import test, { after, before, describe, type TestContext } from 'node:test';
import { createAttemptGuard } from '../../../src/identity/guard-attempts.ts';
import {
  makeChain,
  makeToken,
  makeUser,
  startTestAisle,
  type OwnAisle,
  type TestAisle,
  type TestChain,
  useAisle,
} from '../../support/aisle.ts';
import { addProducts, plainProducts, putProducts } from '../../support/catalog.ts';
import { placeOrder } from '../../support/orders.ts';
import { useReceivers } from '../../support/receiver.ts';
import { changeOrder, setWebhook, waitForDeliveries } from '../../support/webhooks.ts';
import { waitFor } from '../../support/wait.ts';

const hour = 3_600_000;
const newReceiver = useReceivers();
const aisle = await useAisle();
const chain = await makeChain(aisle);

test('a worker whose clock is an hour behind retries deliveries on schedule', async (t) => {
  const receiver = await newReceiver();
  receiver.respondWith((response) => response.writeHead(500).end());
  await setWebhook(aisle, chain, { production_url: receiver.url });
  moveClock(t, -hour);
  const orderId = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, orderId, 'FAILED');
  const [lane] = await aisle.db.query<{ seconds: number }>(
    'select extract(epoch from due_at - now())::float8 as seconds from delivery_lanes where lane_id = $1',
    [orderId],
  );
  assert.ok(lane && lane.seconds > 5 && lane.seconds <= 12, `due in ${lane?.seconds} s`);
  assert.equal(receiver.received.length, 1);
});

test('a worker whose clock is days ahead does not disable a webhook that has just started to fail', async (t) => {
  const receiver = await newReceiver();
  receiver.respondWith((response) => response.writeHead(500).end());
  const shop = await makeChain(aisle);
  await setWebhook(aisle, shop, { production_url: receiver.url });
  const fail = async () => waitForDeliveries(aisle, shop, await changeOrder(aisle, shop), 'FAILED');
  await fail();
  moveClock(t, 6 * 24 * hour);
  await fail();
  const rows = await aisle.db.query('select 1 from endpoints where chain_id = $1 and disabled_at is not null', [
    shop.chainId,
  ]);
  assert.equal(rows.length, 0);
});

test("sessions and tokens do not expire early if the server's clock is ahead", async (t) => {
  const { session } = await makeUser(aisle, chain.chainId);
  const token = await makeToken(aisle, chain.chainId, { expires_at: new Date(Date.now() + hour / 2).toISOString() });
  moveClock(t, 2 * hour);
  for (const valid of [session, token]) assert.equal((await listVendors(aisle, valid)).status, 200);
});

test("sessions and tokens expire even if the server's clock is behind", async (t) => {
  const { session } = await makeUser(aisle, chain.chainId);
  const token = await makeToken(aisle, chain.chainId, { expires_at: new Date(Date.now() + hour / 2).toISOString() });
  await aisle.db.query("update sessions set expires_at = now() - interval '1 minute'");
  await aisle.db.query("update api_tokens set expires_at = now() - interval '1 minute' where expires_at is not null");
  moveClock(t, -hour);
  for (const expired of [session, token]) assert.equal((await listVendors(aisle, expired)).status, 401);
});

test("a token can be created with an expiry in the near future even if the server's clock is ahead", async (t) => {
  const expiresAt = new Date(Date.now() + hour / 2).toISOString();
  moveClock(t, hour);
  await makeToken(aisle, chain.chainId, { expires_at: expiresAt });
});

test("updated_since misses no changes if the server's clock is behind", async (t) => {
  const shop = await makeChain(aisle, { vendors: 1 });
  const since = new Date(Date.now() - 60_000).toISOString();
  await addProducts(aisle, shop, plainProducts(1));
  await placeOrder(aisle, shop, [{ sku: 'SKU-00001', quantity: 1 }]);
  const read = (list: string) =>
    aisle.call('GET', `${shop.base}/${list}?updated_since=${since}`, { token: shop.token });
  // The first read inserts the first position.
  assert.equal((await read('catalog')).status, 200);
  moveClock(t, -hour);
  await putProducts(aisle, shop, [{ sku: 'SKU-00001', price: 7 }]);
  const [products, orders] = [await read('catalog'), await read('orders')];
  assert.deepEqual([products.status, products.body.products?.[0]?.price], [200, 7]);
  assert.deepEqual([orders.status, orders.body.orders?.length], [200, 1]);
});

test('readiness warns if the clocks differ by more than a second', async (t) => {
  const server = await startTestAisle({}, 'api');
  t.after(server.stop);
  const ready = () => server.call('GET', '/health/ready');
  assert.equal('warnings' in (await ready()).body, false);
  moveClock(t, -hour);
  await waitFor('a warning', async () => 'warnings' in (await ready()).body);
  const { status, body } = await ready();
  assert.equal(status, 200);
  assert.match(body.warnings.clock, /^the clock of this process is 3\d{3}\.\d s behind the database's/);
});

describe("after the database's clock was set back", () => {
  let server: OwnAisle;
  let shop: TestChain;
  before(async () => {
    server = await startTestAisle({ AISLE_RATE_LIMITS: 'read=3,sign_in=30' }, 'api');
    shop = await makeChain(server);
  });
  after(() => server.stop());

  test('a rate limit that was used up applies to the next minute only', async (t) => {
    const read = (on: TestAisle) => on.call('GET', `${shop.base}/vendors`, { token: shop.token });
    while ((await read(server)).status === 200);
    await server.db.query("update rate_windows set window_start = window_start + interval '1 hour'");
    // It has not seen the window yet.
    const other = await server.another();
    t.after(other.stop);
    assert.equal((await read(other)).status, 200);
  });

  test('users who have signed in before can sign in', async () => {
    const { email, password } = await makeUser(server, shop.chainId);
    const signIn = () => server.call('POST', '/v2/portal/session', { body: { email, password } });
    assert.equal((await signIn()).status, 201);
    await server.db.query(
      `update failed_attempts set last_failed_at = last_failed_at + interval '1 hour',
         blocked_until = blocked_until + interval '1 hour'`,
    );
    assert.equal((await signIn()).status, 201);
  });

  test('wrong codes and secrets from before do not block', async () => {
    const guard = createAttemptGuard(true);
    const fail = () => guard.recordFailure(server.db, 'client a', '192.0.2.1');
    for (let tries = 0; tries < 5; tries++) await fail();
    await server.db.query(
      "update failed_attempts set last_failed_at = last_failed_at + interval '1 hour', blocked_until = now() + interval '1 hour'",
    );
    await fail();
  });
});

const listVendors = (server: TestAisle, token: string) => server.call('GET', `${chain.base}/vendors`, { token });

/** Shifts this process's clock, but not the database's, until the test ends. */
function moveClock(t: TestContext, milliseconds: number): void {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + milliseconds });
}
