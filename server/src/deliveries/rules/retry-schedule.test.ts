import assert from 'node:assert/strict';
import test from 'node:test';
import { retryDelay } from './retry-schedule.ts';

const now = new Date('2026-05-04T09:30:00.000Z');

test('the 12 retry delays are 10 s (four times), 1, 5 and 30 min, and 2, 6, 12, 24 and 24 h', () => {
  const hour = 3600;
  const waits = Array.from({ length: 13 }, (_, index) => retryDelay(index + 1, now, 0));
  const expected = [10, 10, 10, 10, 60, 300, 1800, 2 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour, null];
  assert.deepEqual(waits, expected);
});

test('jitter lengthens a retry delay by at most a fifth and never shortens it', () => {
  assert.equal(retryDelay(1, now, 1), 12);
  assert.equal(retryDelay(6, now, 0.5), 330);
});

const headers: [text: string, seconds: number][] = [
  ['120', 120],
  [' 30 ', 30],
  ['3', 10],
  ['0', 10],
  ['3600', 3600],
  ['86400', 3600],
  ['999999999', 3600],
  ['Mon, 04 May 2026 09:32:00 GMT', 120],
  ['Mon, 04 May 2026 08:00:00 GMT', 10],
  ['Tue, 05 May 2026 09:30:00 GMT', 3600],
  ['-5', 10],
  ['soon', 10],
  ['', 10],
];
for (const [text, seconds] of headers) {
  test(`Retry-After "${text}" makes the first retry wait ${seconds} s`, () => {
    assert.equal(retryDelay(1, now, 0, text), seconds);
  });
}

test('Retry-After never moves an attempt ahead of schedule or adds an extra attempt', () => {
  assert.equal(retryDelay(8, now, 0, '10'), 7200);
  assert.equal(retryDelay(13, now, 0, '10'), null);
});
