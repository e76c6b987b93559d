import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, makeToken, type Response, useAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle, { vendors: 3 });
const [first, second, third] = chain.vendors as [string, string, string];
const start = async (path: string, body?: object): Promise<string> => {
  const response = await aisle.call('POST', `${chain.base}${path}`, { token: chain.token, ...(body && { body }) });
  assert.equal(response.status, 202, response.text);
  return response.body.job_id;
};
const products = [{ sku: 'A', title: 'A', price: 1 }];
const ofFirst = await start(`/vendors/${first}/catalog/export`);
const ofSecond = await start(`/vendors/${second}/catalog/export`);
const ofBoth = await start('/catalog', { vendors: [first, second], products });

function list(query: string, token = chain.token): Promise<Response> {
  return aisle.call('GET', `${chain.base}/catalog/jobs?${query}`, { token });
}

test('the vendor_id filter selects the jobs that affect that store', async () => {
  const cases: [id: string, jobs: string[]][] = [
    [first, [ofBoth, ofFirst]],
    ['ext-1', [ofBoth, ofFirst]],
    [second, [ofBoth, ofSecond]],
    [third, []],
  ];
  for (const [id, jobs] of cases) {
    const { body, headers } = await list(`vendor_id=${id}`);
    assert.deepEqual(
      body.jobs.map((job: { job_id: string }) => job.job_id),
      jobs,
    );
    assert.equal(body.total_items, jobs.length);
    assert.equal(headers['aisle-ignored-parameters'], undefined);
  }
  assert.equal((await list(`vendor_id=${first}&type=CATALOG_EXPORT`)).body.total_items, 1);
  assert.equal((await list('vendor_id=')).body.total_items, 3);
});

test('filtering jobs returns 404 for an unknown store and 403 for a store that the token cannot access', async () => {
  assertProblem(await list('vendor_id=unknown'), 'vendor_not_found');
  const token = await makeToken(aisle, chain.chainId, { vendor_ids: [first] });
  assert.equal((await list(`vendor_id=${first}`, token)).body.total_items, 1, 'the job for both stores is not visible');
  assertProblem(await list(`vendor_id=${second}`, token), 'forbidden');
});
