import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Response } from '../../support/aisle.ts';
import { readProduct } from '../../support/catalog.ts';
import {
  added,
  assertCartRejected,
  assertSums,
  assertUnchanged,
  fulfil,
  fulfilled,
  itemOf,
  sentItem,
  notFound,
  readEvents,
  snapshot,
  validate,
} from '../../support/orders.ts';
import { startShop } from '../../support/shop.ts';

const { aisle, chain, place: placeItems, assertRejected: assertItemsRejected } = await startShop();

const place = () => placeItems([{ sku: 'MILK', quantity: 2 }]);
const milkAnd = (order: Response['body'], ...items: unknown[]) => [sentItem(order, 'MILK'), ...items];
const assertRejected = (order: Response['body'], item: unknown, ...reasons: string[]) =>
  assertItemsRejected(order, milkAnd(order, item), ...reasons);
const additions = (order: Response['body']) =>
  order.items.filter((item: Response['body']) => item.status === 'ADDITION');

test('addition rule 1: several items can be added in one request', async () => {
  const order = await place();
  const items = milkAnd(
    order,
    added('TEA', { quantity: 2 }),
    added('BREAD', { quantity: 1 }),
    added('HAM', { weight: 0.5 }),
  );
  const now = await fulfilled(aisle, chain, order, items);
  assert.deepEqual(
    additions(now).map((item: Response['body']) => [item.sku, item.pricing.total_price]),
    [
      ['TEA', 7.98],
      ['BREAD', 4],
      ['HAM', 5],
    ],
  );
  assert.equal(now.payment.sub_total, 5 + 7.98 + 4 + 5);
  assertSums(now);
  assert.deepEqual((await readEvents(aisle, order.order_id)).at(-1)?.body, snapshot(now));
});

describe('addition rule 2: existing items', () => {
  test('an item that is already in the order is added as a separate entry', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, milkAnd(order, added('MILK', { quantity: 1 })));
    const [ordered, extra] = now.items;
    assert.deepEqual([ordered.sku, ordered.status, ordered.pricing.quantity], ['MILK', 'IN_CART', 2]);
    assert.deepEqual([extra.sku, extra.status, extra.pricing.quantity], ['MILK', 'ADDITION', 1]);
    assert.notEqual(extra._id, ordered._id);
  });

  test('adding the same SKU twice creates two entries, each with its own _id', async () => {
    const order = await place();
    const tea = { ...added('TEA', { quantity: 1 }), _id: itemOf(order, 'MILK')._id };
    const now = await fulfilled(aisle, chain, order, milkAnd(order, tea, tea));
    assert.equal(additions(now).length, 2);
    assert.equal(new Set(now.items.map((item: Response['body']) => item._id)).size, 3);
  });
});

describe('addition rule 3: prices', () => {
  test('an item added without a price gets the catalog price', async () => {
    const order = await place();
    const [tea] = additions(await fulfilled(aisle, chain, order, milkAnd(order, added('TEA', { quantity: 3 }))));
    const pricing = { pricing_type: 'UNIT', quantity: 3, unit_price: 3.99, total_price: 11.97 };
    assert.deepEqual(tea.pricing, { ...pricing, min_quantity: 3, max_quantity: 3 });
    assert.deepEqual(tea.original_pricing, tea.pricing);
    assert.equal(tea.name, 'Tea');
    assert.equal(tea.discount, 0);
  });

  test("an addition's unit_price overrides the catalog price and can be higher, lower or even 0", async () => {
    for (const unit_price of [12.5, 0.5, 0]) {
      const order = await place();
      const items = milkAnd(
        order,
        added('TEA', { quantity: 2, unit_price }),
        added('HAM', { weight: 0.5, unit_price }),
      );
      const [tea, ham] = additions(await fulfilled(aisle, chain, order, items));
      assert.deepEqual([tea.pricing.unit_price, tea.pricing.total_price], [unit_price, unit_price * 2]);
      assert.deepEqual([ham.pricing.unit_price, ham.pricing.total_price], [unit_price, unit_price / 2]);
    }
    assert.equal((await readProduct(aisle, chain, 'TEA')).price, 3.99);
  });

  test('an addition sold by weight has quantity 1, and its minimum and maximum equal the requested weight', async () => {
    const order = await place();
    const [cheese] = additions(
      await fulfilled(aisle, chain, order, milkAnd(order, added('CHEESE', { weight: 0.333 }))),
    );
    assert.deepEqual(cheese.pricing, {
      pricing_type: 'KG',
      quantity: 1,
      weight: 0.333,
      unit_price: 24.9,
      total_price: 8.29,
      min_quantity: 0.333,
      max_quantity: 0.333,
    });
  });
});

