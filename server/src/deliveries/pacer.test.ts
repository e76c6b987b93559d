import assert from 'node:assert/strict';
import test from 'node:test';
import { createPacer } from './pacer.ts';

const of = (endpoint_id: string, chain_id = 'chain') => ({ chain_id, endpoint_id, is_platform: false });
const success = { hasSucceeded: true, durationMs: 20 };
const failure = { hasSucceeded: false, durationMs: 20 };

test('unknown and slow endpoints can use half of the slots, failing ones a quarter, and working ones all', () => {
  const pacer = createPacer(16, 4);
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [16, [16, 8, 4, 8]]);
  for (let count = 0; count < 6; count++) pacer.begin(of(`new ${count}`));
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [10, [10, 2, 4, 8]]);
  for (let count = 0; count < 6; count++) pacer.end(of(`new ${count}`), count % 2 === 0 ? success : failure);
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [16, [16, 8, 4, 8]]);
});

test("an endpoint's slots and reliability depend on its latest attempts", () => {
  const pacer = createPacer(100, 4);
  for (let count = 0; count < 5; count++) {
    pacer.begin(of('good'));
    pacer.end(of('good'), success);
  }
  pacer.begin(of('bad'));
  pacer.end(of('bad'), failure);
  pacer.begin(of('late'));
  pacer.end(of('late'), { hasSucceeded: true, durationMs: 9500 });
  pacer.begin(of('fresh'));
  const { endpoints, newEndpointSlots } = pacer.share();
  assert.deepEqual(Object.fromEntries(endpoints), {
    good: { reliability: 1, slots: 4 },
    bad: { reliability: 3, slots: 1 },
    late: { reliability: 4, slots: 2 },
    fresh: { reliability: 2, slots: 0 },
  });
  assert.equal(newEndpointSlots, 1);
});

test('the endpoints of a chain can use half of the slots together', () => {
  const pacer = createPacer(16, 4);
  for (let count = 0; count < 7; count++) pacer.begin(of(`endpoint ${count}`, 'large'));
  pacer.begin(of('other', 'small'));
  const { busyChains, slotsPerChain } = pacer.share();
  assert.deepEqual([slotsPerChain, Object.fromEntries(busyChains)], [8, { large: 1, small: 7 }]);
  pacer.end(of('other', 'small'), success);
  assert.deepEqual(Object.fromEntries(pacer.share().busyChains), { large: 1 });
});
