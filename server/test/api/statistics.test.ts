import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { makeChain, makeToken, startTestAisle, type TestChain } from '../support/aisle.ts';
import { giveProducts, plainProducts, runUpdate } from '../support/catalog.ts';
import { allPicked, placeOrder, putOrder } from '../support/orders.ts';
import { assertInvalid, assertProblem } from '../support/problem.ts';

const aisle = await startTestAisle();
after(() => aisle.stop());

function read(chain: TestChain, query = '', token = chain.token) {
  return aisle.call('GET', `${chain.base}/statistics${query}`, { token });
}

test('orders, their lines and jobs are counted by day', async () => {
  const chain = await makeChain(aisle);
  await giveProducts(aisle, chain, plainProducts(4));
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

test('one store is counted in its own time zone, and a limited token counts its own stores', async () => {
  const chain = await makeChain(aisle);
  await giveProducts(aisle, chain, plainProducts(1));
  const [near, far] = chain.vendors;
  await placeOrder(aisle, chain, [{ sku: 'SKU-00001', quantity: 1 }]);
  const here = await read(chain, `?vendor_id=${near}`);
  assert.deepEqual([here.body.timezone, here.body.orders.total], ['Asia/Dubai', 1]);
  assert.equal((await read(chain, '?vendor_id=ext-2')).body.orders.total, 0);
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [String(far)] });
  assert.equal((await read(chain, '', token)).body.orders.total, 0);
  assertProblem(await read(chain, `?vendor_id=${near}`, token), 'forbidden');
  assertProblem(await read(chain, '?vendor_id=nobody'), 'vendor_not_found');
});

test('a range is at most 60 days and runs forwards', async () => {
  const chain = await makeChain(aisle);
  assertInvalid(await read(chain, '?from=2026-05-04&to=2026-05-03'), 'from');
  assertInvalid(await read(chain, '?from=2026-01-01&to=2026-05-03'), 'from');
  const { body } = await read(chain, '?from=2026-05-03&to=2026-05-05');
  assert.deepEqual(
    body.orders.days.map(({ day }: { day: string }) => day),
    ['2026-05-03', '2026-05-04'],
  );
});
