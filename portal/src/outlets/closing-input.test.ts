import assert from 'node:assert/strict';
import test from 'node:test';
import { closingRequest, initialClosing } from './closing-input.ts';

const requestFor = (change: object) => closingRequest({ ...initialClosing, ...change });

test('each end of a closure has its own field in the request', () => {
  const closed = { status: 'CLOSED_UNTIL', closed_reason: 'OTHER' };
  assert.deepEqual(requestFor({}), { status: 'CLOSED_TODAY', closed_reason: 'OTHER' });
  assert.deepEqual(requestFor({ end: 'minutes30' }), { ...closed, closed_for_minutes: 30 });
  assert.deepEqual(requestFor({ end: 'minutes60' }), { ...closed, closed_for_minutes: 60 });
  assert.deepEqual(requestFor({ end: 'tomorrow' }), { ...closed, closed_until_tomorrow: '08:00' });
  assert.deepEqual(requestFor({ end: 'reopened' }), { ...closed, until_reopened: true });
  const time = '2026-05-04 12:00:00';
  assert.deepEqual(requestFor({ end: 'time', time }), { ...closed, closed_until: new Date(time).toISOString() });
});

test('a closure without the chosen time is incomplete', () => {
  assert.equal(requestFor({ end: 'time' }), undefined);
  assert.equal(requestFor({ end: 'tomorrow', tomorrowAt: '' }), undefined);
});
