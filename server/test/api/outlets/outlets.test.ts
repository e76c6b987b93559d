import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { type Response, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { readProduct } from '../../support/catalog.ts';
import { changeVendor, fulfil, makeShop, sentItem, newOrder, placeOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;

before(async () => {
  aisle = await useAisle();
  chain = await makeShop(aisle, { vendors: 2 });
  store = chain.vendors[0] ?? '';
});
beforeEach(() => platform({ status: 'OPEN' }));

const path = (vendor = store) => `${chain.base}/vendors/${vendor}/status`;
const get = async (vendor = store): Promise<Response['body']> => {
  const response = await aisle.call('GET', path(vendor), { token: chain.token });
  assert.equal(response.status, 200, response.text);
  return response.body;
};
const put = (body: unknown, vendor = store) => aisle.call('PUT', path(vendor), { token: chain.token, body });
async function platform(body: unknown): Promise<Response['body']> {
  const to = `/platform/v1/chains/${chain.chainId}/vendors/${store}/status`;
  const response = await aisle.call('PUT', to, { token: aisle.platformToken, body });
  assert.equal(response.status, 200, response.text);
  return response.body;
}
async function closed(body: unknown): Promise<Response['body']> {
  const response = await put(body);
  assert.equal(response.status, 200, response.text);
  assert.deepEqual(await get(), response.body);
  return response.body;
}
const soon = (minutes = 60) => new Date(Date.now() + minutes * 60_000).toISOString();
const post = () => {
  const body = newOrder(chain, [{ sku: 'MILK', quantity: 1 }]);
  return aisle.call('POST', '/platform/v1/orders', { token: aisle.platformToken, body });
};

describe("a store's status", () => {
  test('a store is OPEN initially and after it has been reopened', async () => {
    assert.deepEqual(await get(chain.vendors[1]), { vendor_id: chain.vendors[1], status: 'OPEN' });
    await closed({ status: 'CLOSED_UNTIL', closed_until: soon(), closed_reason: 'BAD_WEATHER' });
    assert.deepEqual(await closed({ status: 'OPEN' }), { vendor_id: store, status: 'OPEN' });
  });

  test('setting CLOSED_UNTIL closes only that store, and the response has the time and the reason', async () => {
    const closed_until = soon();
    const body = { status: 'CLOSED_UNTIL', closed_reason: 'TECHNICAL_PROBLEM', closed_until };
    assert.deepEqual(await closed(body), { vendor_id: store, ...body });
    assert.equal((await get(chain.vendors[1])).status, 'OPEN');
  });

  test("a store's status can be read and set by its external id, and the response has the platform id", async () => {
    assert.equal((await put({ status: 'CLOSED_TODAY' }, 'ext-1')).body.vendor_id, store);
    assert.equal((await get('ext-1')).status, 'CLOSED_TODAY');
    assertProblem(await put({ status: 'OPEN' }, 'nowhere'), 'vendor_not_found');
  });

  const reasons = [
    'TOO_BUSY_NO_DRIVERS',
    'TOO_BUSY_KITCHEN',
    'UPDATES_IN_MENU',
    'TECHNICAL_PROBLEM',
    'CLOSED',
    'OTHER',
    'BAD_WEATHER',
    'HOLIDAY_SPECIAL_DAY',
  ];
  for (const closed_reason of reasons) {
    test(`a store can be closed with the reason ${closed_reason}`, async () => {
      assert.equal((await closed({ status: 'CLOSED_TODAY', closed_reason })).closed_reason, closed_reason);
    });
  }

  test('closing a store again completely replaces the previous closure', async () => {
    await closed({ status: 'CLOSED_UNTIL', closed_until: soon(), closed_reason: 'BAD_WEATHER' });
    const later = soon(120);
    const now = await closed({ status: 'CLOSED_UNTIL', closed_until: later, closed_reason: 'OTHER' });
    assert.deepEqual([now.closed_until, now.closed_reason], [later, 'OTHER']);
  });

  test('closed_until can have an offset and is read as UTC without one', async () => {
    const until = new Date(Date.now() + 7_200_000);
    const bare = until.toISOString().slice(0, 19);
    const dubai = `${new Date(until.getTime() + 4 * 3_600_000).toISOString().slice(0, 19)}+04:00`;
    for (const closed_until of [bare, dubai]) {
      assert.equal((await closed({ status: 'CLOSED_UNTIL', closed_until })).closed_until, `${bare}.000Z`);
    }
  });

  test('CLOSED_UNTIL requires a time in the future', async () => {
    for (const closed_until of [undefined, null, soon(-1), '2026-02-30T00:00:00Z', 'tomorrow', 7]) {
      assertInvalid(await put({ status: 'CLOSED_UNTIL', closed_until }), '/closed_until');
    }
    assert.equal((await get()).status, 'OPEN');
  });

  test('a partner can set neither CLOSED nor an unknown status', async () => {
    for (const status of ['CLOSED', 'SHUT', '', null]) assertInvalid(await put({ status }), '/status');
    assertInvalid(await put({}), '/status');
    assertInvalid(await put({ status: 'CLOSED_TODAY', closed_reason: 'BORED' }), '/closed_reason');
    assert.equal((await get()).status, 'OPEN');
  });

  test("CHECKIN does not change a store's status", async () => {
    assert.equal((await put({ status: 'CHECKIN' })).body.status, 'OPEN');
    const before = await closed({ status: 'CLOSED_TODAY', closed_reason: 'OTHER' });
    assert.deepEqual((await put({ status: 'CHECKIN', closed_reason: 'CLOSED' })).body, before);
    assert.deepEqual(await get(), before);
  });

  test("a store's status can be read with outlets:read and set with outlets:write for that store", async () => {
    const reader = await makeToken(aisle, chain.chainId, { scopes: ['outlets:read'] });
    const scopes = ['outlets:read', 'outlets:write'];
    const limited = await makeToken(aisle, chain.chainId, { scopes, vendor_ids: [chain.vendors[1] ?? ''] });
    const body = { status: 'OPEN' };
    assert.equal((await aisle.call('GET', path(), { token: reader })).status, 200);
    assertProblem(await aisle.call('PUT', path(), { token: reader, body }), 'forbidden');
    assertProblem(await aisle.call('PUT', path(), { token: limited, body }), 'forbidden');
    assert.equal((await aisle.call('PUT', path(chain.vendors[1]), { token: limited, body })).status, 200);
  });
});

describe('CLOSED_TODAY', () => {
  for (const timezone of [
    'Asia/Dubai',
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ]) {
    test(`CLOSED_TODAY ends at the next midnight in ${timezone}`, async () => {
      await changeVendor(aisle, chain, { timezone });
      const before = Date.now();
      const { closed_until } = await closed({ status: 'CLOSED_TODAY' });
      const ends = Date.parse(closed_until);
      const hours = (ends - before) / 3_600_000;
      assert.ok(hours > 0 && hours <= 25, closed_until);
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'medium' });
      assert.equal(clock.format(ends), '00:00:00');
      assert.equal(ends % 1000, 0);
      await changeVendor(aisle, chain, { timezone: 'Asia/Dubai' });
    });
  }

  test('CLOSED_TODAY ignores a time that is sent with it', async () => {
    const { closed_until } = await closed({ status: 'CLOSED_TODAY', closed_until: soon(60 * 24 * 9) });
    assert.ok(Date.parse(closed_until) <= Date.now() + 24 * 3_600_000);
  });
});

