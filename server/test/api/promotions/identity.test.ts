import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeChain, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import {
  applyPromotion,
  final,
  fromNow,
  percent,
  priceOf,
  promotionBody,
  putPromotion,
  readPromotion,
  waitForPromotionJob,
} from '../../support/promotions.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await useAisle();
});

async function makeShops(): Promise<void> {
  chain = await makeChain(aisle);
  [store, otherStore] = chain.vendors as [string, string];
  const product = (sku: string) => ({ sku, title: `Title of ${sku}`, price: 10 });
  await addProducts(aisle, chain, [product('A'), product('B'), product('C')]);
}

async function addStore(): Promise<string> {
  const response = await aisle.call('POST', `/platform/v1/chains/${chain.chainId}/vendors`, {
    token: aisle.platformToken,
    body: {
      name: 'New store',
      currency: 'AED',
      country_code: 'AE',
      locale: 'en_AE',
      timezone: 'Asia/Dubai',
      transport_type: 'LOGISTICS_DELIVERY',
    },
  });
  assert.equal(response.status, 201, response.text);
  return response.body.vendor_id;
}

const idOf = async (body: unknown): Promise<string> => (await applyPromotion(aisle, chain, body)).promotion_id;

test('the same type, name, vendors and times identify the same promotion, however they are written', async () => {
  await makeShops();
  const conditions = { start_time: '2026-01-01T00:00:00.000Z', end_time: '2036-01-01T00:00:00.000Z' };
  const body = promotionBody({ vendors: [store, otherStore], conditions });
  const id = await idOf(body);
  const equivalent = [
    { ...body, vendors: [otherStore, store, store] },
    { ...body, vendors: ['ext-1', otherStore] },
    { ...body, vendors: [store, otherStore, 'unknown'] },
    { ...body, conditions: { start_time: '2026-01-01T04:00:00+04:00', end_time: '2036-01-01' } },
    { ...body, reason: 'OVERSTOCK', limits: { max_items_per_order: 1 } },
  ];
  for (const other of equivalent) assert.equal(await idOf(other), id, JSON.stringify(other));
});

test('a request with a different type, name, vendor list or time creates a different promotion', async () => {
  await makeShops();
  const { conditions, ...rest } = promotionBody({ vendors: [store] });
  const body = { ...rest, conditions };
  const bundle = { ...conditions, purchased_quantity: 1, discounted_quantity: 1 };
  const others = [
    body,
    { ...body, type: 'SAME_ITEM_BUNDLE', conditions: bundle },
    { ...body, display_name: { en_AE: 'Week', ar_AE: 'أسبوع' } },
    { ...body, vendors: [store, otherStore] },
    { ...body, vendors: '*' },
    { ...body, conditions: { ...conditions, start_time: fromNow(-10) } },
    { ...body, conditions: { ...conditions, end_time: fromNow(7200) } },
  ];
  const ids: string[] = [];
  for (const other of others) ids.push(await idOf(other));
  assert.equal(new Set(ids).size, others.length);
});

test('a promotion for * and one for a list of all stores are different promotions', async () => {
  await makeShops();
  const listed = await idOf(promotionBody({ vendors: [store, otherStore], discount: [final(7, 'A')] }));
  const all = await idOf(promotionBody({ vendors: ['*'], discount: [final(8, 'B')] }));
  assert.notEqual(listed, all);
  assert.deepEqual((await readPromotion(aisle, chain, listed)).vendors, [store, otherStore].toSorted());
  assert.deepEqual((await readPromotion(aisle, chain, all)).vendors, ['*']);
});

test('a promotion for * includes vendors and products added later, but one for a list of vendors does not', async () => {
  await makeShops();
  await applyPromotion(aisle, chain, promotionBody({ vendors: ['*'], discount: [final(7, 'A')] }));
  await applyPromotion(
    aisle,
    chain,
    promotionBody({ vendors: [store, otherStore], discount: [final(6, 'B')], display_name: { en_AE: 'Listed' } }),
  );
  const later = await addStore();
  await addProducts(
    aisle,
    chain,
    [
      { sku: 'A', title: 'A', price: 12 },
      { sku: 'B', title: 'B', price: 12 },
    ],
    [later],
  );
  assert.equal(await priceOf(aisle, chain, 'A', later), 7);
  assert.equal(await priceOf(aisle, chain, 'B', later), undefined);
});

test('concurrent requests for the same new promotion create it once, with the entries of all requests', async () => {
  await makeShops();
  const another = await aisle.another();
  const bodies = ['A', 'B', 'C'].flatMap((sku, index) => [
    promotionBody({ discount: [percent(10 + index, sku)] }),
    promotionBody({ discount: [percent(20 + index, sku)] }),
  ]);
  const responses = await Promise.all(
    bodies.map((body, index) => putPromotion(index % 2 === 0 ? aisle : another, chain, body)),
  );
  const jobs = await Promise.all(
    responses.map(({ body, status, text }) => {
      assert.equal(status, 202, text);
      return waitForPromotionJob(aisle, chain, body.job_id);
    }),
  );
  await another.stop();
  for (const job of jobs) assert.equal(job.job_status, 'COMPLETED');
  assert.equal(new Set(jobs.map((job) => job.promotion_id)).size, 1);
  const { discount } = await readPromotion(aisle, chain, jobs[0].promotion_id);
  assert.deepEqual(
    discount.map((entry: { sku: string[] }) => entry.sku),
    [['A'], ['B'], ['C']],
  );
});

test('requests are applied in the order they were accepted', async () => {
  await makeShops();
  const body = promotionBody({ discount: [final(9, 'A')] });
  const ids: string[] = [];
  for (const value of [9, 8, 7, 6]) {
    ids.push((await putPromotion(aisle, chain, { ...body, discount: [final(value, 'A')] })).body.job_id);
  }
  ids.push((await putPromotion(aisle, chain, { ...body, active: false })).body.job_id);
  ids.push((await putPromotion(aisle, chain, { ...body, discount: [final(5, 'B')] })).body.job_id);
  for (const id of ids) assert.equal((await waitForPromotionJob(aisle, chain, id)).job_status, 'COMPLETED');
  assert.deepEqual([await priceOf(aisle, chain, 'A'), await priceOf(aisle, chain, 'B')], [6, 5]);
});

test('each partial update changes the prices of the SKUs it contains and no others', async () => {
  await makeShops();
  const expected = new Map<string, number>();
  const skus = ['A', 'B', 'C'];
  for (let round = 0; round < 12; round++) {
    const discount = skus
      .filter((_, index) => (round >> index) % 2 === 0)
      .map((sku, index) => ((round + index) % 3 === 0 ? { active: false, sku: [sku] } : final(1 + round / 4, sku)));
    if (discount.length === 0) continue;
    const body = promotionBody({ vendors: round % 2 === 0 ? [store, otherStore] : ['ext-2', 'ext-1'], discount });
    if (expected.size === 0 && discount.every((entry) => 'active' in entry)) continue;
    await applyPromotion(aisle, chain, { ...body, conditions: { start_time: '2026-01-01', end_time: '2036-01-01' } });
    for (const entry of discount) {
      const [sku = ''] = entry.sku;
      if ('active' in entry) expected.delete(sku);
      else expected.set(sku, Math.round(entry.discount_value * 100) / 100);
    }
    for (const sku of skus) {
      for (const vendor of [store, otherStore]) {
        assert.equal(await priceOf(aisle, chain, sku, vendor), expected.get(sku), `${round} ${sku}`);
      }
    }
  }
});
