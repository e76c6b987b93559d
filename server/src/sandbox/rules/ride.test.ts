import assert from 'node:assert/strict';
import test from 'node:test';
import { isStillValid } from './ride.ts';

const ride = { order_id: 'a', revision: 2, after_seconds: 5 };

test('a planned ride takes place if nothing has changed since it was planned', () => {
  assert.ok(isStillValid(ride, { revision: 2 }, 5));
});

test('a ride is skipped if the order or after_seconds has changed, or if the rider was removed', () => {
  assert.ok(!isStillValid(ride, { revision: 3 }, 5));
  assert.ok(!isStillValid(ride, { revision: 2 }, null));
  assert.ok(!isStillValid(ride, { revision: 2 }, 60));
});
