import assert from 'node:assert/strict';
import test from 'node:test';
import { callerFor, makeChain, makeUser, type Response, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { changeVendor, itemOf, makeShop, placeOrder } from '../../support/orders.ts';
import { makePicker } from '../../support/picking.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();

/** A chain whose dairy products differ in title, price, stock and category. */
async function makeDairy() {
  const chain = await makeChain(aisle, { vendors: 2 });
  const category = (global_id: string) => ({
    global_id,
    parent_global_id: null,
    details: { name: { en_AE: global_id }, description: {} },
    active: true,
  });
  await aisle.call('PUT', `/platform/v1/chains/${chain.chainId}/categories`, {
    token: aisle.platformToken,
    body: { categories: ['milk', 'tea', 'deli'].map(category) },
  });
  const milk = { categories: ['milk'], quantity: 10 };
  await addProducts(aisle, chain, [
    { ...milk, sku: 'MILK', title: 'Meadow full fat milk 1 l', price: 6 },
    { ...milk, sku: 'MILK-NEAR', title: 'Meadow low fat milk 1 l', price: 6.25 },
    { ...milk, sku: 'MILK-DEAR', title: 'Meadow low fat milk 1 l', price: 12 },
    { ...milk, sku: 'MILK-OUT', title: 'Meadow full fat milk 1 l', price: 6, quantity: 0 },
    { ...milk, sku: 'MILK-OFF', title: 'Meadow full fat milk 1 l', price: 6, active: false },
    { ...milk, sku: 'CREAM', title: 'Double cream', price: 6 },
    { sku: 'MILK-DRY', title: 'Meadow full fat milk powder', price: 6, categories: ['tea'] },
    { sku: 'TEA', title: 'Black tea', price: 6, categories: ['tea'] },
    { sku: 'HAM', title: 'Smoked ham', price: 40, is_sold_by_weight: true, categories: ['deli'] },
    { sku: 'HAM-KG', title: 'Smoked turkey ham', price: 38, is_sold_by_weight: true, categories: ['deli'] },
    { sku: 'HAM-PACK', title: 'Smoked ham, sliced', price: 12, categories: ['deli'], barcode: '0036000291452' },
  ]);
  return { chain, picker: await makePicker(aisle, chain, 'Sara') };
}
const { chain, picker } = await makeDairy();

async function candidatesFor(order: Response['body'], sku: string): Promise<string[]> {
  const path = `/orders/${order.order_id}/items/${itemOf(order, sku)._id}/replacement-candidates`;
  const { status, body, text } = await picker.call('GET', path);
  assert.equal(status, 200, text);
  return body.candidates.map((one: { sku: string; reason: string }) => `${one.reason} ${one.sku}`);
}

test('the picking state says whether items sold by weight can replace each other at the store', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'HAM', weight: 1 }]);
  for (const weighted_replacement of [true, false]) {
    await changeVendor(aisle, chain, { settings: { weighted_replacement } });
    const { body } = await picker.call('GET', `/orders/${order.order_id}/picking`);
    assert.equal(body.weighted_replacement, weighted_replacement);
  }
});

test("candidates are the customer's suggestions, then the same category, then similar titles", async () => {
  const replacement = { preference: 'Ask me', suggestions: ['TEA', 'MILK-OUT', 'CREAM'].map((sku) => ({ sku })) };
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1, replacement }]);
  assert.deepEqual(await candidatesFor(order, 'MILK'), [
    'SUGGESTED TEA',
    'SUGGESTED CREAM',
    'SAME_CATEGORY MILK-NEAR',
    'SAME_CATEGORY MILK-DEAR',
    'SIMILAR MILK-DRY',
  ]);
});

test('products that are in the order, sold out or not sold are never candidates', async () => {
  const order = await placeOrder(aisle, chain, [
    { sku: 'MILK', quantity: 1 },
    { sku: 'MILK-NEAR', quantity: 1 },
  ]);
  assert.deepEqual(await candidatesFor(order, 'MILK'), [
    'SAME_CATEGORY CREAM',
    'SAME_CATEGORY MILK-DEAR',
    'SIMILAR MILK-DRY',
  ]);
});

