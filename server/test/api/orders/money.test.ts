import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Response, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import {
  added,
  allPicked,
  assertCartRejected,
  assertSums,
  changeVendor,
  fulfil,
  fulfilled,
  itemOf,
  makeShop,
  sentItem,
  notFound,
  placeOrder,
  putOrder,
  replaced,
} from '../../support/orders.ts';

let aisle: TestAisle;
const shops: Record<string, TestChain> = {};
const digits = { JPY: 0, AED: 2, KWD: 3 } as const;
type Currency = keyof typeof digits;

before(async () => {
  aisle = await useAisle();
  for (const currency of Object.keys(digits)) shops[currency] = await makeShop(aisle, { currency });
});

const shop = (currency: Currency) => shops[currency] as TestChain;
let count = 0;

/** Places an order for this amount of a new product with this price. */
async function ordered(currency: Currency, price: number, amount: { quantity?: number; weight?: number }, more = {}) {
  const sku = `P-${++count}`;
  const product = { sku, title: `Product ${count}`, price, is_sold_by_weight: amount.weight !== undefined };
  await addProducts(aisle, shop(currency), [product]);
  return placeOrder(aisle, shop(currency), [{ sku, ...amount }], more);
}
/** Picks the order's only item with the given pricing, and returns the item's pricing from the response. */
async function picked(currency: Currency, order: Response['body'], pricing: Record<string, unknown>) {
  const now = await fulfilled(aisle, shop(currency), order, [sentItem(order, order.items[0].sku, pricing)]);
  assertSums(now);
  return now.items[0].pricing;
}

describe('amounts at placement', () => {
  const prices: [Currency, number, number][] = [
    ['AED', 4.554, 4.55],
    ['AED', 4.555, 4.56],
    ['AED', 4.5559, 4.56],
    ['AED', 4.5549, 4.55],
    ['AED', 0.005, 0.01],
    ['AED', 0.004, 0],
    ['AED', 1.005, 1.01],
    ['AED', 8.345, 8.35],
    ['JPY', 99.5, 100],
    ['JPY', 99.499, 99],
    ['JPY', 99.4999, 99],
    ['KWD', 1.2345, 1.234],
    ['KWD', 1.2349, 1.234],
    ['KWD', 0.001, 0.001],
    ['AED', 9_999_999.999, 10_000_000],
    ['KWD', 9_999_999.999, 9_999_999.999],
  ];
  for (const [currency, price, expected] of prices) {
    test(`a catalog price of ${price} is rounded half up to ${expected} in ${currency}`, async () => {
      const { items, payment } = await ordered(currency, price, { quantity: 1 });
      assert.equal(items[0].pricing.unit_price, expected);
      assert.equal(items[0].pricing.total_price, expected);
      assert.deepEqual([payment.currency, payment.sub_total, payment.order_total], [currency, expected, expected]);
    });
  }

  test("a line item's total is the rounded unit price times the quantity", async () => {
    const { items } = await ordered('AED', 4.555, { quantity: 3 });
    assert.equal(items[0].pricing.total_price, 13.68);
  });

  const weights: [Currency, number, number, number][] = [
    ['AED', 24.9, 0.333, 8.29],
    ['AED', 0.1, 0.05, 0.01],
    ['AED', 0.1, 0.049, 0],
    ['AED', 10.01, 0.15, 1.5],
    ['AED', 10.03, 0.15, 1.5],
    ['AED', 10.1, 0.15, 1.52],
    ['JPY', 333, 1.5, 500],
    ['JPY', 333, 1.499, 499],
    ['KWD', 1.111, 0.333, 0.37],
    ['KWD', 1.001, 0.5, 0.501],
  ];
  for (const [currency, price, weight, total] of weights) {
    test(`${weight} kg at ${price} ${currency} costs ${total}`, async () => {
      const { items } = await ordered(currency, price, { weight });
      assert.equal(items[0].pricing.total_price, total);
      assert.equal(items[0].pricing.quantity, 1);
    });
  }

  test('each line item is rounded before the line items are summed', async () => {
    const chain = shop('AED');
    const cheap = ['A', 'B', 'C'].map((letter) => ({
      sku: `CHEAP-${letter}`,
      title: letter,
      price: 0.1,
      is_sold_by_weight: true,
    }));
    await addProducts(aisle, chain, cheap);
    const order = await placeOrder(
      aisle,
      chain,
      cheap.map(({ sku }) => ({ sku, weight: 0.05 })),
    );
    assert.equal(order.payment.sub_total, 0.03);
  });

  test('amounts are summed exactly, without floating-point errors', async () => {
    const chain = shop('AED');
    const products = [0.1, 0.2, 1.1, 2.2].map((price, index) => ({ sku: `BIN-${index}`, title: 'Binary', price }));
    await addProducts(aisle, chain, products);
    const items = products.map(({ sku }) => ({ sku, quantity: 3 }));
    const order = await placeOrder(aisle, chain, items, {
      payment: { type: 'CASH', delivery_fee: 0.1, service_fee: 0.2 },
    });
    assert.deepEqual([order.payment.sub_total, order.payment.order_total], [10.8, 11.1]);
  });

  test('large amounts are exact to the cent', async () => {
    const order = await ordered('AED', 9_999_999.99, { quantity: 99_999 });
    assert.equal(order.payment.order_total, 999_989_999_000.01);
  });

  test('UNIT bounds are 1 and the ordered quantity plus overpick, and KG bounds depend on the tolerance', async () => {
    const bounds = async (amount: object) => {
      const { min_quantity, max_quantity } = (await ordered('AED', 1, amount)).items[0].pricing;
      return [min_quantity, max_quantity];
    };
    assert.deepEqual(await bounds({ quantity: 4 }), [1, 4]);
    assert.deepEqual(await bounds({ weight: 1 }), [0.8, 1.2]);
    assert.deepEqual(await bounds({ weight: 0.333 }), [0.266, 0.4]);
    assert.deepEqual(await bounds({ weight: 1.2349 }), [0.987, 1.481]);
    await changeVendor(aisle, shop('AED'), { settings: { unit_overpick: 3, weight_tolerance: 0.1 } });
    assert.deepEqual(await bounds({ quantity: 4 }), [1, 7]);
    assert.deepEqual(await bounds({ weight: 0.125 }), [0.113, 0.138]);
    await changeVendor(aisle, shop('AED'), { settings: { unit_overpick: 0, weight_tolerance: 0.2 } });
  });

  test('a weight keeps three decimal places, and extra digits are truncated', async () => {
    assert.equal((await ordered('AED', 1, { weight: 1.2349 })).items[0].pricing.weight, 1.234);
  });
});

