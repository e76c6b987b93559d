import assert from 'node:assert/strict';
import test from 'node:test';
import { createPacer } from './pacer.ts';

test('unknown endpoints can use half of the slots, failing ones a quarter, and working ones all of them', () => {
  const pacer = createPacer(16, 4);
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [16, [16, 8, 4]]);
  for (let count = 0; count < 6; count++) pacer.begin(`new ${count}`);
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [10, [10, 2, 4]]);
  for (let count = 0; count < 6; count++) pacer.end(`new ${count}`, count % 2 === 0);
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [16, [16, 8, 4]]);
});

test("an endpoint's slots and reliability depend on its latest attempts", () => {
  const pacer = createPacer(100, 4);
  for (let count = 0; count < 5; count++) {
    pacer.begin('good');
    pacer.end('good', true);
  }
  pacer.begin('bad');
  pacer.end('bad', false);
  pacer.begin('fresh');
  const { endpoints, newEndpointSlots } = pacer.share();
  assert.deepEqual(Object.fromEntries(endpoints), {
    good: { reliability: 1, slots: 4 },
    bad: { reliability: 3, slots: 1 },
    fresh: { reliability: 2, slots: 0 },
  });
  assert.equal(newEndpointSlots, 1);
});
