import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeToken, makeUser, useAisle } from '../../support/aisle.ts';
import { ageOrder, makeShop, placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle, { vendors: 2 });
const stranger = await makeShop(aisle);
const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
const read = (token: string, id: string = order.order_id) => aisle.call('GET', `/v2/orders/${id}`, { token });

test('an order read through the route without a chain id has the same body and ETag', async () => {
  const byChain = await aisle.call('GET', `${chain.base}/orders/${order.order_id}`, { token: chain.token });
  const { session } = await makeUser(aisle, chain.chainId, 'VIEWER');
  for (const token of [chain.token, session]) {
    const own = await read(token);
    assert.equal(own.status, 200);
    assert.deepEqual([own.body, own.headers['etag']], [byChain.body, byChain.headers['etag']]);
  }
});

test('an order that is unknown, too old, or from another chain or vendor returns 404', async () => {
  assertProblem(await read(stranger.token), 'order_not_found');
  assertProblem(await read(chain.token, newId()), 'order_not_found');
  const limited = (vendor: number) =>
    makeToken(aisle, chain.chainId, { scopes: ['orders:read'], vendor_ids: [String(chain.vendors[vendor])] });
  assert.equal((await read(await limited(0))).status, 200);
  assertProblem(await read(await limited(1)), 'order_not_found');
  const old = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  await ageOrder(aisle, old.order_id, new Date(Date.now() - 61 * 86_400_000));
  assertProblem(await read(chain.token, old.order_id), 'order_not_found');
});

test('the route without a chain id requires orders:read and rejects platform tokens', async () => {
  assertProblem(await read(await makeToken(aisle, chain.chainId, { scopes: ['orders:write'] })), 'forbidden');
  const response = await read(aisle.platformToken);
  assertProblem(response, 'forbidden');
  assert.match(response.body.detail, /platform token does not belong to a chain/);
});
