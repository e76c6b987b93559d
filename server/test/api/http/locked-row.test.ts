import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { allPicked, fulfil, makeShop, placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_LOCK_SECONDS: '3' });
const chain = await makeShop(aisle);

test('60 requests that wait for one locked row do not block other chains, and get 503 with Retry-After', async () => {
  const other = await makeChain(aisle);
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  await aisle.db.withoutTimeout.transaction(async (tx) => {
    await tx.query('select 1 from orders where chain_id = $1 and order_id = $2 for update', [
      chain.chainId,
      order.order_id,
    ]);
    let finished = 0;
    const writers = Array.from({ length: 60 }, () =>
      fulfil(aisle, chain, order, allPicked(order)).finally(() => (finished += 1)),
    );
    const body = { name: 'new' };
    const created = await aisle.call('POST', `${other.base}/tokens`, { token: other.token, body });
    assert.equal(created.status, 201, created.text);
    assert.equal(finished, 0, 'the other chain waited for the writers');
    for (const response of await Promise.all(writers)) {
      assertProblem(response, 'service_unavailable');
      assert.match(response.body.detail, /nothing was changed/);
      assert.equal(response.headers['retry-after'], '1');
    }
  });
  assert.equal((await fulfil(aisle, chain, order, allPicked(order))).status, 200);
});

test('60 slow reads of one chain do not block other chains', async () => {
  const other = await makeChain(aisle);
  await aisle.db.withoutTimeout.transaction(async (tx) => {
    await tx.query('lock table offers in access exclusive mode');
    let finished = 0;
    const path = `${chain.base}/vendors/${chain.vendors[0]}/catalog`;
    const readers = Array.from({ length: 60 }, () =>
      aisle.call('GET', path, { token: chain.token }).finally(() => (finished += 1)),
    );
    const { status, text } = await aisle.call('GET', `${other.base}/tokens`, { token: other.token });
    assert.equal(status, 200, text);
    assert.equal(finished, 0, 'the other chain waited for the readers');
    for (const response of await Promise.all(readers)) assertProblem(response, 'service_unavailable');
  });
  const { status } = await aisle.call('GET', `${chain.base}/vendors/${chain.vendors[0]}/catalog`, {
    token: chain.token,
  });
  assert.equal(status, 200);
});
