import assert from 'node:assert/strict';
import type { Db } from '../../src/kernel/database/db.ts';
import { listRunning, type PromotionTerms, runningTerms, type SkuPrice } from '../../src/promotions/index.ts';
import type { Response, TestAisle, TestChain } from './aisle.ts';
import { waitFor } from './wait.ts';

type Caller = Pick<TestAisle, 'call'>;

/** Returns the request body for a promotion, by default for one that is running now with 20 percent off SKU A. */
export function promotionBody<More extends Record<string, unknown>>(more = {} as More) {
  return {
    vendors: ['*'],
    type: 'STRIKETHROUGH',
    active: true,
    reason: 'COMPETITIVENESS',
    display_name: { en_AE: 'Week' },
    conditions: { start_time: fromNow(-3600), end_time: fromNow(3600) },
    discount: [percent(20, 'A')],
    ...more,
  };
}

/** Returns the time this many seconds from now, rounded down to a full second. */
export function fromNow(seconds: number): string {
  return new Date(Math.floor(Date.now() / 1000 + seconds) * 1000).toISOString();
}

export function percent(value: number, ...sku: string[]) {
  return { discount_subtype: 'PERCENTAGE', discount_value: value, sku };
}

export function final(value: number, ...sku: string[]) {
  return { discount_subtype: 'FINAL_PRICE', discount_value: value, sku };
}

export function without(...sku: string[]) {
  return { active: false, sku };
}

export function putPromotion(aisle: Caller, chain: TestChain, body: unknown, token = chain.token): Promise<Response> {
  return aisle.call('PUT', `${chain.base}/promotion`, { token, body });
}

/** Sends the promotion and returns its finished job. */
export async function runPromotion(aisle: Caller, chain: TestChain, body: unknown): Promise<Response['body']> {
  const response = await putPromotion(aisle, chain, body);
  assert.equal(response.status, 202, response.text);
  assert.deepEqual(response.body, { job_id: response.body.job_id, job_status: 'QUEUED' });
  return waitForPromotionJob(aisle, chain, response.body.job_id);
}

/** Sends the promotion and returns its job, which must succeed. */
export async function applyPromotion(aisle: Caller, chain: TestChain, body: unknown): Promise<Response['body']> {
  const job = await runPromotion(aisle, chain, body);
  assert.equal(job.job_status, 'COMPLETED', JSON.stringify(job));
  return job;
}

export async function waitForPromotionJob(
  aisle: Caller,
  chain: TestChain,
  jobId: string,
  seconds = 60,
): Promise<Response['body']> {
  let job: Response['body'];
  await waitFor(
    `job ${jobId} to finish`,
    async () => {
      const response = await aisle.call('GET', `${chain.base}/promotion/jobs/${jobId}`, { token: chain.token });
      assert.equal(response.status, 200, response.text);
      job = response.body;
      return job.job_status !== 'QUEUED';
    },
    seconds,
  );
  return job;
}

/** Reads the price and promotion shown for a SKU in the catalog. */
export async function readShown(aisle: Caller, chain: TestChain, sku: string, vendor = chain.vendors[0]) {
  const path = `${chain.base}/vendors/${vendor}/catalog?page_size=500&query_term=${encodeURIComponent(sku)}`;
  const { status, text, body } = await aisle.call('GET', path, { token: chain.token });
  assert.equal(status, 200, text);
  const product = body.products.find((one: { sku: string }) => one.sku === sku);
  assert.ok(product, `the vendor does not have ${sku}`);
  const { price, promotional_price, promotion } = product;
  return { price, promotional_price, promotion };
}

/** Returns the promotional price of a SKU, or undefined if it has none. */
export async function priceOf(aisle: Caller, chain: TestChain, sku: string, vendor?: string): Promise<number> {
  return (await readShown(aisle, chain, sku, vendor)).promotional_price;
}

export async function readPromotion(aisle: Caller, chain: TestChain, id: string): Promise<Response['body']> {
  const response = await aisle.call('GET', `${chain.base}/promotions/${id}?page_size=500`, { token: chain.token });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** The terms that an order placed now would get. */
export async function findTerms(
  db: Db,
  chainId: string,
  vendor: { vendor_id: string; locale: string },
  prices: SkuPrice[],
  now: Date,
): Promise<Map<string, PromotionTerms>> {
  const skus = prices.map(({ sku }) => sku);
  return runningTerms(await listRunning(db, chainId, vendor.vendor_id, skus, now), prices, vendor.locale);
}
