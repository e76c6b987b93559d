import assert from 'node:assert/strict';
import test from 'node:test';
import { currentLanguage, loadMessages } from '../messages/language.ts';
import { describeCounts, describeResult } from './describe.ts';

await loadMessages('start');
await loadMessages('pages');
const { t } = currentLanguage();

test('the counts leave out what did not happen', () => {
  assert.equal(describeCounts(t, { passed: 13, failed: 0, skipped: 0, total: 13 }), '13 of 13 passed');
  assert.equal(
    describeCounts(t, { passed: 11, failed: 1, skipped: 1, total: 13 }),
    '11 of 13 passed, 1 failed, 1 skipped',
  );
});

test('an incomplete certification is not described as complete', () => {
  assert.match(describeResult(t, { status: 'PASSED', is_complete: true }), /every scenario as documented/);
  assert.match(describeResult(t, { status: 'PASSED', is_complete: false }), /not every scenario was run/);
});