describe('fees', () => {
  test('fees are 0 unless the platform sends them', async () => {
    const { payment } = await ordered('AED', 2, { quantity: 1 });
    assert.deepEqual(payment, {
      type: 'PAID',
      currency: 'AED',
      sub_total: 2,
      discount: 0,
      discounts: [],
      delivery_fee: 0,
      service_fee: 0,
      total_taxes: 0,
      order_total: 2,
    });
  });

  test('fees are included only in order_total, and do not change when items are not found', async () => {
    const payment = { type: 'CASH', delivery_fee: 5.25, service_fee: 1.1 };
    const chain = shop('AED');
    const items = [
      { sku: 'MILK', quantity: 2 },
      { sku: 'BREAD', quantity: 1 },
    ];
    const order = await placeOrder(aisle, chain, items, { payment });
    assert.deepEqual([order.payment.sub_total, order.payment.order_total], [9, 15.35]);
    const now = await fulfilled(aisle, chain, order, [notFound(order, 'MILK'), sentItem(order, 'BREAD')]);
    assert.deepEqual([now.payment.sub_total, now.payment.order_total, now.payment.type], [4, 10.35, 'CASH']);
  });

  test('fees are rounded like every other amount', async () => {
    const payment = { type: 'PAID', delivery_fee: 1.005, service_fee: 0.0049 };
    assert.equal((await ordered('AED', 2, { quantity: 1 }, { payment })).payment.order_total, 3.01);
    const yen = { type: 'PAID', delivery_fee: 99.5 };
    assert.equal((await ordered('JPY', 2, { quantity: 1 }, { payment: yen })).payment.order_total, 102);
  });
});

