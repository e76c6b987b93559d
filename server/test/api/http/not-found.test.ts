import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '@aisle/contract/errors';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeChain, makeClient, makeUser, useOwnAisle } from '../../support/aisle.ts';
import { makeShop, placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';

/** Every 404 contains the id that was not found. Another chain's id gets the same message as an unknown one. */
const aisle = await useOwnAisle({}, 'api');
const chain = await makeChain(aisle);
const foreign = await makeShop(aisle);

type Case = { code: ErrorCode; method?: string; path: (id: string) => string; foreignId: string; body?: unknown };

const noun = (code: ErrorCode) => code.replace('_not_found', '');
const foreignTokens = await aisle.call('GET', `${foreign.base}/tokens`, foreign);
const foreignClient = await makeClient(aisle, foreign.chainId);
const foreignUser = await makeUser(aisle, foreign.chainId);
const { order_id: orderId } = await placeOrder(aisle, foreign, [{ sku: 'MILK', quantity: 1 }]);
const own = (path: string) => (id: string) => `${chain.base}${path.replace('ID', id)}`;

const cases: Case[] = [
  { code: 'vendor_not_found', path: own('/vendors/ID/settings'), foreignId: foreign.vendors[0] ?? '' },
  { code: 'vendor_not_found', path: own('/statistics?vendor_id=ID'), foreignId: foreign.vendors[0] ?? '' },
  { code: 'vendor_not_found', path: own('/promotions?vendor_id=ID'), foreignId: foreign.vendors[0] ?? '' },
  {
    code: 'token_not_found',
    method: 'DELETE',
    path: own('/tokens/ID'),
    foreignId: foreignTokens.body.tokens[0].token_id,
  },
  { code: 'client_not_found', method: 'DELETE', path: own('/clients/ID'), foreignId: foreignClient.client_id },
  { code: 'user_not_found', method: 'DELETE', path: own('/users/ID'), foreignId: foreignUser.user_id },
  {
    code: 'user_not_found',
    method: 'PATCH',
    path: own('/users/ID'),
    foreignId: foreignUser.user_id,
    body: { name: 'New name' },
  },
  { code: 'user_not_found', method: 'POST', path: own('/users/ID/reset-password'), foreignId: foreignUser.user_id },
  { code: 'order_not_found', path: own('/orders/ID'), foreignId: orderId },
  { code: 'order_not_found', path: own('/orders/ID/history'), foreignId: orderId },
  { code: 'order_not_found', method: 'POST', path: own('/sandbox/orders/ID/pickup'), foreignId: orderId },
  { code: 'delivery_not_found', path: own('/deliveries/ID'), foreignId: newId() },
  { code: 'delivery_not_found', method: 'POST', path: own('/deliveries/ID/resend'), foreignId: newId() },
  { code: 'job_not_found', path: own('/catalog/jobs/ID'), foreignId: newId() },
  { code: 'job_not_found', path: own('/catalog/jobs/ID/download'), foreignId: newId() },
  { code: 'job_not_found', path: own('/promotion/jobs/ID'), foreignId: newId() },
  { code: 'promotion_not_found', path: own('/promotions/ID'), foreignId: newId() },
];

for (const { code, method = 'GET', path, foreignId, body } of cases) {
  test(`${method} ${path('ID').slice(chain.base.length)} returns a 404 with the id that was not found`, async () => {
    const unknownId = foreignId.length === 36 ? newId() : 'unknown1';
    for (const id of [unknownId, foreignId]) {
      const response = await aisle.call(method, path(id), { ...chain, ...(body !== undefined && { body }) });
      assertProblem(response, code);
      assert.equal(response.body.detail, `There is no ${noun(code)} ${id} in this chain.`);
    }
  });
}

test("the 404 for an unknown chain, or for a chain other than the token's, includes the chain id", async () => {
  for (const id of [newId(), foreign.chainId]) {
    const response = await aisle.call('GET', `/v2/chains/${id}/vendors`, chain);
    assertProblem(response, 'chain_not_found');
    assert.equal(response.body.detail, `There is no chain ${id}.`);
  }
});

test("the platform API's 404 for an unknown order includes the order id", async () => {
  const id = newId();
  for (const [method, path] of [
    ['GET', `/platform/v1/orders/${id}`],
    ['POST', `/platform/v1/orders/${id}/pickup`],
  ] as const) {
    const response = await aisle.call(method, path, { token: aisle.platformToken });
    assertProblem(response, 'order_not_found');
    assert.equal(response.body.detail, `There is no order ${id}.`);
  }
});

test('the 404 for a missing webhook includes the vendor id', async () => {
  const [vendor] = chain.vendors;
  const ofChain = await aisle.call('GET', `${chain.base}/webhook`, chain);
  const ofVendor = await aisle.call('POST', `${chain.base}/vendors/${vendor}/webhook/ping`, chain);
  for (const response of [ofChain, ofVendor]) assertProblem(response, 'webhook_not_found');
  assert.equal(ofChain.body.detail, 'This chain has no webhook.');
  assert.equal(ofVendor.body.detail, `The vendor ${vendor} has no webhook.`);
});
