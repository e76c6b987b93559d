import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { makeChain, startTestAisle, type OwnAisle, type TestChain } from '../../support/aisle.ts';
import { addProducts, putProducts, runUpdate } from '../../support/catalog.ts';
import {
  applyPromotion,
  final,
  percent,
  priceOf,
  promotionBody,
  readPromotion,
  readShown,
  findTerms,
} from '../../support/promotions.ts';
import { followPlatformFeed } from '../../support/platform-webhooks.ts';

let aisle: OwnAisle;
let chain: TestChain;

// Far in the future, because the chore that deletes ended promotions uses the database clock.
const start = Date.parse('2036-06-01T08:00:00.000Z');
const end = Date.parse('2036-06-08T20:30:00.250Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const conditions = (from = start, until = end) => ({ start_time: iso(from), end_time: iso(until) });
const setClock = (milliseconds: number) => mock.timers.setTime(milliseconds);

before(async () => {
  aisle = await startTestAisle();
});
after(() => aisle.stop());
beforeEach(async () => {
  mock.timers.enable({ apis: ['Date'], now: start - 1000 });
  chain = await makeChain(aisle);
  await addProducts(aisle, chain, [
    { sku: 'A', title: 'Apple', price: 10 },
    { sku: 'B', title: 'Banana', price: 10 },
  ]);
});
afterEach(() => mock.timers.reset());

/** Reads the promotional price in the product list, in a search and in the terms that an order would get. */
async function readPrices(sku = 'A'): Promise<(number | undefined)[]> {
  const vendor = { vendor_id: String(chain.vendors[0]), locale: 'en_AE' };
  const { body } = await aisle.call('GET', `${chain.base}/vendors/${vendor.vendor_id}/catalog`, { token: chain.token });
  const listed = body.products.find((product: { sku: string }) => product.sku === sku);
  const prices = [{ sku, price: String(listed.price) }];
  const terms = await findTerms(aisle.db, chain.chainId, vendor, prices, new Date());
  const inOrder = terms.get(sku);
  return [listed.promotional_price, await priceOf(aisle, chain, sku), inOrder && Number(inOrder.discount_value)];
}

test('a promotion changes from upcoming to running to ended at exactly the given millisecond', async () => {
  const body = promotionBody({ conditions: conditions(), discount: [final(7, 'A')] });
  const { promotion_id: id } = await applyPromotion(aisle, chain, body);
  const steps = [
    [start - 1, 'UPCOMING', undefined],
    [start, 'RUNNING', 7],
    [end - 1, 'RUNNING', 7],
    [end, 'ENDED', undefined],
  ] as const;
  for (const [now, state, price] of steps) {
    setClock(now);
    assert.equal((await readPromotion(aisle, chain, id)).state, state);
    assert.deepEqual(await readPrices(), [price, price, price], state);
    const { body: list } = await aisle.call('GET', `${chain.base}/promotions?state=${state}`, { token: chain.token });
    assert.deepEqual(
      list.promotions.map((one: { promotion_id: string }) => one.promotion_id),
      [id],
    );
  }
});

test('a cancelled promotion has no effect on prices, and stays CANCELLED after its end time', async () => {
  const body = promotionBody({ conditions: conditions(), discount: [final(7, 'A')] });
  const { promotion_id: id } = await applyPromotion(aisle, chain, body);
  setClock(start + 5);
  assert.deepEqual(await readPrices(), [7, 7, 7]);
  await applyPromotion(aisle, chain, { ...body, active: false });
  assert.deepEqual(await readPrices(), [undefined, undefined, undefined]);
  setClock(end + 5);
  assert.equal((await readPromotion(aisle, chain, id)).state, 'CANCELLED');
});

test('of two overlapping promotions, the one that started later applies until it ends, then the other', async () => {
  const long = promotionBody({ display_name: { en_AE: 'Long' }, conditions: conditions(), discount: [final(7, 'A')] });
  const short = promotionBody({
    display_name: { en_AE: 'Short' },
    conditions: conditions(start + 5000, start + 9000),
    discount: [final(8, 'A')],
  });
  // The promotion that starts later is created first, to show that only the start time matters.
  await applyPromotion(aisle, chain, short);
  await applyPromotion(aisle, chain, long);
  const steps = [
    [start + 4999, 7],
    [start + 5000, 8],
    [start + 8999, 8],
    [start + 9000, 7],
  ] as const;
  for (const [now, price] of steps) {
    setClock(now);
    assert.deepEqual(await readPrices(), [price, price, price], iso(now));
  }
});

test('if two promotions have the same start, the one created later applies, whichever has the lower price', async () => {
  const named = (name: string, price: number, vendors: string[]) =>
    promotionBody({ vendors, display_name: { en_AE: name }, conditions: conditions(), discount: [final(price, 'A')] });
  await applyPromotion(aisle, chain, named('First', 6, ['*']));
  await applyPromotion(aisle, chain, named('Second', 8, [String(chain.vendors[0])]));
  setClock(start);
  assert.equal((await readShown(aisle, chain, 'A')).promotion.display_name.en_AE, 'Second');
  assert.equal(await priceOf(aisle, chain, 'A', chain.vendors[1]), 6);
  // Modifying the first promotion does not change its creation time.
  await applyPromotion(aisle, chain, named('First', 5, ['*']));
  assert.equal(await priceOf(aisle, chain, 'A'), 8);
});

test('a discount is hidden while an updated price is at or below the discounted price', async () => {
  const body = promotionBody({ conditions: conditions(), discount: [final(7, 'A'), percent(10, 'B')] });
  await applyPromotion(aisle, chain, body);
  setClock(start);
  const single = await putProducts(aisle, chain, [{ sku: 'A', price: 7 }]);
  assert.deepEqual([single.body.promotional_price, single.body.promotion], [undefined, undefined]);
  assert.deepEqual(await readPrices(), [undefined, undefined, undefined]);
  await runUpdate(aisle, chain, [{ sku: 'A', price: 7.01 }]);
  assert.deepEqual(await readPrices(), [7, 7, 7]);
  // A percentage always applies to the current price.
  await runUpdate(aisle, chain, [{ sku: 'B', price: 4 }]);
  assert.equal(await priceOf(aisle, chain, 'B'), 3.6);
});

test('if the latest promotion does not lower the price, an earlier one applies', async () => {
  const named = (name: string, from: number, price: number) =>
    promotionBody({ display_name: { en_AE: name }, conditions: conditions(from), discount: [final(price, 'A')] });
  await applyPromotion(aisle, chain, named('Early', start, 5));
  await applyPromotion(aisle, chain, named('Late', start + 1, 8));
  setClock(start + 1);
  assert.equal(await priceOf(aisle, chain, 'A'), 8);
  await putProducts(aisle, chain, [{ sku: 'A', price: 8 }]);
  assert.equal(await priceOf(aisle, chain, 'A'), 5);
});

test('an end time in the past is rejected, and one a millisecond in the future is accepted', async () => {
  const body = promotionBody({ conditions: conditions() });
  setClock(end - 1);
  await applyPromotion(aisle, chain, body);
  setClock(end);
  const rejected = await aisle.call('PUT', `${chain.base}/promotion`, { token: chain.token, body });
  assert.equal(rejected.status, 400);
  assert.equal(rejected.body.errors[0].pointer, '/conditions/end_time');
});

test('an event about a promotion has the right state if the clock of the process is behind', async () => {
  const feed = await followPlatformFeed(aisle, `&types=promotion.started,promotion.ended&chain_id=${chain.chainId}`);
  await applyPromotion(aisle, chain, promotionBody({ conditions: conditions(), discount: [final(7, 'A')] }));
  setClock(Date.parse('2020-01-01T00:00:00.000Z'));
  await aisle.db.query("update promotions set start_time = now() - interval '1 s' where chain_id = $1", [
    chain.chainId,
  ]);
  await feed.waitFor(1);
  await aisle.db.query('update promotions set end_time = now() where chain_id = $1', [chain.chainId]);
  const events = await feed.waitFor(2);
  assert.deepEqual(
    events.map(({ type, body }) => [type, body.promotion.state]),
    [
      ['promotion.started', 'RUNNING'],
      ['promotion.ended', 'ENDED'],
    ],
  );
});