describe('a closed store', () => {
  const closings = {
    CLOSED_TODAY: () => put({ status: 'CLOSED_TODAY', closed_reason: 'HOLIDAY_SPECIAL_DAY' }),
    CLOSED_UNTIL: () => put({ status: 'CLOSED_UNTIL', closed_until: soon() }),
    CLOSED: () => platform({ status: 'CLOSED', closed_reason: 'BAD_WEATHER' }),
  };
  for (const [status, close] of Object.entries(closings)) {
    test(`a store that is ${status} accepts no orders`, async () => {
      await close();
      const count = async () => aisle.db.query('select (select count(*) from orders), (select count(*) from events)');
      const before = await count();
      const response = await post();
      assertProblem(response, 'vendor_closed');
      assert.deepEqual(await count(), before);
      assert.equal((await readProduct(aisle, chain, 'MILK')).available, true);
      await platform({ status: 'OPEN' });
      assert.equal((await post()).status, 201);
    });
  }

  test('a closed store reopens automatically at the given time and accepts orders', async () => {
    for (const body of [{ status: 'CLOSED_TODAY' }, { status: 'CLOSED_UNTIL', closed_until: soon() }]) {
      await closed(body);
      await aisle.db.query(
        `update outlet_statuses set closed_until = now() - interval '1 second' where vendor_id = $1`,
        [store],
      );
      assert.deepEqual(await get(), { vendor_id: store, status: 'OPEN' });
      assert.equal((await post()).status, 201);
    }
  });

  test('a closed store can still fulfil its open orders', async () => {
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
    await closed({ status: 'CLOSED_TODAY' });
    assert.equal((await fulfil(aisle, chain, order, [sentItem(order, 'MILK')])).status, 200);
  });
});

describe('a store that the platform has closed', () => {
  test("a store closed by the platform is CLOSED with the platform's reason, and has no end time", async () => {
    const now = await platform({ status: 'CLOSED', closed_reason: 'TECHNICAL_PROBLEM' });
    assert.deepEqual(now, { vendor_id: store, status: 'CLOSED', closed_reason: 'TECHNICAL_PROBLEM' });
    assert.deepEqual(await get(), now);
  });

  test('a partner cannot open a store closed by the platform, or change how it is closed', async () => {
    const before = await platform({ status: 'CLOSED', closed_reason: 'OTHER' });
    for (const body of [
      { status: 'OPEN' },
      { status: 'CLOSED_TODAY' },
      { status: 'CLOSED_UNTIL', closed_until: soon() },
    ]) {
      assertProblem(await put(body), 'outlet_closed_by_platform');
    }
    assert.deepEqual((await put({ status: 'CHECKIN' })).body, before);
    assert.deepEqual(await get(), before);
  });

  test('the platform can open a store, whether it was closed by the platform or by the partner', async () => {
    await platform({ status: 'CLOSED' });
    assert.equal((await platform({ status: 'OPEN' })).status, 'OPEN');
    await closed({ status: 'CLOSED_TODAY' });
    assert.equal((await platform({ status: 'OPEN' })).status, 'OPEN');
    assert.equal((await get()).status, 'OPEN');
  });

  test('a partner token cannot close a store through the platform API', async () => {
    const to = `/platform/v1/chains/${chain.chainId}/vendors/${store}/status`;
    const body = { status: 'CLOSED' };
    assertProblem(await aisle.call('PUT', to, { token: chain.token, body }), 'forbidden');
    assert.equal((await get()).status, 'OPEN');
  });
});

test("the list contains the chain's stores that the token can access", async () => {
  const list = async (token: string): Promise<string[]> => {
    const { status, body } = await aisle.call('GET', `${chain.base}/vendors`, { token });
    assert.equal(status, 200);
    return body.vendors.map((vendor: Response['body']) => vendor.vendor_id);
  };
  assert.deepEqual(await list(chain.token), chain.vendors.toSorted());
  const scopes = ['outlets:read'];
  assert.deepEqual(await list(await makeToken(aisle, chain.chainId, { scopes, vendor_ids: [store] })), [store]);
});
