import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Response } from '../../support/aisle.ts';
import { addProducts, readProduct } from '../../support/catalog.ts';
import {
  assertSums,
  assertUnchanged,
  changeVendor,
  eventNames,
  fulfilled,
  itemOf,
  sentItem,
  notFound,
  placeOrder,
  readEvents,
  snapshot,
  replaced,
  validate,
} from '../../support/orders.ts';
import { startShop } from '../../support/shop.ts';

const { aisle, chain, place: placeItems, assertRejected } = await startShop();

/** Places an order for two loaves of bread at 4 each and one kilogram of ham at 10. */
const place = () =>
  placeItems([
    { sku: 'BREAD', quantity: 2 },
    { sku: 'HAM', weight: 1 },
  ]);
/** Returns items in which the bread is replaced by the given SKU and the ham is picked. */
const breadBy = (order: Response['body'], by: string, pricing: Record<string, unknown>) => [
  ...replaced(order, 'BREAD', by, pricing),
  sentItem(order, 'HAM'),
];
const hamBy = (order: Response['body'], by: string, pricing: Record<string, unknown>) => [
  ...replaced(order, 'HAM', by, pricing),
  sentItem(order, 'BREAD'),
];
const codes = (warnings: Response['body'] = []) =>
  warnings.map(({ pointer, code }: Response['body']) => `${pointer} ${code}`);
const withWeighted = (weighted_replacement: boolean) =>
  changeVendor(aisle, chain, { settings: { weighted_replacement } });

describe('replacement rule 1: allowed replacements', () => {
  test('an active catalog item can be a replacement, and so can an inactive one that is sold out', async () => {
    for (const sku of ['TEA', 'OLD']) {
      const order = await place();
      const now = await fulfilled(aisle, chain, order, breadBy(order, sku, { quantity: 1 }));
      assert.equal(itemOf(now, sku).status, 'IN_CART');
    }
  });

  test('a replacement that the store does not have returns item_not_found, even if another store has it', async () => {
    for (const sku of ['NOWHERE', 'ELSEWHERE']) {
      const order = await place();
      await assertRejected(order, breadBy(order, sku, { quantity: 1 }), '/items/1/sku unknown_sku');
    }
  });
});

describe('replacement rule 2: the replaced item and its replacement', () => {
  test('the old item is REPLACED and not billed, and the new one is IN_CART, with replaced_id and its own _id', async () => {
    const order = await place();
    const [old, tea, ham] = breadBy(order, 'TEA', { quantity: 2 });
    const now = await fulfilled(aisle, chain, order, [old, { ...tea, _id: 'made up' }, ham]);
    const [bread, cup] = [itemOf(now, 'BREAD'), itemOf(now, 'TEA')];
    assert.deepEqual(bread, { ...itemOf(order, 'BREAD'), status: 'REPLACED' });
    assert.equal(cup.status, 'IN_CART');
    assert.equal(cup.replaced_id, bread._id);
    assert.equal(cup.name, 'Tea');
    assert.ok(!['made up', bread._id, itemOf(order, 'HAM')._id].includes(cup._id));
    assert.equal(now.items.length, 3);
    assert.equal(now.payment.sub_total, 7.98 + 10);
    assertSums(now);
  });

  test("a replacement's quantity is required and must be an integer of at least 1", async () => {
    const order = await place();
    const at = '/items/1/pricing/quantity';
    await assertRejected(order, breadBy(order, 'TEA', {}), `${at} missing`);
    await assertRejected(order, breadBy(order, 'TEA', { quantity: 0 }), `${at} out_of_range`);
    await assertRejected(order, breadBy(order, 'TEA', { quantity: 1.5 }), `${at} not_whole`);
  });

  test('a replacement without replaced_id is rejected as an unknown item', async () => {
    const order = await place();
    const [old, tea, ham] = breadBy(order, 'TEA', { quantity: 1 });
    const reasons = ['/items/0 replacement_missing', '/items/1/sku unknown_item'];
    await assertRejected(order, [old, { ...tea, replaced_id: undefined }, ham], ...reasons);
  });
});

