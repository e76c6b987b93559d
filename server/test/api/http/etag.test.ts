import assert from 'node:assert/strict';
import test from 'node:test';
import { makeToken, type Response, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, putProducts, runUpdate } from '../../support/catalog.ts';
import { allPicked, makeShop, placeOrder, putOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { applyPromotion, percent, promotionBody } from '../../support/promotions.ts';

// Signed links change every minute, so a job's ETag would change too.
const aisle = await useOwnAisle({ AISLE_SIGNED_DOWNLOADS: 'off' });
const chain = await makeShop(aisle);

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return aisle.call('GET', path, { token: chain.token, headers });
}

/** Reads the resource, then reads it again with the ETag from the first response. */
async function readTwice(path: string): Promise<{ tag: string; again: Response }> {
  const first = await get(path);
  assert.equal(first.status, 200, first.text);
  const tag = String(first.headers['etag']);
  return { tag, again: await get(path, { 'if-none-match': tag }) };
}

function assertNotModified(response: Response, tag: string): void {
  assert.deepEqual([response.status, response.text], [304, '']);
  assert.equal(response.headers['etag'], tag);
  assert.equal(response.headers['cache-control'], 'private, no-cache');
  assert.equal(response.headers['vary'], 'accept-encoding');
  assert.equal(response.headers['content-type'], undefined);
  assert.ok(response.headers['x-request-id']);
}

function touchJob(jobId: string): Promise<unknown> {
  return aisle.db.query(`update jobs set updated_at = now() + interval '1 second' where job_id = $1`, [jobId]);
}

const resources: Record<string, () => Promise<{ path: string; change: () => Promise<unknown> }>> = {
  'an order': async () => {
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
    const fulfilment = { status: 'READY_FOR_PICKUP', items: allPicked(order) };
    return {
      path: `${chain.base}/orders/${order.order_id}`,
      change: () => putOrder(aisle, chain, order.order_id, fulfilment),
    };
  },
  'a job': async () => {
    const { job_id } = await runUpdate(aisle, chain, [{ sku: 'MILK', quantity: 900 }]);
    return {
      path: `${chain.base}/catalog/jobs/${job_id}`,
      change: () => touchJob(job_id),
    };
  },
  'a page of products': async () => ({
    path: `${catalogPath(chain)}?page_size=5`,
    change: () => putProducts(aisle, chain, [{ sku: 'MILK', quantity: 901 }]),
  }),
  'a promotion': async () => {
    const body = promotionBody({ discount: [percent(20, 'MILK')] });
    const { promotion_id } = await applyPromotion(aisle, chain, body);
    return {
      path: `${chain.base}/promotions/${promotion_id}`,
      change: () => applyPromotion(aisle, chain, { ...body, discount: [percent(30, 'MILK')] }),
    };
  },
  'a promotion job': async () => {
    const { job_id } = await applyPromotion(aisle, chain, promotionBody({ discount: [percent(20, 'MILK')] }));
    return {
      path: `${chain.base}/promotion/jobs/${job_id}`,
      change: () => touchJob(job_id),
    };
  },
};

for (const [name, prepare] of Object.entries(resources)) {
  test(`${name} returns 304 while it is unchanged, and 200 with a new ETag after a change`, async () => {
    const { path, change } = await prepare();
    const { tag, again } = await readTwice(path);
    assert.match(tag, name === 'an order' ? /^"\d+"$/ : /^W\/"[0-9a-f]{32}"$/);
    assertNotModified(again, tag);
    assertNotModified(await get(path, { 'if-none-match': `"other", ${tag}` }), tag);
    assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
    await change();
    const changed = await get(path, { 'if-none-match': tag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers['etag'], tag);
  });
}

test('If-None-Match: * returns 304 if the resource exists', async () => {
  const { order_id } = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  assertNotModified(await get(`${chain.base}/orders/${order_id}`, { 'if-none-match': '*' }), '"1"');
  const unknown = await get(`${chain.base}/orders/0191f3a4-6c1e-7b7e-9a3d-77aa0a4e8b10`, { 'if-none-match': '*' });
  assertProblem(unknown, 'order_not_found');
});

test('access is checked before a 304 is returned', async () => {
  const { order_id } = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const path = `${chain.base}/orders/${order_id}`;
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  const headers = { 'if-none-match': '"1"' };
  assertProblem(await aisle.call('GET', path, { headers }), 'invalid_token');
  assertProblem(await aisle.call('GET', path, { token: reader, headers }), 'forbidden');
});

test('different pages and filters have different ETags', async () => {
  const tags = new Set<unknown>();
  const paths = ['page_size=2', 'page_size=2&page=2', 'page_size=3', 'query_term=milk'];
  for (const query of paths) tags.add((await get(`${catalogPath(chain)}?${query}`)).headers['etag']);
  assert.equal(tags.size, paths.length);
});

test('the ETag of a compressed order includes its encoding, and works in If-None-Match and If-Match', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const path = `${chain.base}/orders/${order.order_id}`;
  const compressed = await aisle.aisle.http.inject({
    method: 'GET',
    url: path,
    headers: { authorization: `Bearer ${chain.token}`, 'accept-encoding': 'gzip' },
  });
  assert.deepEqual([compressed.headers['content-encoding'], compressed.headers['etag']], ['gzip', '"1-gzip"']);
  assertNotModified(await get(path, { 'if-none-match': '"1-gzip"' }), '"1-gzip"');
  const body = { status: 'READY_FOR_PICKUP', items: allPicked(order) };
  const put = (tag: string) => putOrder(aisle, chain, order.order_id, body, { 'if-match': tag });
  assertProblem(await put('"2-gzip"'), 'precondition_failed');
  const fulfilled = await put('"1-gzip"');
  assert.deepEqual([fulfilled.status, fulfilled.headers['etag']], [200, '"2"'], fulfilled.text);
});

test('a page sent in slices has an ETag computed from its text, and a page of more than 4 MiB has none', async () => {
  const large = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => ({
      sku: `${prefix}-${index}`,
      title: `${prefix} ${index}`,
      price: 1,
      description: 'x'.repeat(9000),
    }));
  await addProducts(aisle, chain, large(50, 'LONG'));
  const path = `${catalogPath(chain)}?query_term=LONG-&page_size=500`;
  const { tag, again } = await readTwice(path);
  assertNotModified(again, tag);
  await addProducts(aisle, chain, large(450, 'LONG-MORE'));
  const huge = await get(path);
  assert.ok(huge.text.length > 4 * 1024 * 1024, String(huge.text.length));
  assert.deepEqual([huge.status, huge.headers['etag'], huge.body.products.length], [200, undefined, 500]);
});

test('If-None-Match is ignored for a resource without an ETag', async () => {
  const { status, headers } = await get(`${chain.base}/settings`, { 'if-none-match': '*' });
  assert.deepEqual([status, headers['etag']], [200, undefined]);
});
