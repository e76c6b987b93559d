import assert from 'node:assert/strict';
import test from 'node:test';
import { urgencyOf } from './urgency.ts';
import { checkWeight, parseWeight } from './weight.ts';

test('a weight can have a decimal point or comma, Arabic digits and a unit', () => {
  const same = ['0.85', '0,85', ' .85 ', '0.850', '٠٫٨٥', '۰٫۸۵', '0.85 kg'];
  assert.deepEqual(
    same.map((text) => parseWeight(text)),
    same.map(() => 0.85),
  );
  assert.deepEqual(
    ['', '1.', 'abc', '1.2345', '-1', '1.2.3', '4006381333931'].map((text) => parseWeight(text)),
    [undefined, 1, undefined, undefined, undefined, undefined, undefined],
  );
});

test('a weight is checked against the limits', () => {
  const limits = { min: 0.85, max: 1.15 };
  assert.deepEqual(
    ['', 'x', '0.8', '0.85', '1.15', '1.16'].map((text) => checkWeight(text, limits)),
    ['missing', 'invalid', 'outside', undefined, undefined, 'outside'],
  );
  assert.equal(checkWeight('99', { min: 0.001, max: undefined }), undefined);
});

test('an order turns amber before the promised time and red after it', () => {
  const now = Date.parse('2026-05-04T10:00:00Z');
  const at = (promised_for: string | null, created_at = '2026-05-04T09:55:00Z') =>
    urgencyOf({ promised_for, created_at }, now);
  assert.deepEqual(at('2026-05-04T10:30:00Z'), { level: 'calm', kind: 'dueIn', minutes: 30 });
  assert.deepEqual(at('2026-05-04T10:09:00Z'), { level: 'amber', kind: 'dueIn', minutes: 9 });
  assert.deepEqual(at('2026-05-04T09:56:00Z'), { level: 'red', kind: 'late', minutes: 4 });
  assert.deepEqual(at(null), { level: 'calm', kind: 'waiting', minutes: 5 });
  assert.deepEqual(at(null, '2026-05-04T09:45:00Z'), { level: 'amber', kind: 'waiting', minutes: 15 });
  assert.deepEqual(at(null, '2026-05-04T09:30:00Z'), { level: 'red', kind: 'waiting', minutes: 30 });
});