describe('replacement rule 3: items sold by weight', () => {
  test('an item sold by weight can be replaced by one sold by the piece', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, hamBy(order, 'TEA', { quantity: 2 }));
    assert.deepEqual([itemOf(now, 'TEA').pricing.quantity, itemOf(now, 'TEA').pricing.total_price], [2, 7.98]);
  });

  test('an item sold by the piece can be replaced by one sold by weight, sent with the final weight', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, [
      ...replaced(order, 'BREAD', 'CHEESE', { weight: 0.25 }),
      sentItem(order, 'HAM'),
    ]);
    const { quantity, weight, unit_price, total_price } = itemOf(now, 'CHEESE').pricing;
    assert.deepEqual([quantity, weight, unit_price, total_price], [1, 0.25, 24.9, 6.23]);
  });

  test('an item sold by weight can be replaced by another one sold by weight only if the store allows it', async () => {
    const order = await place();
    const items = hamBy(order, 'CHEESE', { weight: 0.4 });
    await withWeighted(false);
    await assertRejected(order, items, '/items/1 weighted_replacement_off');
    await withWeighted(true);
    const now = await fulfilled(aisle, chain, order, items);
    assert.deepEqual([itemOf(now, 'CHEESE').pricing.weight, itemOf(now, 'CHEESE').pricing.total_price], [0.4, 9.96]);
    await withWeighted(false);
  });

  test('a replacement sold by weight needs a weight, and its quantity must be absent or 1', async () => {
    const order = await place();
    const bad: [Record<string, unknown>, string][] = [
      [{}, 'weight missing'],
      [{ weight: 0 }, 'weight out_of_range'],
      [{ weight: 0.0009 }, 'weight out_of_range'],
      [{ weight: 0.3, quantity: 2 }, 'quantity not_allowed'],
      [{ weight: 0.3, quantity: 1.5 }, 'quantity not_whole'],
    ];
    for (const [pricing, reason] of bad) {
      await assertRejected(order, breadBy(order, 'CHEESE', pricing), `/items/1/pricing/${reason}`);
    }
    const response = await validate(aisle, chain, order, breadBy(order, 'CHEESE', { weight: 0.3, quantity: 1 }));
    assert.equal(response.status, 200, response.text);
  });
});

test('replacement rule 4: one request replaces the item and fulfils the order, with one event', async () => {
  const order = await place();
  const now = await fulfilled(aisle, chain, order, breadBy(order, 'TEA', { quantity: 1 }));
  assert.equal(now.status, 'READY_FOR_PICKUP');
  assert.deepEqual(await eventNames(aisle, order.order_id), ['received', 'ready_for_pickup']);
  assert.deepEqual((await readEvents(aisle, order.order_id)).at(-1)?.body, snapshot(now));
});

describe('replacement rule 5: price cap', () => {
  test('a replacement with a lower or equal catalog price is billed at that price, without a warning', async () => {
    await addProducts(aisle, chain, [{ sku: 'EQUAL', title: 'Equal', price: 4 }]);
    for (const [sku, total] of [
      ['TEA', 7.98],
      ['EQUAL', 8],
    ] as const) {
      const order = await place();
      const now = await fulfilled(aisle, chain, order, breadBy(order, sku, { quantity: 2 }));
      assert.equal(itemOf(now, sku).pricing.total_price, total);
      assert.equal(now.warnings, undefined);
    }
  });

  test("a replacement with a higher price is capped at the original item's price, with a warning", async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, breadBy(order, 'TEA', { quantity: 3 }));
    const { quantity, unit_price, total_price, min_quantity, max_quantity } = itemOf(now, 'TEA').pricing;
    assert.deepEqual([quantity, unit_price, total_price, min_quantity, max_quantity], [3, 2.67, 8, 3, 3]);
    assert.deepEqual(codes(now.warnings), ['/items/1/pricing replacement_price_capped']);
    assert.equal(now.payment.sub_total, 18);
    assertSums(now);
    const { warnings: _, ...stored } = now;
    assert.deepEqual((await readEvents(aisle, order.order_id)).at(-1)?.body, snapshot(stored));
  });

  test('a replacement sold by weight is capped too, and its unit price is the cap divided by its weight', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, breadBy(order, 'CHEESE', { weight: 0.7 }));
    const { weight, unit_price, total_price } = itemOf(now, 'CHEESE').pricing;
    assert.deepEqual([weight, unit_price, total_price], [0.7, 11.43, 8]);
    assert.deepEqual(codes(now.warnings), ['/items/1/pricing replacement_price_capped']);
  });

  test("the cap is the original item's price as ordered, not as picked", async () => {
    const order = await place();
    const [old, tea, ham] = breadBy(order, 'TEA', { quantity: 3 });
    const cheap = { ...old, pricing: { pricing_type: 'UNIT', quantity: 1, unit_price: 0.5 } };
    const now = await fulfilled(aisle, chain, order, [cheap, tea, ham]);
    assert.equal(itemOf(now, 'TEA').pricing.total_price, 8);
    assert.deepEqual(itemOf(now, 'BREAD').pricing, itemOf(order, 'BREAD').pricing);
  });
});

