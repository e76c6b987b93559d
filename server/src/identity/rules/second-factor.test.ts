import assert from 'node:assert/strict';
import test from 'node:test';
import { formatRecoveryCode, isAppCode, normalizeCode } from './second-factor.ts';

test('spaces, dashes and case do not matter', () => {
  assert.equal(normalizeCode(' 081 804 '), '081804');
  assert.equal(normalizeCode('K7M2XQ-4hbt2w'), 'k7m2xq4hbt2w');
  assert.ok(isAppCode('081804') && !isAppCode('0818045') && !isAppCode('k7m2xq'));
  assert.equal(formatRecoveryCode('K7M2XQ4HBT2WZR5NDPQ3YCVF'), 'k7m2xq-4hbt2w-zr5ndp-q3ycvf');
});
