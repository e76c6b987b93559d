import assert from 'node:assert/strict';
import test from 'node:test';
import { endsInTime } from '../../../test/support/in-time.ts';
import { compareCauses, findSilentStores, isDelayed } from './alerts.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 4, 9, minute));
const chain_id = 'c1';
const store = { chain_id, vendor_id: 's1', orders: 2, waiting_since: at(5) };

test('a store is silent unless credentials that cover it were used after the limit', () => {
  const silentWith = (...uses: Parameters<typeof findSilentStores>[1]) =>
    findSilentStores([store], uses, at(10)).map(({ since }) => since.getUTCMinutes());
  assert.deepEqual(silentWith(), [5]);
  assert.deepEqual(silentWith({ chain_id, vendor_ids: null, at: at(11) }), []);
  assert.deepEqual(silentWith({ chain_id, vendor_ids: ['s1'], at: at(11) }), []);
  assert.deepEqual(silentWith({ chain_id, vendor_ids: ['s2'], at: at(11) }), [5]);
  assert.deepEqual(silentWith({ chain_id: 'c2', vendor_ids: null, at: at(11) }), [5]);
  assert.deepEqual(silentWith({ chain_id, vendor_ids: null, at: at(8) }), [8]);
});

test('thousands of stores and of credentials for many stores each are compared in time', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `store ${index}`);
  const waiting = Array.from({ length: 5000 }, (_, index) => ({ ...store, vendor_id: `store ${index}` }));
  const uses = Array.from({ length: 3000 }, () => ({ chain_id, vendor_ids: ids, at: at(11) }));
  const silent = endsInTime(() => findSilentStores(waiting, uses, at(10)));
  assert.equal(silent.length, 4000);
});

test('alerts start for new causes and end when their cause is gone, chain by chain', () => {
  const [cause] = findSilentStores([store], [], at(10));
  assert.ok(cause);
  const same = { chain_id, cause: 'store s1' };
  assert.deepEqual(compareCauses([], [cause]), { started: [cause], ended: [] });
  assert.deepEqual(compareCauses([same], [cause]), { started: [], ended: [] });
  const other = { chain_id: 'c2', cause: 'store s1' };
  assert.deepEqual(compareCauses([other], [cause]), { started: [cause], ended: [other] });
});

test('a backlog that stays close to the limit does not start and end alerts all the time', () => {
  assert.equal(isDelayed(119, 120, false), false);
  assert.equal(isDelayed(120, 120, false), true);
  assert.equal(isDelayed(60, 120, true), true);
  assert.equal(isDelayed(59, 120, true), false);
});
