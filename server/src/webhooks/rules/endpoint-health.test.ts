import assert from 'node:assert/strict';
import test from 'node:test';
import { type Health, healthAfter, healthOfNewUrl, healthWhenDisabled, healthWhenEnabled } from './endpoint-health.ts';

const start = new Date('2026-05-04T09:30:00.000Z');
const later = (hours: number) => new Date(start.getTime() + hours * 3600 * 1000);
const failing: Health = { failing_since: start, disabled_at: null, disabled_reason: null };

test('the first failure sets failing_since, and later ones do not change it', () => {
  assert.deepEqual(healthAfter(healthWhenEnabled, 'timeout', start), failing);
  assert.deepEqual(healthAfter(failing, 'http_error', later(50)), failing);
});

test('one success clears failing_since', () => {
  assert.deepEqual(healthAfter(failing, 'success', later(119)), healthWhenEnabled);
});

test('an endpoint is disabled after five days of failures without a success, but not before', () => {
  assert.equal(healthAfter(failing, 'timeout', later(119.99)).disabled_reason, null);
  assert.deepEqual(healthAfter(failing, 'timeout', later(120)), {
    failing_since: start,
    disabled_at: later(120),
    disabled_reason: 'FAILING',
  });
});

test('a 410 response disables the endpoint immediately', () => {
  const health = healthAfter(healthWhenEnabled, 'gone', start);
  assert.deepEqual(health, { failing_since: start, disabled_at: start, disabled_reason: 'GONE' });
});

test('a disabled endpoint stays disabled for the same reason, whatever the outcome of a late attempt', () => {
  const off = healthWhenDisabled(start);
  for (const outcome of ['success', 'gone', 'timeout'] as const) {
    const { disabled_at, disabled_reason } = healthAfter(off, outcome, later(200));
    assert.deepEqual([disabled_at, disabled_reason], [start, 'MANUAL']);
  }
});

test('an endpoint with a new URL starts out healthy, unless it was disabled manually', () => {
  assert.deepEqual(healthOfNewUrl({ ...failing, disabled_at: start, disabled_reason: 'GONE' }), healthWhenEnabled);
  assert.equal(healthOfNewUrl(healthWhenDisabled(start)).disabled_reason, 'MANUAL');
});
