import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleOrder } from '@aisle/contract/order';
import { commentOf, describeItems, expectedItems, newItems, type Plan } from './plan.ts';
import { scenarios } from './scenarios.ts';

const plan: Plan = {
  items: [
    { do: 'PICK', sku: 'MILK', ordered: 3, quantity: 2 },
    { do: 'WEIGH', sku: 'HAM', ordered: 1, weight: '0.900' },
    { do: 'NOT_FOUND', sku: 'TEA', ordered: 1 },
    { do: 'REPLACE', sku: 'BREAD', ordered: 1, quantity: 1, by: 'RYE BREAD' },
  ],
  order: { do: 'ADD', quantity: 1, sku: 'JAM' },
};

test('the instructions are in the items and in the second line of the comment', () => {
  assert.deepEqual(
    newItems(plan).map(({ instructions }) => instructions),
    ['PICK 2', 'WEIGH 0.900', 'NOT_FOUND', 'REPLACE 1 RYE BREAD'],
  );
  assert.equal(commentOf('added', plan), 'Certification: added\nADD 1 JAM');
  assert.equal(commentOf('as_ordered', { ...plan, order: null }), 'Certification: as_ordered');
});

test('the expected items and the items of an order are described in the same way', () => {
  const item = exampleOrder.items[0];
  assert.ok(item);
  const unit = (id: string, sku: string, status: typeof item.status, quantity: number, more = {}) => ({
    ...item,
    _id: id,
    sku,
    status,
    pricing: { ...item.pricing, quantity },
    ...more,
  });
  const ham = { ...item.pricing, pricing_type: 'KG' as const, quantity: 1, weight: 0.9 };
  const items = [
    unit('1', 'MILK', 'IN_CART', 2),
    { ...unit('2', 'HAM', 'IN_CART', 1), pricing: ham },
    unit('3', 'TEA', 'NOT_FOUND', 1),
    unit('4', 'BREAD', 'REPLACED', 1),
    unit('5', 'RYE BREAD', 'IN_CART', 1, { replaced_id: '4' }),
    unit('6', 'JAM', 'ADDITION', 1),
  ];
  assert.equal(describeItems(items), expectedItems(plan));
});

test('the weight to pick is within the tolerance of the store, and differs from the ordered weight if it can', () => {
  const weightAt = (weightTolerance: number) =>
    scenarios.weighed.plan({ units: ['A', 'B', 'C'], weighed: 'HAM', weightTolerance })?.items[0];
  assert.deepEqual(weightAt(0.2), { do: 'WEIGH', sku: 'HAM', ordered: 1, weight: '0.900' });
  assert.deepEqual(weightAt(0), { do: 'WEIGH', sku: 'HAM', ordered: 1, weight: '1.000' });
  assert.equal(scenarios.weighed.plan({ units: ['A', 'B', 'C'], weighed: undefined, weightTolerance: 0 }), undefined);
});
