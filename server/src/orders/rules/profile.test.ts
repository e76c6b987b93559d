import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unitLine, weightLine } from '../../../test/support/lines.ts';
import { readEntries } from './cart-entries.ts';
import { toStrictItems } from './profile.ts';
import type { Item } from './read-put.ts';

const lines = [unitLine('milk', 3, 2.5), weightLine('ham', 1, 10), unitLine('extra', 1, 1, { status: 'ADDITION' })];
const strict = (...items: Item[]) => toStrictItems(items, lines, () => 'UNIT', 2);

test('a request without items means that all items were picked as ordered', () => {
  assert.deepEqual(
    toStrictItems(undefined, lines, () => undefined, 2),
    [
      { _id: 'milk', status: 'IN_CART', pricing: { pricing_type: 'UNIT' } },
      { _id: 'ham', status: 'IN_CART', pricing: { pricing_type: 'KG' } },
    ],
  );
  assert.deepEqual(strict(), []);
});

test('missing fields are filled in, and fields in the request are kept', () => {
  const [milk, ham] = strict({ sku: 'MILK', pricing: { quantity: 2 } }, { _id: 'ham', status: 'NOT_FOUND' });
  assert.deepEqual(milk, { sku: 'MILK', status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 2 } });
  assert.deepEqual(ham, { _id: 'ham', status: 'NOT_FOUND', pricing: { pricing_type: 'KG' } });
});

test('two prices are dropped if they match the order, reduced to one if consistent, and both kept otherwise', () => {
  const priced = (quantity: number, unit_price: number, total_price: number) => {
    const [item] = strict({ _id: 'milk', pricing: { quantity, unit_price, total_price } });
    return [item?.pricing?.unit_price, item?.pricing?.total_price];
  };
  assert.deepEqual(priced(2, 2.5, 7.5), [undefined, undefined]);
  assert.deepEqual(priced(2, 3, 6), [3, undefined]);
  assert.deepEqual(priced(2, 3, 5), [3, 5]);
});

test("a replacement's status becomes IN_CART, and an addition is unchanged", () => {
  const [replacement, addition] = strict(
    { sku: 'TEA', status: 'ADDITION', replaced_id: 'milk', pricing: { quantity: 1 } },
    { sku: 'TEA', status: 'ADDITION', pricing: { quantity: 1 } },
  );
  assert.equal(replacement?.status, 'IN_CART');
  assert.equal(addition?.status, 'ADDITION');
});

test('a strict request is unchanged, and converting a tolerant request twice has the same result as converting it once', () => {
  const money = fc.integer({ min: 0, max: 20 }).map((value) => value / 2);
  const item: fc.Arbitrary<Item> = fc.record(
    {
      _id: fc.constantFrom('milk', 'ham', 'strange'),
      sku: fc.constantFrom('MILK', 'HAM', 'TEA'),
      status: fc.constantFrom('NOT_PROCESSED', 'IN_CART', 'NOT_FOUND', 'REPLACED', 'ADDITION'),
      replaced_id: fc.constantFrom('milk', 'ham'),
      pricing: fc.record(
        { pricing_type: fc.constantFrom('UNIT', 'KG'), quantity: fc.nat(4), unit_price: money, total_price: money },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const once = strict(...items);
      assert.deepEqual(strict(...once), once);
      for (const one of once) assert.notEqual(one.status, undefined);
    }),
  );
});

test('a request with many items does not search through all items of the order for each of them', () => {
  let looks = 0;
  const counted = Array.from({ length: 100 }, (_, index) =>
    Object.defineProperty(unitLine(`item ${index}`, 1, 1), 'replacedId', {
      get() {
        looks += 1;
        return null;
      },
    }),
  );
  const items = counted.map(({ id }) => ({ _id: id, status: 'REPLACED' as const }));
  const others = items.map(({ _id: replaced_id }) => ({ replaced_id: `${replaced_id}, unknown` }));
  const { entries, errors } = readEntries(
    toStrictItems([...items, ...others], counted, () => 'UNIT', 2),
    counted,
  );
  assert.equal(entries.length + errors.length, 200);
  assert.ok(looks < 500, String(looks));
});