describe('amounts at fulfilment', () => {
  const unitPrices: [Currency, number, number, number][] = [
    ['AED', 4.5559, 4.56, 13.68],
    ['AED', 4.554, 4.55, 13.65],
    ['JPY', 99.5, 100, 300],
    ['KWD', 4.5559, 4.555, 13.665],
    ['AED', 0, 0, 0],
  ];
  for (const [currency, sent, unit, total] of unitPrices) {
    test(`a unit price of ${sent} ${currency} is shown as ${unit}, and the total is calculated from that`, async () => {
      const order = await ordered(currency, 4, { quantity: 3 });
      const { unit_price, total_price } = await picked(currency, order, { unit_price: sent });
      assert.deepEqual([unit_price, total_price], [unit, total]);
    });
  }

  test("an addition's unit price is rounded to the currency's minor unit, like its total", async () => {
    const order = await ordered('AED', 4, { quantity: 1 });
    const items = [...allPicked(order), added('TEA', { quantity: 3, unit_price: 4.555 })];
    const { unit_price, total_price } = itemOf(await fulfilled(aisle, shop('AED'), order, items), 'TEA').pricing;
    assert.deepEqual([unit_price, total_price], [4.56, 13.68]);
  });

  test('a price that would be rounded to 0 is rejected, because the item would be free', async () => {
    const tiny: [Currency, number][] = [
      ['AED', 0.0004],
      ['AED', 0.004],
      ['JPY', 0.49],
      ['KWD', 0.0009],
    ];
    for (const [currency, price] of tiny) {
      const chain = shop(currency);
      const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
      const rejected = async (items: unknown[], at: string) =>
        assertCartRejected(aisle, chain, order, await fulfil(aisle, chain, order, items), `${at} out_of_range`);
      await rejected([sentItem(order, 'MILK', { unit_price: price })], '/items/0/pricing/unit_price');
      await rejected([sentItem(order, 'MILK', { total_price: price })], '/items/0/pricing/total_price');
      const tea = added('TEA', { quantity: 1, unit_price: price });
      await rejected([sentItem(order, 'MILK'), tea], '/items/1/pricing/unit_price');
    }
  });

  const totals: [Currency, number, number, number][] = [
    ['AED', 10, 3, 3.33],
    ['AED', 20, 3, 6.67],
    ['AED', 0.01, 3, 0],
    ['AED', 0, 3, 0],
    ['JPY', 1000, 3, 333],
    ['JPY', 1001, 2, 501],
    ['KWD', 10, 3, 3.333],
    ['KWD', 0.005, 2, 0.003],
  ];
  for (const [currency, total_price, quantity, unit] of totals) {
    test(`a total of ${total_price} ${currency} for ${quantity} is authoritative, and the unit price is ${unit}`, async () => {
      const pricing = await picked(currency, await ordered(currency, 7, { quantity }), { total_price });
      assert.deepEqual([pricing.total_price, pricing.unit_price, pricing.quantity], [total_price, unit, quantity]);
    });
  }

  test("the price of an item sold by weight is rounded to the currency's minor unit", async () => {
    // The price of 12.445 per kg is rounded to 12, 12.45 or 12.445, depending on the currency.
    for (const [currency, total] of [
      ['JPY', 13],
      ['AED', 13.7],
      ['KWD', 13.69],
    ] as const) {
      const pricing = await picked(currency, await ordered(currency, 12.445, { weight: 1 }), { weight: 1.1 });
      assert.equal(pricing.total_price, total);
    }
  });

  test('NOT_FOUND and REPLACED items are not billed, but replacements and additions are', async () => {
    const chain = shop('KWD');
    const order = await placeOrder(aisle, chain, [
      { sku: 'MILK', quantity: 2 },
      { sku: 'BREAD', quantity: 1 },
      { sku: 'HAM', weight: 0.75 },
    ]);
    assert.equal(order.payment.sub_total, 5 + 4 + 7.5);
    const now = await fulfilled(aisle, chain, order, [
      notFound(order, 'MILK'),
      ...replaced(order, 'BREAD', 'TEA', { quantity: 1 }),
      sentItem(order, 'HAM', { weight: 0.801 }),
      added('MILK', { quantity: 1, unit_price: 0.1239 }),
    ]);
    assert.equal(now.payment.sub_total, 12.123);
    assertSums(now);
    assert.deepEqual(itemOf(now, 'BREAD').pricing, itemOf(order, 'BREAD').pricing);
  });

  test("a replacement is capped at the original item's price, rounded to the currency's minor unit", async () => {
    const chain = shop('JPY');
    const order = await placeOrder(aisle, chain, [{ sku: 'BREAD', quantity: 1 }]);
    const now = await fulfilled(aisle, chain, order, replaced(order, 'BREAD', 'CHEESE', { weight: 0.3 }));
    const { unit_price, total_price } = itemOf(now, 'CHEESE').pricing;
    assert.deepEqual([unit_price, total_price], [13, 4]);
  });

  test('a price above 9,999,999.999 or below 0 is rejected, but the maximum itself is accepted', async () => {
    const chain = shop('KWD');
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
    for (const unit_price of [10_000_000, -0.001]) {
      const { status, body } = await fulfil(aisle, chain, order, [sentItem(order, 'MILK', { unit_price })]);
      assert.deepEqual([status, body.code], [400, 'invalid_cart_update']);
    }
    const pricing = await picked('KWD', order, { unit_price: 9_999_999.999 });
    assert.equal(pricing.total_price, 9_999_999.999);
  });

  test('a cancelled order keeps its totals', async () => {
    const chain = shop('AED');
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }]);
    const now = await fulfilled(aisle, chain, order, allPicked(order));
    const cancel = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };
    const { body } = await putOrder(aisle, chain, order.order_id, cancel);
    assert.deepEqual(body.payment, now.payment);
  });
});