test('an item sold by weight gets candidates sold by weight only if the store allows it', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'HAM', weight: 0.5 }]);
  assert.deepEqual(await candidatesFor(order, 'HAM'), ['SAME_CATEGORY HAM-PACK']);
  await changeVendor(aisle, chain, { settings: { weighted_replacement: true } });
  assert.deepEqual(await candidatesFor(order, 'HAM'), ['SAME_CATEGORY HAM-KG', 'SAME_CATEGORY HAM-PACK']);
});

test('there are at most 7 candidates, with the fields of the catalog', async () => {
  const own = await makeChain(aisle);
  const products = Array.from({ length: 12 }, (_, index) => ({ sku: `M${index}`, title: `Milk ${index}`, price: 5 }));
  await addProducts(aisle, own, products);
  const reader = await makePicker(aisle, own, 'Omar');
  const order = await placeOrder(aisle, own, [{ sku: 'M0', quantity: 1 }]);
  const path = `/orders/${order.order_id}/items/${order.items[0]._id}/replacement-candidates`;
  const { body } = await reader.call('GET', path);
  assert.equal(body.candidates.length, 7);
  const { reason, ...product } = body.candidates[0];
  const shown = await callerFor(aisle, own)('GET', `/vendors/${own.vendors[0]}/catalog?query_term=${product.sku}`);
  assert.deepEqual([reason, product], ['SIMILAR', shown.body.products[0]]);
});

test('an unknown item is not found', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const path = `/orders/${order.order_id}/items/none/replacement-candidates`;
  assertProblem(await picker.call('GET', path), 'order_item_not_found');
});

async function find(order: Response['body'], query: Record<string, string>) {
  const given = new URLSearchParams(query).toString();
  const { status, body, text } = await picker.call('GET', `/orders/${order.order_id}/picking/products?${given}`);
  assert.equal(status, 200, text);
  return { skus: body.products.map(({ sku }: { sku: string }) => sku), embedded: body.embedded };
}

test('products are found by SKU, by barcode in all its forms, and by words', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  assert.deepEqual(await find(order, { code: 'HAM' }), { skus: ['HAM'], embedded: null });
  for (const code of ['0036000291452', '036000291452', '00036000291452']) {
    assert.deepEqual(await find(order, { code }), { skus: ['HAM-PACK'], embedded: null });
  }
  assert.deepEqual(await find(order, { query: 'smoked' }), { skus: ['HAM', 'HAM-KG', 'HAM-PACK'], embedded: null });
  for (const code of ['003600029145', '00360002914520', '36000291452', "x' or 1=1", '%']) {
    assert.deepEqual(await find(order, { code }), { skus: [], embedded: null });
  }
});

test('a code and words cannot be combined, and without both the first products are returned', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const path = `/orders/${order.order_id}/picking/products`;
  assert.equal((await picker.call('GET', path)).body.products[0].sku, 'CREAM');
  assertInvalid(await picker.call('GET', `${path}?code=1&query=2`), 'query');
});

test("only products of the order's store are found", async () => {
  const own = await makeShop(aisle, { vendors: 2 });
  await addProducts(aisle, { ...own, vendors: own.vendors.slice(1) }, [{ sku: 'ONLY-2', title: 'Only', price: 1 }]);
  const reader = await makePicker(aisle, own, 'Omar');
  const order = await placeOrder(aisle, own, [{ sku: 'MILK', quantity: 1 }]);
  for (const query of ['code=ONLY-2', 'query=only']) {
    const { body } = await reader.call('GET', `/orders/${order.order_id}/picking/products?${query}`);
    assert.deepEqual(body.products, []);
  }
});

