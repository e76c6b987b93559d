import assert from 'node:assert/strict';
import test from 'node:test';
import { findDisplaced } from './displaced.ts';

test('silent connections from a few networks do not keep a user of another network out', () => {
  const waiting = [
    { network: 'b', no: 1 },
    { network: 'a', no: 2 },
    { network: 'a', no: 3 },
  ];
  assert.equal(findDisplaced(waiting, 'c')?.no, 2);
  assert.equal(findDisplaced(waiting, 'b')?.no, 2);
  assert.equal(findDisplaced(waiting, 'a'), undefined);
});
