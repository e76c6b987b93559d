import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { scopes } from '@aisle/contract/route';
import { makeChain, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import {
  applyPromotion,
  final,
  fromNow,
  percent,
  promotionBody,
  putPromotion,
  waitForPromotionJob,
} from '../../support/promotions.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle);
  [store, otherStore] = chain.vendors as [string, string];
  await addProducts(aisle, chain, [
    { sku: 'A', title: 'A', price: 10 },
    { sku: 'B', title: 'B', price: 10 },
  ]);
});

const get = (path: string, token = chain.token) => aisle.call('GET', `${chain.base}${path}`, { token });
const limited = (...vendor_ids: string[]) => makeToken(aisle, chain.chainId, { scopes: [...scopes], vendor_ids });
const namesOf = (body: { promotions: { display_name: { en_AE: string } }[] }) =>
  body.promotions.map((one) => one.display_name.en_AE);

test('an invalid request is rejected with a list of all errors and their fields, and creates no job', async () => {
  const valid = promotionBody();
  const before = (await aisle.db.query('select 1 from jobs')).length;
  const bad: [body: unknown, ...pointers: string[]][] = [
    [{}, '/vendors', '/type', '/display_name', '/conditions', '/discount'],
    [{ ...valid, vendors: [] }, '/vendors'],
    [{ ...valid, display_name: 'Week' }, '/display_name'],
    [{ ...valid, conditions: { start_time: fromNow(60), end_time: fromNow(60) } }, '/conditions/end_time'],
    [{ ...valid, conditions: { start_time: fromNow(-60), end_time: fromNow(-1) } }, '/conditions/end_time'],
    [{ ...valid, type: 'GIFT', discount: [percent(0, 'A')] }, '/type', '/discount/0/discount_value'],
    [{ ...valid, type: 'SAME_ITEM_BUNDLE' }, '/conditions/purchased_quantity', '/conditions/discounted_quantity'],
    [{ ...valid, discount: [{ ...percent(5, 'A'), discount_subtype: 'HALF' }] }, '/discount/0/discount_subtype'],
    [{ ...valid, discount: [] }, '/discount'],
    [{ ...valid, discount: undefined }, '/discount'],
    [{ ...valid, discount: [percent(5, 'A'), final(5, 'B', 'A')] }, '/discount/1/sku/1'],
    [{ ...valid, limits: { max_items_per_order: 0 } }, '/limits/max_items_per_order'],
    [[], ''],
  ];
  for (const [body, ...pointers] of bad) assertInvalid(await putPromotion(aisle, chain, body), ...pointers);
  assert.equal((await aisle.db.query('select 1 from jobs')).length, before);
});

test('a large invalid request is rejected the same way', async () => {
  const sku = Array.from({ length: 20_000 }, (_, index) => `SKU-${index}`);
  const body = promotionBody({ discount: [percent(5, ...sku), percent(6, 'SKU-77')] });
  assertInvalid(await putPromotion(aisle, chain, body), '/discount/1/sku/0');
});

test('a request with too many SKU × vendor pairs is rejected', async () => {
  const small = await aisle.another({ AISLE_MAX_PROMOTION_PAIRS: '3' });
  const body = promotionBody({ discount: [percent(5, 'A', 'B')] });
  assertInvalid(await putPromotion(small, chain, body), '/discount');
  assertInvalid(await putPromotion(small, chain, { ...body, vendors: chain.vendors }), '/discount');
  assert.equal((await putPromotion(small, chain, { ...body, vendors: [store] })).status, 202);
  assert.equal((await small.call('GET', '/v2/limits')).body.promotion_pairs_per_request, 3);
  await small.stop();
});

test('a token restricted to a store can create promotions only for that store, not for others or for *', async () => {
  const token = await limited(store);
  for (const vendors of ['*', ['*'], [otherStore], [store, otherStore], [store, 'unknown']]) {
    assertProblem(await putPromotion(aisle, chain, promotionBody({ vendors }), token), 'forbidden');
  }
  for (const vendors of [[store], ['ext-1']]) {
    const response = await putPromotion(aisle, chain, promotionBody({ vendors }), token);
    assert.equal(response.status, 202, response.text);
  }
});

test('a restricted token sees only its own stores’ promotions and jobs', async () => {
  const own = await makeChain(aisle);
  const [mine = '', theirs = ''] = own.vendors;
  await addProducts(aisle, own, [{ sku: 'A', title: 'A', price: 10 }]);
  const named = (name: string, vendors: string[]) => promotionBody({ display_name: { en_AE: name }, vendors });
  const jobs = {
    mine: await applyPromotion(aisle, own, named('Mine', [mine])),
    theirs: await applyPromotion(aisle, own, named('Theirs', [theirs])),
    both: await applyPromotion(aisle, own, named('Both', [mine, theirs])),
    all: await applyPromotion(aisle, own, named('All', ['*'])),
  };
  const token = await makeToken(aisle, own.chainId, { scopes: [...scopes], vendor_ids: [mine] });
  const read = (path: string) => aisle.call('GET', `${own.base}${path}`, { token });
  const { body } = await read('/promotions');
  assert.deepEqual([namesOf(body), body.total_items], [['Mine'], 1]);
  assert.equal((await read(`/promotions/${jobs.mine.promotion_id}`)).status, 200);
  assert.equal((await read(`/promotion/jobs/${jobs.mine.job_id}`)).status, 200);
  for (const job of [jobs.theirs, jobs.both, jobs.all]) {
    assertProblem(await read(`/promotions/${job.promotion_id}`), 'promotion_not_found');
    assertProblem(await read(`/promotion/jobs/${job.job_id}`), 'job_not_found');
    assertProblem(await read(`/promotion/jobs/${job.job_id}/download`), 'job_not_found');
  }
  assertProblem(await read(`/promotions?vendor_id=${theirs}`), 'forbidden');
});

