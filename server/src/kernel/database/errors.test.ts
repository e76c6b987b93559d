import assert from 'node:assert/strict';
import test from 'node:test';
import { isUniqueViolation } from './errors.ts';

test('a unique violation is recognized by its constraint, with or without the number of a shard', () => {
  const violation = (constraint: string, code = '23505') =>
    Object.assign(new Error('duplicate key'), { code, constraint });
  assert.ok(isUniqueViolation(violation('vendors_external_id'), 'vendors_external_id'));
  assert.ok(isUniqueViolation(violation('vendors_external_id_102008'), 'vendors_external_id'));
  assert.ok(!isUniqueViolation(violation('vendors_pkey_102008'), 'vendors_external_id'));
  assert.ok(!isUniqueViolation(violation('vendors_external_id', '23503'), 'vendors_external_id'));
  assert.ok(!isUniqueViolation(new Error('other'), 'vendors_external_id'));
});
