import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { makeChain, makeToken, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, runUpdate } from '../../support/catalog.ts';
import { foldTallies } from '../../../src/tallies/queries.ts';
import { allPicked, placeOrder, putOrder, report } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { startReceiver, unusedUrl } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { setWebhook } from '../../support/webhooks.ts';

const aisle = await useAisle();
const receiver = await startReceiver();
after(receiver.close);

function read(chain: TestChain, query = '', token = chain.token) {
  return aisle.call('GET', `${chain.base}/statistics${query}`, { token });
}

test('orders, line items and jobs are counted by day', async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(4));
  const first = await placeOrder(aisle, chain, [
    { sku: 'SKU-00001', quantity: 1 },
    { sku: 'SKU-00002', quantity: 1 },
  ]);
  await placeOrder(aisle, chain, [{ sku: 'SKU-00003', quantity: 1 }]);
  const [one, two] = allPicked(first);
  await putOrder(aisle, chain, first.order_id, {
    status: 'READY_FOR_PICKUP',
    items: [one, { ...two, status: 'NOT_FOUND' }],
  });
  await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
  const { status, body } = await read(chain);
  assert.equal(status, 200);
  assert.equal(body.orders.total, 2);
  assert.deepEqual([body.orders.by_status.RECEIVED, body.orders.by_status.READY_FOR_PICKUP], [1, 1]);
  assert.deepEqual(
    [body.orders.fulfilment_rate, body.orders.not_found_rate, body.orders.replacement_rate],
    [0.5, 0.5, 0],
  );
  const today = body.orders.days.at(-1);
  assert.deepEqual(today.items, { ordered: 2, picked: 1, not_found: 1, replaced: 0, added: 0 });
  assert.equal(body.orders.days.length, 14);
  assert.equal(body.jobs.completed, 1);
  assert.equal(body.webhooks.success_rate, null);
});

test("statistics for one store use its time zone, and a restricted token sees only its stores' statistics", async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(1));
  const [near, far] = chain.vendors;
  await placeOrder(aisle, chain, [{ sku: 'SKU-00001', quantity: 1 }]);
  const here = await read(chain, `?vendor_id=${near}`);
  assert.deepEqual([here.body.timezone, here.body.orders.total], ['Asia/Dubai', 1]);
  assert.equal((await read(chain, '?vendor_id=ext-2')).body.orders.total, 0);
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [String(far)] });
  assert.equal((await read(chain, '', token)).body.orders.total, 0);
  assertProblem(await read(chain, `?vendor_id=${near}`, token), 'forbidden');
  assertProblem(await read(chain, '?vendor_id=unknown'), 'vendor_not_found');
});

test('a range can be at most 60 days and must not end before it starts', async () => {
  const chain = await makeChain(aisle);
  assertInvalid(await read(chain, '?from=2026-05-04&to=2026-05-03'), 'from');
  assertInvalid(await read(chain, '?from=2026-01-01&to=2026-05-03'), 'from');
  const { body } = await read(chain, '?from=2026-05-03&to=2026-05-05');
  assert.deepEqual(
    body.orders.days.map(({ day }: { day: string }) => day),
    ['2026-05-03', '2026-05-04'],
  );
});

test('a request for statistics for the year 9999 is rejected with 400', async () => {
  const chain = await makeChain(aisle);
  for (const query of ['?to=9999-12-31T23:59:59Z', '?from=9999-12-31&to=9999-12-31T23:59:59Z', '?from=9999-12-31']) {
    const response = await read(chain, query);
    assert.equal(response.status, 400, response.text);
    assert.match(response.body.detail, /^(to: must be at most 60 days in the future|from: must not be after to)$/);
  }
});

/** Computes the statistics directly from the orders and delivery attempts. */
async function recount({ chainId }: TestChain) {
  const orders = await aisle.db.query(
    `select status, count(*)::int as count from orders where chain_id = $1 group by status order by status`,
    [chainId],
  );
  const [items] = await aisle.db.query(
    `select count(*) filter (where l.status <> 'ADDITION' and l."replacedId" is null)::int as ordered,
       count(*) filter (where l.status = 'IN_CART' and l."replacedId" is null)::int as picked,
       count(*) filter (where l.status = 'NOT_FOUND')::int as not_found,
       count(*) filter (where l.status = 'REPLACED')::int as replaced,
       count(*) filter (where l.status = 'ADDITION')::int as added
     from orders o, jsonb_to_recordset(o.items) as l (status text, "replacedId" text)
     where chain_id = $1 and o.status in ('READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP')`,
    [chainId],
  );
  const [webhooks] = await aisle.db.query(
    `select count(*)::int as attempts, percentile_disc(0.5) within group (order by duration_ms) as median_ms,
       percentile_disc(0.95) within group (order by duration_ms) as slow_ms
     from delivery_attempts where chain_id = $1 and outcome = 'success'`,
    [chainId],
  );
  return { orders, items, webhooks };
}

