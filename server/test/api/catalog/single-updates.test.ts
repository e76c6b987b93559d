import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { makeChain, type Response, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, readProduct } from '../../support/catalog.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
let chain: TestChain;

before(async () => {
  chain = await makeChain(aisle, { vendors: 2 });
  await addProducts(aisle, chain, plainProducts(60));
});

function put(sku: string, fields: Record<string, unknown>, vendor = chain.vendors[0]): Promise<Response> {
  const body = { products: [{ sku, ...fields }] };
  return aisle.call('PUT', `${chain.base}/vendors/${vendor}/catalog`, { token: chain.token, body });
}

const skuOf = (index: number) => `SKU-${String(index + 1).padStart(5, '0')}`;

test('concurrent updates each return their own product, and one for an unknown product does not affect the others', async () => {
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      put(index % 10 === 5 ? `NONE-${index}` : skuOf(index), { price: 5 + index }),
    ),
  );
  for (const [index, response] of responses.entries()) {
    if (index % 10 === 5) {
      assertProblem(response, 'product_not_found');
      continue;
    }
    assert.equal(response.status, 200, response.text);
    assert.deepEqual([response.body.sku, response.body.price], [skuOf(index), 5 + index]);
  }
  assert.equal((await readProduct(aisle, chain, skuOf(6))).price, 11);
});

test('concurrent updates of one product are applied in turn: none is lost, and each response shows its own value', async () => {
  const sku = skuOf(1);
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => put(sku, index % 2 === 0 ? { price: 100 + index } : { quantity: index })),
  );
  for (const [index, { body }] of responses.entries()) {
    assert.equal(index % 2 === 0 ? body.price : body.quantity, index % 2 === 0 ? 100 + index : index);
  }
  const history = await aisle.db.query<{ new_price: string; new_quantity: number }>(
    'select new_price, new_quantity from offer_history where chain_id = $1 and vendor_id = $2 and sku = $3 order by change_no',
    [chain.chainId, chain.vendors[0], sku],
  );
  const changed = history.slice(-40);
  assert.deepEqual(
    new Set(changed.map((row) => Number(row.new_price)).filter((price) => price >= 100)).size,
    20,
    'every price was stored once',
  );
  const last = await readProduct(aisle, chain, sku);
  assert.deepEqual([last.price, last.quantity], [Number(changed.at(-1)?.new_price), changed.at(-1)?.new_quantity]);
});

test('a product that another transaction has locked does not delay updates of other products', async () => {
  const locked = skuOf(2);
  let isFinished = false;
  const { waiting } = await aisle.db.transaction(async (tx) => {
    await tx.query('select 1 from offers where chain_id = $1 and sku = $2 for update', [chain.chainId, locked]);
    const blocked = put(locked, { price: 77 }).finally(() => void (isFinished = true));
    const others = await Promise.all([3, 4, 5].map((index) => put(skuOf(index), { price: 78 })));
    for (const { status, text } of others) assert.equal(status, 200, text);
    assert.equal(isFinished, false);
    return { waiting: blocked };
  });
  assert.equal((await waiting).body.price, 77);
});

test('each update in a batch is recorded with the name of its own credential, and for its own store', async () => {
  const names = ['first', 'second'];
  const tokens = await Promise.all(
    names.map(async (name) => {
      const { body } = await aisle.call('POST', `${chain.base}/tokens`, {
        token: chain.token,
        body: { name, scopes: ['catalog:write', 'catalog:read'] },
      });
      return String(body.token);
    }),
  );
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      aisle.call('PUT', `${chain.base}/vendors/${chain.vendors[Math.floor(index / 10)]}/catalog`, {
        token: String(tokens[index % 2]),
        body: { products: [{ sku: skuOf(20 + (index % 10)), price: 300 + index }] },
      }),
    ),
  );
  const rows = await aisle.db.query<{ vendor_id: string; sku: string; changed_by: string; new_price: string }>(
    'select vendor_id, sku, changed_by, new_price from offer_history where chain_id = $1 and new_price >= 300',
    [chain.chainId],
  );
  assert.equal(rows.length, 20);
  for (const row of rows) {
    const index = Number(row.new_price) - 300;
    const expected = [chain.vendors[Math.floor(index / 10)], skuOf(20 + (index % 10)), names[index % 2]];
    assert.deepEqual([row.vendor_id, row.sku, row.changed_by], expected);
  }
});
