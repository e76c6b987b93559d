import assert from 'node:assert/strict';
import test from 'node:test';
import { type Identity, hashIdentity } from './identity.ts';

const identity: Identity = {
  type: 'STRIKETHROUGH',
  display_name: { en_AE: 'Week', ar_AE: 'أسبوع' },
  vendors: ['a', 'b'],
  start_time: new Date('2026-05-04T00:00:00Z'),
  end_time: new Date('2026-05-11T00:00:00Z'),
};
const isSame = (other: Partial<Identity>) => hashIdentity(identity).equals(hashIdentity({ ...identity, ...other }));

test('an identity does not depend on the order of vendors and names or on the format of times', () => {
  assert.ok(isSame({}));
  assert.ok(isSame({ vendors: ['b', 'a', 'b'] }));
  assert.ok(isSame({ display_name: { ar_AE: 'أسبوع', en_AE: 'Week' } }));
  assert.ok(isSame({ start_time: new Date('2026-05-04T04:00:00+04:00') }));
});

test('a different type, name, vendor or time results in a different identity', () => {
  const others: Partial<Identity>[] = [
    { type: 'SAME_ITEM_BUNDLE' },
    { display_name: { en_AE: 'Week' } },
    { display_name: { en_AE: 'week', ar_AE: 'أسبوع' } },
    { vendors: ['a'] },
    { vendors: ['a', 'b', 'c'] },
    { vendors: '*' },
    { start_time: new Date('2026-05-04T00:00:00.001Z') },
    { end_time: new Date('2026-05-11T00:00:00.001Z') },
  ];
  for (const other of others) assert.equal(isSame(other), false, JSON.stringify(other));
});
