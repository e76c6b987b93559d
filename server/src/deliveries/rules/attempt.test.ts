import assert from 'node:assert/strict';
import test from 'node:test';
import { statusAfter, outcomeOf, pingType } from './attempt.ts';

const now = new Date('2026-05-04T09:30:00.000Z');
const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
const responded = (status: number) => ({
  kind: 'responded' as const,
  status,
  headers: {},
  beginning: Buffer.alloc(0),
  isCut: false,
  timings,
});

const outcomes: [status: number, outcome: string][] = [
  [200, 'success'],
  [202, 'success'],
  [299, 'success'],
  [100, 'http_error'],
  [301, 'redirect'],
  [307, 'redirect'],
  [400, 'http_error'],
  [410, 'gone'],
  [429, 'http_error'],
  [503, 'http_error'],
];
for (const [status, outcome] of outcomes) {
  test(`a ${status} response is recorded as ${outcome}`, () => {
    assert.deepEqual(outcomeOf(responded(status)), { outcome, httpStatus: status });
  });
}

test('a failed connection is recorded without an HTTP status', () => {
  const result = { kind: 'failed', reason: 'timeout', detail: 'x', timings } as const;
  assert.deepEqual(outcomeOf(result), { outcome: 'timeout', httpStatus: null });
});

test('a delivery is DELIVERED if an attempt succeeds, whether it is the first or the last', () => {
  for (const tries of [1, 13]) {
    assert.equal(statusAfter({ type: 'order.received', tries }, 'success', now, 0).status, 'DELIVERED');
  }
});

test('a delivery that fails is FAILED until its last attempt, then EXHAUSTED', () => {
  const statuses = Array.from({ length: 13 }, (_, index) =>
    statusAfter({ type: 'order.received', tries: index + 1 }, 'http_error', now, 0),
  );
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [...Array.from({ length: 12 }, () => 'FAILED'), 'EXHAUSTED'],
  );
  assert.equal(statuses.at(-1)?.retrySeconds, null);
});

test('a ping that fails is not retried', () => {
  assert.equal(statusAfter({ type: pingType, tries: 1 }, 'timeout', now, 0).status, 'EXHAUSTED');
});

test('a delivery that received a 410 response is kept for a retry once the endpoint is enabled again', () => {
  const { status, retrySeconds } = statusAfter({ type: 'order.received', tries: 1 }, 'gone', now, 0);
  assert.deepEqual([status, retrySeconds], ['FAILED', 10]);
});
