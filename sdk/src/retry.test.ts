import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError, ConnectionError, TimeoutError, UnexpectedResponseError } from './errors.ts';
import type { Problem } from './generated/models.ts';
import { retryDelayMs } from './retry.ts';

const api = (code: string, headers = {}) => new ApiError({ code } as Problem, 0, new Headers(headers));
const proxy = (status: number) => new UnexpectedResponseError(status, new Headers(), '');

const cases: [error: unknown, always: boolean, keyed: boolean, rejected: boolean][] = [
  [new ConnectionError('lost'), true, true, false],
  [new TimeoutError('late'), true, true, false],
  [api('rate_limited'), true, true, true],
  [api('request_timeout'), true, true, true],
  // The change may have been made.
  [api('service_unavailable'), true, true, false],
  [api('internal_error'), true, true, false],
  [api('idempotency_in_progress'), false, true, false],
  [api('secret_key_missing'), false, false, false],
  [api('order_state_conflict'), false, false, false],
  [proxy(502), true, true, false],
  [proxy(429), true, true, false],
  [proxy(404), false, false, false],
  [new TypeError('a mistake in the program'), false, false, false],
];
for (const [error, ...expected] of cases) {
  test(`${String(error)} is repeated only if that is safe`, () => {
    const found = (['always', 'keyed', 'rejected'] as const).map((retry) => retryDelayMs(retry, error, 1, 0.5));
    assert.deepEqual(
      found.map((delay) => delay !== undefined),
      expected,
    );
  });
}

test('delays grow up to a maximum, and are spread at random', () => {
  const delay = (attempt: number, random: number) => retryDelayMs('always', new ConnectionError('x'), attempt, random);
  assert.deepEqual([delay(1, 0), delay(1, 1), delay(2, 1), delay(3, 1), delay(20, 1)], [250, 500, 1000, 2000, 8000]);
});

test('the server decides how long to wait, in seconds or with a date', () => {
  const delay = (value: string) => Number(retryDelayMs('always', api('rate_limited', { 'retry-after': value }), 1, 0));
  assert.equal(delay('7'), 7000);
  const date = delay(new Date(Date.now() + 60_000).toUTCString());
  assert.ok(date > 50_000 && date <= 60_000, String(date));
  assert.equal(delay('Thu, 01 Jan 1970 00:00:00 GMT'), 0);
  assert.equal(delay('soon'), 250);
});

test('a Retry-After that is neither a number nor a date is ignored', () => {
  for (const value of ['-5', '1.5', '+3', '1e9', '0x10', '12 s', '2001']) {
    const headers = { 'retry-after': value };
    const expected = value === '2001' ? 2_001_000 : 250;
    assert.equal(retryDelayMs('always', api('rate_limited', headers), 1, 0), expected, value);
  }
});

test('jitter does not make a delay longer than the maximum that the client accepts', () => {
  const minute = api('rate_limited', { 'retry-after': '60' });
  assert.equal(retryDelayMs('always', minute, 1, 1, 60_000), 60_000);
  assert.equal(retryDelayMs('always', api('rate_limited', { 'retry-after': '61' }), 1, 0, 60_000), undefined);
  assert.equal(
    retryDelayMs('always', api('rate_limited', { 'retry-after': '9'.repeat(400) }), 1, 0, 60_000),
    undefined,
  );
});