describe('addition rule 4: unknown items', () => {
  test('adding an item that the store does not have returns item_not_found, even if another store has it', async () => {
    const order = await place();
    for (const sku of ['NOWHERE', 'ELSEWHERE', 'milk']) {
      await assertRejected(order, added(sku, { quantity: 1 }), '/items/1/sku unknown_sku');
    }
    const response = await validate(aisle, chain, order, [added('NOWHERE', { quantity: 1 })]);
    await assertCartRejected(aisle, chain, order, response, '/items/0/sku unknown_sku');
  });
});

describe('addition rule 5: required attributes', () => {
  const bad: [string, Record<string, unknown>, string][] = [
    ['without a SKU', { ...added('TEA', { quantity: 1 }), sku: undefined }, '/items/1/sku missing'],
    ['without a quantity', added('TEA', {}), '/items/1/pricing/quantity missing'],
    ['without a weight', added('HAM', {}), '/items/1/pricing/weight missing'],
    ['without pricing', { sku: 'TEA', status: 'ADDITION' }, '/items/1/pricing missing'],
    [
      'without pricing_type',
      { ...added('TEA', {}), pricing: { quantity: 1 } },
      '/items/1/pricing/pricing_type missing',
    ],
  ];
  for (const [name, item, reason] of bad) {
    test(`an addition ${name} is rejected as an invalid cart update`, async () => {
      await assertRejected(await place(), item, reason);
    });
  }

  test('an item with missing attributes is rejected as an invalid cart update, even if another item is unknown', async () => {
    const order = await place();
    const items = milkAnd(order, added('NOWHERE', { quantity: 1 }), added('TEA', {}));
    const response = await fulfil(aisle, chain, order, items);
    await assertCartRejected(
      aisle,
      chain,
      order,
      response,
      '/items/1/sku unknown_sku',
      '/items/2/pricing/quantity missing',
    );
  });
});

describe('contract rule 6: additions', () => {
  test('an addition is rejected if the order total would be too large to be exact to the cent in JSON', async () => {
    const order = await place();
    const expensive = Array.from({ length: 10 }, () => added('TEA', { quantity: 100_000, unit_price: 9_999_999.99 }));
    const response = await fulfil(aisle, chain, order, milkAnd(order, ...expensive));
    await assertCartRejected(aisle, chain, order, response, '/items out_of_range');
  });

  test('an addition with total_price is rejected', async () => {
    const order = await place();
    const at = '/items/1/pricing/total_price price_not_allowed';
    await assertRejected(order, added('TEA', { quantity: 1, total_price: 3 }), at);
    await assertRejected(order, added('TEA', { quantity: 1, unit_price: 3, total_price: 3 }), at);
  });

  test("an addition's quantity must be an integer, or 1 or absent if the product is sold by weight", async () => {
    const order = await place();
    await assertRejected(order, added('HAM', { weight: 1, quantity: 2 }), '/items/1/pricing/quantity not_allowed');
    await assertRejected(order, added('HAM', { weight: 1, quantity: 1.5 }), '/items/1/pricing/quantity not_whole');
    await assertRejected(order, added('TEA', { quantity: 0 }), '/items/1/pricing/quantity out_of_range');
    await assertRejected(order, added('TEA', { quantity: 1.5 }), '/items/1/pricing/quantity not_whole');
    await assertRejected(order, added('HAM', { weight: 0 }), '/items/1/pricing/weight out_of_range');
    assert.equal((await validate(aisle, chain, order, [added('HAM', { weight: 1, quantity: 1 })])).status, 200);
  });

  test("an addition's pricing_type must match the catalog", async () => {
    const order = await place();
    const wrong = '/items/1/pricing/pricing_type wrong_pricing_type';
    await assertRejected(order, added('TEA', { pricing_type: 'KG', weight: 1 }), wrong);
    await assertRejected(order, added('HAM', { pricing_type: 'UNIT', quantity: 1 }), wrong);
  });

  test("an addition is not limited by stock, by the product's active flag or by its maximum quantity", async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, milkAnd(order, added('OLD', { quantity: 50 })));
    assert.equal(itemOf(now, 'OLD').pricing.total_price, 100);
    const { quantity, active } = await readProduct(aisle, chain, 'OLD');
    assert.deepEqual([quantity, active], [0, false]);
  });

  test('a validation returns an addition with the current price and does not store it', async () => {
    const order = await place();
    const { status, body } = await validate(aisle, chain, order, [added('TEA', { quantity: 1 })]);
    assert.equal(status, 200);
    assert.equal(body.payment.sub_total, 5 + 3.99);
    await assertUnchanged(aisle, chain, order);
  });

  test('an order in which only an addition was picked can be fulfilled', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, [notFound(order, 'MILK'), added('TEA', { quantity: 1 })]);
    assert.equal(now.payment.sub_total, 3.99);
  });
});
