import assert from 'node:assert/strict';
import test from 'node:test';
import { chainEndIn, isUuid, newId, newIdIn } from './ids.ts';

test('an id tells the end of the id of its chain, and is still ordered by time and unique', () => {
  const chainId = newId();
  const ids = Array.from({ length: 1000 }, () => newIdIn(chainId, 1_700_000_000_000));
  for (const id of ids) {
    assert.ok(isUuid(id) && id[14] === '7' && /[89ab]/.test(id[19] ?? ''), id);
    assert.equal(chainEndIn(id.toUpperCase()), chainId.slice(-4));
    assert.ok(id < newIdIn(chainId, 1_700_000_000_001));
  }
  assert.equal(new Set(ids).size, ids.length);
});
