import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unitLine, weightLine } from '../../../test/support/lines.ts';
import type { Line } from './line.ts';
import { returnHeld, heldSkus, movedSkus, movePicked, takeOrdered } from './stock.ts';

const picked = (line: Line, quantity: number): Line => ({
  ...line,
  status: 'IN_CART',
  picked: { ...line.picked, quantity },
});

test('an order takes the available units from stock and records how many it took', () => {
  const stock = new Map([
    ['MANY', 10],
    ['FEW', 2],
    ['UNKNOWN', null],
    ['HAM', 10],
  ]);
  const lines = [unitLine('many', 3, 1), unitLine('few', 5, 1), unitLine('unknown', 4, 1), weightLine('ham', 2, 1)];
  const moved = takeOrdered(lines, stock);
  assert.deepEqual(
    moved.lines.map((line) => line.taken),
    [3, 2, null, null],
  );
  assert.deepEqual([...moved.stock.values()], [7, 0, null, 10]);
  assert.deepEqual([...stock.values()], [10, 2, null, 10], 'the argument is unchanged');
});

test('units that were not picked are returned to stock, and extra picked units are taken from stock', () => {
  const stock = new Map([
    ['LESS', 0],
    ['MORE', 1],
    ['NONE', 5],
  ]);
  const before = ['less', 'more', 'none'].map((id) => unitLine(id, 3, 1, { taken: 3 }));
  const [less, more, none] = before as [Line, Line, Line];
  const after = [picked(less, 1), picked(more, 6), { ...none, status: 'NOT_FOUND' as const }];
  const moved = movePicked(before, after, stock);
  assert.deepEqual([...moved.stock.values()], [2, 0, 8]);
  assert.deepEqual(
    moved.lines.map((line) => line.taken),
    [1, 4, 0],
  );
});

test('only SKUs whose stock changes are locked', () => {
  const before = [unitLine('same', 3, 1, { taken: 3 }), unitLine('less', 3, 1, { taken: 3 }), weightLine('ham', 1, 1)];
  const [same, less, ham] = before as [Line, Line, Line];
  const extra = unitLine('extra', 1, 1, { status: 'ADDITION' });
  assert.deepEqual(movedSkus(before, [picked(same, 3), picked(less, 1), ham, extra]).toSorted(), ['EXTRA', 'LESS']);
  assert.deepEqual(heldSkus([same, { ...less, taken: 0 }, ham]), ['SAME']);
});

test('cancelling a picked order restores the stock', () => {
  const line = fc.record({
    sku: fc.constantFrom('A', 'B', 'C'),
    ordered: fc.integer({ min: 1, max: 20 }),
    picked: fc.integer({ min: 0, max: 25 }),
  });
  const level = fc.option(fc.integer({ min: 0, max: 30 }));
  const addition = fc.record({ sku: fc.constantFrom('A', 'B', 'C', 'D'), quantity: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { selector: ({ sku }) => sku }),
      fc.array(addition, { maxLength: 4 }),
      fc.tuple(level, level, level, level),
      (drawn, additions, levels) => {
        const stock = new Map(['A', 'B', 'C', 'D'].map((sku, index) => [sku, levels[index] ?? null]));
        const placed = takeOrdered(
          drawn.map(({ sku, ordered }) => unitLine(sku, ordered, 1)),
          stock,
        );
        const after = placed.lines.map((one, index) => {
          const quantity = drawn[index]?.picked ?? 0;
          return quantity === 0 ? { ...one, status: 'NOT_FOUND' as const } : picked(one, quantity);
        });
        const more = additions.map(({ sku, quantity }, index) => ({
          ...unitLine(`extra-${index}`, quantity, 1, { status: 'ADDITION' }),
          sku,
        }));
        const held = movePicked(placed.lines, [...after, ...more], placed.stock);
        for (const [, quantity] of held.stock) assert.ok(quantity === null || quantity >= 0);
        assert.deepEqual(returnHeld(held.lines, held.stock).stock, stock);
      },
    ),
  );
});