test("another chain's promotions and jobs return 404", async () => {
  const job = await applyPromotion(aisle, chain, promotionBody());
  const stranger = await makeChain(aisle);
  const read = (path: string) => aisle.call('GET', `${stranger.base}${path}`, { token: stranger.token });
  assertProblem(await read(`/promotions/${job.promotion_id}`), 'promotion_not_found');
  assertProblem(await read(`/promotion/jobs/${job.job_id}`), 'job_not_found');
  assert.equal((await read('/promotions')).body.total_items, 0);
});

test("another chain's vendors are rejected as invalid", async () => {
  const stranger = await makeChain(aisle);
  const vendors = [store, ...stranger.vendors];
  const job = await applyPromotion(aisle, chain, promotionBody({ vendors }));
  assert.deepEqual(job.result.invalid_vendors.toSorted(), stranger.vendors.toSorted());
});

test("promotions are listed in pages, newest first, filtered by state and by either of a store's ids", async () => {
  const own = await makeChain(aisle);
  const [one = '', two = ''] = own.vendors;
  await addProducts(aisle, own, [{ sku: 'A', title: 'A', price: 10 }]);
  const upcoming = { start_time: fromNow(60), end_time: fromNow(120) };
  const send = (name: string, more: Record<string, unknown>) =>
    applyPromotion(aisle, own, promotionBody({ display_name: { en_AE: name }, ...more }));
  await send('One', { vendors: [one] });
  await send('Two', { vendors: [two], conditions: upcoming });
  await send('All', { vendors: '*' });
  const list = async (query: string) =>
    (await aisle.call('GET', `${own.base}/promotions?${query}`, { token: own.token })).body;
  assert.deepEqual(namesOf(await list('')), ['All', 'Two', 'One']);
  assert.deepEqual(namesOf(await list(`vendor_id=${one}`)), ['All', 'One']);
  assert.deepEqual(namesOf(await list('vendor_id=ext-2')), ['All', 'Two']);
  assert.deepEqual(namesOf(await list('state=UPCOMING')), ['Two']);
  assert.deepEqual(namesOf(await list(`state=RUNNING&vendor_id=ext-1`)), ['All', 'One']);
  assert.deepEqual(namesOf(await list('state=ENDED')), []);
  const { promotions, ...page } = await list('page=2&page_size=2');
  assert.deepEqual(page, { page_number: 2, page_size: 2, total_pages: 2, total_items: 3 });
  assert.equal(promotions.length, 1);
  const read = (query: string) => aisle.call('GET', `${own.base}/promotions?${query}`, { token: own.token });
  assertProblem(await read('vendor_id=unknown'), 'vendor_not_found');
  assertInvalid(await read('state=PAUSED'), 'state');
});

test('promotion jobs are separate from catalog jobs and record no event', async () => {
  const job = await applyPromotion(aisle, chain, promotionBody());
  const { body } = await get('/catalog/jobs?page_size=500');
  assert.ok(body.jobs.every((one: { job_id: string }) => one.job_id !== job.job_id));
  assertProblem(await get(`/catalog/jobs/${job.job_id}`), 'job_not_found');
  assertProblem(await get(`/catalog/jobs/${job.job_id}/download`), 'job_not_found');
  const { body: exported } = await aisle.call('POST', `${chain.base}/vendors/${store}/catalog/export`, {
    token: chain.token,
  });
  assertProblem(await get(`/promotion/jobs/${exported.job_id}`), 'job_not_found');
  const events = await aisle.db.query("select 1 from events where body ->> 'job_id' = $1", [job.job_id]);
  assert.deepEqual(events, []);
});

test('a request repeated with the same idempotency key creates only one job, even with a large body', async () => {
  const sku = Array.from({ length: 20_000 }, (_, index) => `SKU-${index}`);
  for (const [key, body] of [
    ['small', promotionBody()],
    ['large', promotionBody({ discount: [percent(5, 'A', ...sku)] })],
  ] as const) {
    const send = () =>
      aisle.call('PUT', `${chain.base}/promotion`, {
        token: chain.token,
        body,
        headers: { 'idempotency-key': key },
      });
    const [first, second] = [await send(), await send()];
    assert.equal(first.status, 202, first.text);
    assert.deepEqual(second.body, first.body);
    await waitForPromotionJob(aisle, chain, first.body.job_id);
  }
  assert.equal((await aisle.db.query('select 1 from queue_dead')).length, 0);
});