async function setBarcodes(of: TestChain, embedded_barcodes: unknown[]) {
  return callerFor(aisle, of)('PUT', '/picking/settings', { body: { embedded_barcodes } });
}
const weight = { prefix: '21', kind: 'WEIGHT', code_digits: 5, value_digits: 5, decimals: 3 };
const price = { prefix: '22', kind: 'PRICE', code_digits: 5, value_digits: 4, decimals: 2 };

test('a barcode from a scale finds the product and the weight or the price', async () => {
  await addProducts(aisle, chain, [
    { sku: '12345', title: 'By SKU', price: 20, is_sold_by_weight: true },
    { sku: 'FETA', title: 'By zero value', price: 30, is_sold_by_weight: true, barcode: '2100077000004' },
    { sku: 'BRIE', title: 'By item code', price: 30, is_sold_by_weight: true, barcode: '00088' },
    { sku: 'PLAIN', title: 'Ordinary code', price: 3, barcode: '2112345000008' },
  ]);
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  assert.deepEqual(await find(order, { code: '2112345008509' }), { skus: [], embedded: null });
  assert.equal((await setBarcodes(chain, [weight, price])).status, 200);
  const found = (kind: string, prefix: string, item_code: string, value: number) => ({
    kind,
    prefix,
    item_code,
    value,
  });
  assert.deepEqual(await find(order, { code: '2112345008509' }), {
    skus: ['12345', 'PLAIN'],
    embedded: found('WEIGHT', '21', '12345', 0.85),
  });
  assert.deepEqual(await find(order, { code: '2100077012505' }), {
    skus: ['FETA'],
    embedded: found('WEIGHT', '21', '00077', 1.25),
  });
  assert.deepEqual(await find(order, { code: '2200088712347' }), {
    skus: ['BRIE'],
    embedded: found('PRICE', '22', '00088', 12.34),
  });
  // A product that has exactly this barcode takes precedence.
  assert.deepEqual(await find(order, { code: '2112345000008' }), { skus: ['PLAIN'], embedded: null });
});

test('a barcode from a scale with a wrong check digit finds nothing', async () => {
  await setBarcodes(chain, [weight]);
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  assert.deepEqual(await find(order, { code: '2112345008508' }), { skus: [], embedded: null });
});

test('the picking settings are empty at first, and replaced as a whole', async () => {
  const own = await makeChain(aisle);
  const call = callerFor(aisle, own);
  assert.deepEqual((await call('GET', '/picking/settings')).body, { embedded_barcodes: [] });
  assert.deepEqual((await setBarcodes(own, [weight, price])).body, { embedded_barcodes: [weight, price] });
  assert.deepEqual((await setBarcodes(own, [price])).body, { embedded_barcodes: [price] });
  const { call: ask } = await makePicker(aisle, own, 'Sara');
  assert.deepEqual((await ask('GET', '/picking/settings')).body, { embedded_barcodes: [price] });
  assertProblem(await ask('PUT', '/picking/settings', { body: { embedded_barcodes: [] } }), 'forbidden');
  const limited = await makeUser(aisle, own.chainId, 'OWNER', { vendor_ids: own.vendors });
  const body = { embedded_barcodes: [] };
  assertProblem(await callerFor(aisle, own, limited.session)('PUT', '/picking/settings', { body }), 'forbidden');
});

test('layouts that do not fit into a barcode are rejected', async () => {
  const cases: [rules: unknown[], pointer: string][] = [
    [[{ ...weight, prefix: '30' }], '/embedded_barcodes/0/prefix'],
    [[weight, weight], '/embedded_barcodes/1/prefix'],
    [[{ ...weight, value_digits: 6 }], '/embedded_barcodes/0/value_digits'],
    [[{ ...weight, code_digits: 9 }], '/embedded_barcodes/0/code_digits'],
    [[{ ...weight, decimals: 4 }], '/embedded_barcodes/0/decimals'],
    [[{ ...weight, unit: 'g' }], '/embedded_barcodes/0/unit'],
  ];
  for (const [rules, pointer] of cases) assertInvalid(await setBarcodes(chain, rules), pointer);
});
