import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, plainProducts, putProducts } from '../../support/catalog.ts';
import { promotionBody } from '../../support/promotions.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(2));

const update = [{ sku: 'SKU-00001', price: 2 }];
const product = { sku: 'NEW', title: 'New', price: 1 };
const requests = {
  'a bulk update request': ['PUT', catalogPath(chain), { products: [...update, { sku: 'SKU-00002', price: 2 }] }],
  'an export request': ['POST', `${catalogPath(chain)}/export`, undefined],
  'a product creation request for one store': ['POST', catalogPath(chain), { products: [product] }],
  'a product creation request for all stores': [
    'POST',
    `${chain.base}/catalog`,
    { vendors: ['*'], products: [product] },
  ],
  'a promotion request': ['PUT', `${chain.base}/promotion`, promotionBody()],
} as const;

for (const [name, [method, path, body]] of Object.entries(requests)) {
  test(`the 202 response to ${name} has the job's URL in Location`, async () => {
    const accepted = await aisle.call(method, path, { token: chain.token, body });
    assert.equal(accepted.status, 202, accepted.text);
    assert.equal(accepted.headers['preference-applied'], undefined);
    const location = new URL(String(accepted.headers['location']));
    assert.equal(location.origin, 'http://aisle.test');
    const job = await aisle.call('GET', location.pathname, { token: chain.token });
    assert.deepEqual([job.status, job.body.job_id], [200, accepted.body.job_id]);
  });
}

test('Preference-Applied confirms respond-async only if it was requested and a job was created', async () => {
  const send = (prefer: string, items: unknown[]) => putProducts(aisle, chain, items, { headers: { prefer } });
  for (const prefer of ['respond-async', 'wait=10, Respond-Async; foo=bar']) {
    const { status, headers } = await send(prefer, update);
    assert.deepEqual([status, headers['preference-applied']], [202, 'respond-async']);
  }
  const immediate = await send('return=minimal', update);
  assert.deepEqual(
    [immediate.status, immediate.headers['preference-applied'], immediate.headers['location']],
    [200, undefined, undefined],
  );
});

test('Location starts with the public URL, including its path', async () => {
  const behindProxy = await aisle.another({ AISLE_PUBLIC_URL: 'https://shop.example/aisle/' });
  try {
    const { headers, body } = await behindProxy.call('POST', `${catalogPath(chain)}/export`, { token: chain.token });
    assert.equal(headers['location'], `https://shop.example/aisle${chain.base}/catalog/jobs/${body.job_id}`);
  } finally {
    await behindProxy.stop();
  }
});
