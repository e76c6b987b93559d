import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleOrder } from '@aisle/contract/order';
import { chooseLanguage, currentLanguage, loadMessages } from '../messages/language.ts';
import { describePicked } from './describe-picked.ts';
import type { Item, Order } from './order.ts';

await loadMessages('start');
await loadMessages('pages');
Object.assign(globalThis, { document: { documentElement: {} } });

const [example] = exampleOrder.items as [Item];
const unit: Item['pricing'] = { ...example.pricing, pricing_type: 'UNIT', quantity: 2, unit_price: 6 };
const kilogram: Item['pricing'] = { ...unit, pricing_type: 'KG', quantity: 1, weight: 1 };

function describe(item: Partial<Item>): string | undefined {
  const milk: Item = { ...example, _id: 'milk', name: 'Milk', status: 'REPLACED' };
  const order: Order = {
    ...exampleOrder,
    items: [milk, { ...example, original_pricing: unit, pricing: unit, ...item }],
  };
  return describePicked(currentLanguage().t, order, item._id ?? example._id)?.replaceAll('\u00a0', ' ');
}

test('what was picked is described in words', () => {
  assert.equal(describe({ status: 'IN_CART' }), 'picked as ordered');
  assert.equal(describe({ status: 'IN_CART', pricing: { ...unit, quantity: 1 } }), 'picked 1 instead of 2');
  const weighed = { original_pricing: kilogram, pricing: { ...kilogram, weight: 1.1, unit_price: 5 } };
  assert.equal(
    describe({ status: 'IN_CART', ...weighed }),
    'picked 1.1 kg instead of 1 kg, at AED 5.00 instead of AED 6.00',
  );
  assert.equal(describe({ status: 'NOT_FOUND' }), 'not found');
  assert.equal(describe({ _id: 'tea', status: 'ADDITION' }), 'added: 2 at AED 6.00');
  assert.equal(describe({ _id: 'soy', status: 'IN_CART', replaced_id: 'milk' }), 'replaces Milk: 2 at AED 6.00');
  assert.equal(describe({ _id: 'milk2', status: 'NOT_PROCESSED' }), undefined);
});

test('what was picked is described in Arabic', async () => {
  await chooseLanguage('ar');
  assert.equal(describe({ status: 'NOT_FOUND' }), 'غير متوفر');
  assert.match(describe({ status: 'IN_CART', pricing: { ...unit, quantity: 1 } }) ?? '', /^جُهِّز .*1.* بدلًا من .*2/);
  await chooseLanguage('en');
});
