import assert from 'node:assert/strict';
import test from 'node:test';
import { maxOrderBytes, maxOrderName } from '@aisle/contract/sizes';
import { useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { added, makeShop, newOrder, placeOrder, putOrder, sentItem } from '../../support/orders.ts';
import { assertInvalid } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle);
/** Each has a title with 10,000 characters in ten locales. */
const skus = Array.from({ length: 20 }, (_, index) => `LONG-${index}`);
const title = '🥛x'.repeat(3333);
const locales = ['en_AE', ...Array.from('abcdefghi', (letter) => `${letter}r_AE`)];
await addProducts(
  aisle,
  chain,
  skus.map((sku) => ({ sku, title: Object.fromEntries(locales.map((locale) => [locale, title])), price: 1 })),
);
await addProducts(aisle, chain, [{ sku: 'OTHER', title: { fr_FR: 'Lait', en_GB: 'Milk' }, price: 1 }]);
const name = `${'🥛x'.repeat(100).slice(0, -1)}…`;

test('long titles are cut in an order and its events, so that a small request does not make a huge order', async () => {
  const suggestions = [...skus, 'OTHER'].slice(1, 21).map((sku) => ({ sku }));
  const order = await placeOrder(aisle, chain, [
    { sku: 'LONG-0', quantity: 1, replacement: { preference: 'ASK', suggestions } },
    { sku: 'MILK', quantity: 1 },
  ]);
  assert.equal([...name].length, maxOrderName);
  assert.equal(order.items[0].name, name);
  assert.deepEqual(order.items[0].replacement.suggestions[0], { sku: 'LONG-1', name });
  // As the name of an item: in the store's language, if the product has a title in it.
  assert.deepEqual(order.items[0].replacement.suggestions.at(-1), { sku: 'OTHER', name: 'Milk' });
  const items = [
    ...order.items.map(({ sku }: { sku: string }) => sentItem(order, sku)),
    added('LONG-2', { quantity: 1 }),
  ];
  const fulfilled = await putOrder(aisle, chain, order.order_id, { status: 'READY_FOR_PICKUP', items });
  assert.equal(fulfilled.status, 200, fulfilled.text);
  assert.equal(fulfilled.body.items[2].name, name);
});

test('an order whose texts are too long together is rejected', async () => {
  const suggestions = skus.map((sku) => ({ sku }));
  const count = Math.ceil(maxOrderBytes / (skus.length * Buffer.byteLength(name))) + 1;
  const many = Array.from({ length: count }, (_, index) => `M-${index}`);
  await addProducts(
    aisle,
    chain,
    many.map((sku) => ({ sku, title: sku, price: 1 })),
  );
  const items = many.map((sku) => ({ sku, quantity: 1, replacement: { preference: 'ASK', suggestions } }));
  const body = newOrder(chain, items);
  const response = await aisle.call('POST', '/platform/v1/orders', { token: aisle.platformToken, body });
  assertInvalid(response, '/items');
  assert.match(response.body.errors[0].message, /at most 512 KiB together/);
  await placeOrder(aisle, chain, items.slice(0, 30));
});

test('texts are counted as they are sent, so that an order of control characters is not six times as large', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `C-${index}`);
  await addProducts(
    aisle,
    chain,
    many.map((sku) => ({ sku, title: sku, price: 1 })),
  );
  const items = (count: number) =>
    many.slice(0, count).map((sku) => ({ sku, quantity: 1, instructions: '\u0001'.repeat(320) }));
  const body = newOrder(chain, items(500));
  const response = await aisle.call('POST', '/platform/v1/orders', { token: aisle.platformToken, body });
  assertInvalid(response, '/items');
  await placeOrder(aisle, chain, items(150));
});
