import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resolveRange, oldestReadable } from './time-range.ts';

const now = new Date('2026-05-04T09:30:00Z');
const day = 86_400_000;
const days = (count: number) => new Date(now.getTime() + count * day);
const decide = (start: Date | undefined, end: Date | undefined, profile: 'strict' | 'tolerant' = 'strict') =>
  resolveRange({ start_time: start, end_time: end }, profile, 60, now);

test('without times, the range is the last 60 days, and includes orders of processes whose clock is ahead', () => {
  assert.deepEqual(decide(undefined, undefined), { from: days(-60), to: days(1) });
});

test('a missing start defaults to 60 days before the end, but not before the oldest readable order', () => {
  assert.deepEqual(decide(undefined, days(-10)), { from: days(-60), to: days(-10) });
  assert.deepEqual(decide(undefined, days(20)), { from: days(-40), to: days(20) });
});

test('exactly 60 days are allowed, but not a millisecond more', () => {
  assert.deepEqual(decide(days(-60), now), { from: days(-60), to: now });
  const wide = decide(new Date(days(-60).getTime() - 1), now);
  assert.ok('message' in wide);
  assert.deepEqual([wide.pointer, wide.code], ['start_time', 'out_of_range']);
});

test('in the tolerant profile, a longer range is reduced to the 60 days before its end', () => {
  assert.deepEqual(decide(days(-300), days(30), 'tolerant'), { from: days(-30), to: days(30) });
});

test('in both profiles, an empty range is allowed, but a range that ends before it starts is rejected', () => {
  assert.deepEqual(decide(days(-1), days(-1)), { from: days(-1), to: days(-1) });
  for (const profile of ['strict', 'tolerant'] as const) {
    const reversed = decide(days(-1), days(-2), profile);
    assert.ok('message' in reversed);
    assert.equal(reversed.pointer, 'end_time');
  }
});

test('orders older than 60 days are never in the range', () => {
  const time = fc.option(fc.integer({ min: -200, max: 200 }).map(days), { nil: undefined });
  fc.assert(
    fc.property(time, time, fc.constantFrom('strict', 'tolerant'), (start, end, profile) => {
      const range = decide(start, end, profile);
      if ('message' in range) return;
      assert.ok(range.from >= oldestReadable(60, now));
      assert.ok((end ?? now).getTime() - range.from.getTime() <= 60 * day);
      if (start && range.to > range.from) assert.ok(range.from >= start);
    }),
  );
});
