import assert from 'node:assert/strict';
import test from 'node:test';
import { createTranslate, importBundle } from '../messages/catalogue.ts';
import { bodyOf, promotionChecks, type PromotionValues, splitSkus } from './promotion-input.ts';

const check = promotionChecks(createTranslate('en', 'en', await importBundle('en', 'pages')));
const values: PromotionValues = {
  name: ' Breakfast week ',
  vendors: [],
  type: 'STRIKETHROUGH',
  reason: 'OVERSTOCK',
  start: '2030-05-04T00:00:00Z',
  end: '2030-05-11T00:00:00Z',
  purchased: 2,
  discounted: 1,
  subtype: 'PERCENTAGE',
  value: 20,
  skus: ['A', 'B'],
  maxPerOrder: '',
};

test('if no store is selected, the promotion applies to all stores, and its name is in the given language', () => {
  assert.deepEqual(bodyOf(values, 'en_AE'), {
    vendors: ['*'],
    type: 'STRIKETHROUGH',
    active: true,
    reason: 'OVERSTOCK',
    display_name: { en_AE: 'Breakfast week' },
    conditions: { start_time: '2030-05-04T00:00:00.000Z', end_time: '2030-05-11T00:00:00.000Z' },
    discount: [{ discount_subtype: 'PERCENTAGE', discount_value: 20, active: true, sku: ['A', 'B'] }],
  });
});

test('a bundle is sent with its quantities and its limit', () => {
  const body = bodyOf({ ...values, type: 'SAME_ITEM_BUNDLE', maxPerOrder: 4, vendors: ['s8ym'] }, 'en_AE');
  assert.equal(body.conditions.purchased_quantity, 2);
  assert.equal(body.discount?.[0]?.max_quantity, 4);
  assert.deepEqual(body.vendors, ['s8ym']);
});

test('invalid values are reported before the form is submitted', () => {
  assert.equal(check.end('2030-05-03T00:00:00Z', values), 'Must be after the start time');
  assert.equal(check.value(101, values), 'Must be at most 100');
  assert.equal(check.value(0, values), 'Must be greater than 0');
  assert.equal(check.value(0, { ...values, subtype: 'FINAL_PRICE' }), null);
  assert.equal(check.skus([]), 'Add at least one product');
});

test('pasted SKUs are split and deduplicated', () => {
  assert.deepEqual(splitSkus(['A-1, B;C', ' A-1\nD ']), ['A-1', 'B', 'C', 'D']);
});
