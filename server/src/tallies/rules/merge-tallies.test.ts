import assert from 'node:assert/strict';
import test from 'node:test';
import { mergeTallies } from './merge-tallies.ts';

const success = (chainId: string, vendorId: string | null, minute: number, tookMs: number) => ({
  chainId,
  vendorId,
  at: new Date(Date.UTC(2026, 0, 1, 12, minute)),
  change: { attempts_succeeded: 1 },
  tookMs,
});
const failure = { ...success('a', '1', 0, 0), change: { attempts_failed: 1 }, tookMs: undefined };

test('attempts of a store in the same quarter of an hour that took equally long are one entry', () => {
  const merged = mergeTallies([success('a', '1', 0, 5), success('a', '1', 14, 5), failure, failure, failure]);
  assert.deepEqual(
    merged.map(({ change, tookMs }) => [change, tookMs]),
    [
      [{ attempts_succeeded: 2 }, 5],
      [{ attempts_failed: 3 }, undefined],
    ],
  );
});

test('attempts of other chains, stores, quarters and durations stay separate', () => {
  const entries = [
    success('a', '1', 0, 5),
    success('b', '1', 0, 5),
    success('a', '2', 0, 5),
    success('a', null, 0, 5),
    success('a', '1', 15, 5),
    success('a', '1', 0, 6),
  ];
  assert.deepEqual(mergeTallies(entries), entries);
});