async function shown(chain: TestChain, query = '') {
  const { orders, webhooks } = (await read(chain, query)).body;
  const counts = Object.entries(orders.by_status as Record<string, number>).filter(([, count]) => count > 0);
  const { attempts, median_ms, slow_ms } = webhooks;
  return {
    orders: counts.map(([status, count]) => ({ status, count })).toSorted((a, b) => (a.status < b.status ? -1 : 1)),
    items: orders.days.at(-1).items,
    webhooks: { attempts, median_ms, slow_ms },
  };
}

test('statistics match a recount of the orders, whether none, some or all changes are merged', async () => {
  const chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, plainProducts(4));
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const place = () =>
    placeOrder(aisle, chain, [
      { sku: 'SKU-00001', quantity: 1 },
      { sku: 'SKU-00002', quantity: 1 },
    ]);
  const ready = async () => {
    const order = await place();
    const [one, two] = allPicked(order);
    const added = { sku: 'SKU-00003', pricing: { pricing_type: 'UNIT', quantity: 1 } };
    const items = [
      { ...one, status: 'REPLACED' },
      { ...added, status: 'IN_CART', replaced_id: one?._id },
      { ...two, status: 'NOT_FOUND' },
      { ...added, sku: 'SKU-00004', status: 'ADDITION' },
    ];
    const { status, text } = await putOrder(aisle, chain, order.order_id, { status: 'READY_FOR_PICKUP', items });
    assert.equal(status, 200, text);
    return order;
  };
  const fold = () => aisle.db.transaction((tx) => foldTallies(tx, chain.chainId, 3));
  await place();
  await ready();
  await fold();
  const taken = await ready();
  await report(aisle, taken.order_id, 'pickup');
  await report(aisle, taken.order_id, 'deliver');
  const late = await ready();
  await report(aisle, late.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
  const rejected = await place();
  await putOrder(aisle, chain, rejected.order_id, {
    status: 'CANCELLED',
    items: [],
    cancellation: { reason: 'TOO_BUSY' },
  });
  await receiver.waitFor(11);
  await waitFor('all deliveries to be settled', async () => (await read(chain)).body.webhooks.pending === 0);
  const counted = await recount(chain);
  assert.deepEqual(counted.orders, [
    { status: 'CANCELLED', count: 2 },
    { status: 'DELIVERED', count: 1 },
    { status: 'READY_FOR_PICKUP', count: 1 },
    { status: 'RECEIVED', count: 1 },
  ]);
  assert.deepEqual(counted.items, { ordered: 4, picked: 0, not_found: 2, replaced: 2, added: 2 });
  for (let folded = 1; folded > 0; folded = await fold()) {
    assert.deepEqual(await shown(chain), counted);
    assert.deepEqual(await shown(chain, `?vendor_id=${chain.vendors[0]}`), counted);
  }
  assert.deepEqual(await shown(chain), counted);
});

test('concurrent readers never see partly merged counts', async () => {
  const chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, [{ sku: 'SKU-00001', title: 'One', price: 1, quantity: 100 }]);
  let placed = 0;
  const place = async () => {
    for (let number = 0; number < 10; number++) {
      await placeOrder(aisle, chain, [{ sku: 'SKU-00001', quantity: 1 }]);
      placed += 1;
    }
  };
  const writing = Promise.all([place(), place(), place()]);
  let isWritten = false;
  void writing.then(() => (isWritten = true));
  while (!isWritten) {
    const atLeast = placed;
    const [{ body }] = await Promise.all([
      read(chain),
      aisle.db.transaction((tx) => foldTallies(tx, chain.chainId, 4)),
    ]);
    assert.ok(body.orders.total >= atLeast && body.orders.total <= 30, `${atLeast} ${body.orders.total}`);
  }
  await writing;
  assert.equal((await read(chain)).body.orders.total, 30);
});

test('a failed ping is not counted as a delivery that failed permanently', async () => {
  const chain = await makeChain(aisle);
  await setWebhook(aisle, chain, { production_url: await unusedUrl() });
  const { body: ping } = await aisle.call('POST', `${chain.base}/webhook/ping`, { token: chain.token });
  await waitFor('the ping to fail', async () => {
    const { body } = await aisle.call('GET', `${chain.base}/deliveries/${ping.delivery_id}`, { token: chain.token });
    return body.status === 'EXHAUSTED';
  });
  const { pending, exhausted } = (await read(chain)).body.webhooks;
  assert.deepEqual({ pending, exhausted }, { pending: 0, exhausted: 0 });
});

test('the response includes the time range it covers, aligned to quarter hours', async () => {
  const chain = await makeChain(aisle);
  const { body } = await read(chain, '?from=2026-05-03T10:07:00Z&to=2026-05-03T11:31:00Z');
  assert.deepEqual([body.from, body.to], ['2026-05-03T10:00:00.000Z', '2026-05-03T11:45:00.000Z']);
});
