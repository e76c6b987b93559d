import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleOrder } from '@aisle/contract/order';
import { type Draft, linesOf, markLine, withMark } from './draft.ts';
import { decideScan, type ScanResult } from './scan.ts';
import type { EmbeddedRule, Item } from './types.ts';

const [milk] = exampleOrder.items as [Item];
const apples: Item = {
  ...milk,
  _id: 'apples',
  sku: '12345',
  name: 'Apples',
  barcode: [],
  pricing: {
    ...milk.pricing,
    pricing_type: 'KG',
    quantity: 1,
    unit_price: 10,
    weight: 1,
    min_quantity: 0.85,
    max_quantity: 1.15,
  },
};
const draft: Draft = { order: { ...exampleOrder, items: [milk, apples] }, unsent: [], products: {} };
const rules: EmbeddedRule[] = [
  { prefix: '21', kind: 'WEIGHT', code_digits: 5, value_digits: 5, decimals: 3 },
  { prefix: '22', kind: 'PRICE', code_digits: 5, value_digits: 5, decimals: 2 },
];
const [milkCode] = milk.barcode as [string];

function apply(from: Draft, result: ScanResult): Draft {
  assert.ok('change' in result, result.kind);
  const line = linesOf(from).find(({ id }) => id === result.line.id);
  assert.ok(line);
  return withMark(from, markLine(line, result.change, { id: crypto.randomUUID(), now: new Date(0) }));
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

test('each scan adds one, the last one marks the line, and one more is refused', () => {
  const first = decideScan(milkCode, draft, rules);
  const once = apply(draft, first);
  assert.deepEqual([linesOf(once)[0]?.state, linesOf(once)[0]?.quantity], ['PENDING', 1]);
  const twice = apply(once, decideScan(milkCode, once, rules));
  assert.deepEqual([linesOf(twice)[0]?.state, linesOf(twice)[0]?.quantity], ['IN_CART', 2]);
  assert.deepEqual(linesOf(twice)[0]?.scannedCodes, [milkCode, milkCode]);
  assert.equal(decideScan(milkCode, twice, rules).kind, 'complete');
});

test('a product that was marked as not found and is scanned is found after all', () => {
  const [line] = linesOf(draft);
  assert.ok(line);
  const missing = withMark(draft, markLine(line, { state: 'NOT_FOUND' }, { id: 'x', now: new Date(0) }));
  const result = decideScan(milkCode, missing, rules);
  assert.deepEqual([result.kind, 'change' in result && result.change.quantity], ['counted', 1]);
});

test('the weight in a barcode fills the line, and packs are added up until the minimum is reached', () => {
  const half = withCheckDigit('211234500500');
  const first = decideScan(half, draft, rules);
  assert.deepEqual([first.kind, 'weight' in first && first.weight], ['weightBelow', 0.5]);
  const once = apply(draft, first);
  assert.equal(linesOf(once)[1]?.state, 'PENDING');
  const twice = apply(once, decideScan(half, once, rules));
  assert.deepEqual([linesOf(twice)[1]?.state, linesOf(twice)[1]?.weight], ['IN_CART', 1]);
  assert.equal(decideScan(half, twice, rules).kind, 'weightAbove');
});

test('the price in a barcode is converted to a weight', () => {
  const result = decideScan(withCheckDigit('221234500950'), draft, rules);
  assert.deepEqual([result.kind, 'weight' in result && result.weight], ['weighed', 0.95]);
});

test('a weighed product with an ordinary code asks for the weight, and an unknown code is not in the order', () => {
  assert.equal(decideScan('12345', draft, rules).kind, 'enterWeight');
  assert.equal(decideScan('4006381333931', draft, rules).kind, 'notInOrder');
  assert.equal(decideScan(withCheckDigit('211234500900'), draft, []).kind, 'notInOrder');
});

test('a code matches the same code with other leading zeros', () => {
  const drink: Item = { ...milk, _id: 'drink', sku: '96385074', barcode: ['036000291452'] };
  const other = { ...draft, order: { ...draft.order, items: [drink] } };
  for (const code of ['0036000291452', '00036000291452', '0000096385074']) {
    assert.equal(decideScan(code, other, rules).kind, 'counted');
  }
  assert.equal(decideScan('36000291452', other, rules).kind, 'notInOrder');
});