describe('replacement rule 6: restrictions', () => {
  test('several replacements for one item are rejected', async () => {
    const order = await place();
    const [old, tea, ham] = breadBy(order, 'TEA', { quantity: 1 });
    await assertRejected(order, [old, tea, { ...tea, sku: 'MILK' }, ham], '/items/2/replaced_id several_replacements');
  });

  test('a price sent for a replacement is ignored with a warning', async () => {
    for (const price of [{ unit_price: 1 }, { total_price: 1 }, { unit_price: 1, total_price: 2 }]) {
      const order = await place();
      const now = await fulfilled(aisle, chain, order, breadBy(order, 'TEA', { quantity: 2, ...price }));
      const { unit_price, total_price } = itemOf(now, 'TEA').pricing;
      assert.deepEqual([unit_price, total_price], [3.99, 7.98]);
      assert.deepEqual(codes(now.warnings), ['/items/1/pricing replacement_price_ignored']);
    }
  });

  test('an ignored price and a cap result in two warnings, in a validation too', async () => {
    const order = await place();
    const { body } = await validate(aisle, chain, order, breadBy(order, 'TEA', { quantity: 3, unit_price: 9 }));
    const both = ['/items/1/pricing replacement_price_capped', '/items/1/pricing replacement_price_ignored'];
    assert.deepEqual(codes(body.warnings).toSorted(), both);
    for (const { message } of body.warnings) assert.ok(message.includes('Tea'), message);
    await assertUnchanged(aisle, chain, order);
  });

  test('an inactive replacement is not activated, and its catalog price does not change', async () => {
    const before = await readProduct(aisle, chain, 'OLD');
    const order = await place();
    await fulfilled(aisle, chain, order, breadBy(order, 'OLD', { quantity: 1 }));
    assert.deepEqual(await readProduct(aisle, chain, 'OLD'), before);
    assert.equal(before.active, false);
  });

  test('promotions do not apply to replacements', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, breadBy(order, 'TEA', { quantity: 1 }));
    assert.equal(itemOf(now, 'TEA').discount, 0);
    assert.equal('promotion' in itemOf(now, 'TEA'), false);
  });
});

test("replacement rule 7: the customer's replacement preferences are in the RECEIVED event", async () => {
  const replacement = { preference: 'Any other bread', suggestions: [{ sku: 'TEA' }] };
  const order = await placeOrder(aisle, chain, [{ sku: 'BREAD', quantity: 1, replacement }]);
  const [event] = await readEvents(aisle, order.order_id);
  assert.deepEqual(event?.body.items[0].replacement, {
    preference: 'Any other bread',
    suggestions: [{ sku: 'TEA', name: 'Tea' }],
  });
});

describe('contract rule 5: replacements', () => {
  test('a REPLACED item without a replacement is rejected', async () => {
    const order = await place();
    const [old, , ham] = breadBy(order, 'TEA', {});
    await assertRejected(order, [old, ham], '/items/0 replacement_missing');
  });

  test('a replaced_id that refers to an unknown item, or to one that is not REPLACED, is rejected', async () => {
    const order = await place();
    const [, tea, ham] = breadBy(order, 'TEA', { quantity: 1 });
    for (const bread of [sentItem(order, 'BREAD'), notFound(order, 'BREAD')]) {
      await assertRejected(order, [bread, tea, ham], '/items/1/replaced_id not_replaced');
    }
    await assertRejected(
      order,
      [sentItem(order, 'BREAD'), ham, { ...tea, replaced_id: 'strange' }],
      '/items/2/replaced_id not_replaced',
    );
  });

  test('a replacement must have a SKU and the status IN_CART', async () => {
    const order = await place();
    const [old, tea, ham] = breadBy(order, 'TEA', { quantity: 1 });
    await assertRejected(order, [old, { ...tea, sku: undefined }, ham], '/items/1/sku missing');
    for (const status of ['ADDITION', 'NOT_FOUND', 'NOT_PROCESSED']) {
      await assertRejected(order, [old, { ...tea, status }, ham], '/items/1/status not_allowed');
    }
  });

  test("a replacement's pricing_type must match the catalog, not the item it replaces", async () => {
    const order = await place();
    const wrong = '/items/1/pricing/pricing_type wrong_pricing_type';
    await assertRejected(order, hamBy(order, 'TEA', { pricing_type: 'KG', weight: 1 }), wrong);
    await assertRejected(order, breadBy(order, 'CHEESE', { pricing_type: 'UNIT', quantity: 1 }), wrong);
  });

  test('several items can each have a replacement, sent before or after the replaced item', async () => {
    const order = await place();
    const items = [
      ...replaced(order, 'BREAD', 'TEA', { quantity: 1 }),
      ...replaced(order, 'HAM', 'MILK', { quantity: 4 }),
    ];
    const now = await fulfilled(aisle, chain, order, items.toReversed());
    assert.equal(itemOf(now, 'TEA').replaced_id, itemOf(order, 'BREAD')._id);
    assert.equal(itemOf(now, 'MILK').replaced_id, itemOf(order, 'HAM')._id);
    assert.equal(now.payment.sub_total, 3.99 + 10);
  });

  test('an item cannot replace itself, because 5,000 units of an item ordered once could then be picked', async () => {
    const order = await place();
    await assertRejected(order, breadBy(order, 'BREAD', { quantity: 5000 }), '/items/1/sku replacement_same_sku');
    await assertRejected(order, breadBy(order, 'BREAD', { quantity: 1 }), '/items/1/sku replacement_same_sku');
    await withWeighted(true);
    await assertRejected(order, hamBy(order, 'HAM', { weight: 50 }), '/items/1/sku replacement_same_sku');
    await withWeighted(false);
  });

  test('an item can be replaced by the SKU of another item in the order', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, hamBy(order, 'BREAD', { quantity: 1 }));
    assert.deepEqual(
      now.items.map((item: Response['body']) => `${item.sku} ${item.status}`),
      ['BREAD IN_CART', 'HAM REPLACED', 'BREAD IN_CART'],
    );
  });
});
