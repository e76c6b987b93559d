import assert from 'node:assert/strict';
import test from 'node:test';
import { afterFailure, afterSuccess, freeSlots, newPace, type Pace, reliabilityOf } from './pace.ts';

const maxSlots = 16;

test('a new endpoint gets one attempt at a time, and each success doubles that number up to the limit', () => {
  assert.equal(freeSlots(newPace, maxSlots, 0), 1);
  const limits = [1, 2, 3, 4, 5].map(
    (times) => repeat(newPace, times, (pace) => afterSuccess(pace, maxSlots, 20)).limit,
  );
  assert.deepEqual(limits, [2, 4, 8, 16, 16]);
});

test('running attempts use up slots, and an endpoint never gets more than its maximum', () => {
  assert.equal(freeSlots({ ...newPace, limit: 4, running: 3 }, maxSlots, 0), 1);
  assert.equal(freeSlots({ ...newPace, limit: 4, running: 9 }, maxSlots, 0), 0);
  assert.equal(freeSlots({ ...newPace, limit: 4 }, 2, 0), 2);
});

test('an endpoint starts as unknown, and becomes proven or slow after a success, or failing after a failure', () => {
  assert.deepEqual(
    [
      newPace,
      afterSuccess(newPace, maxSlots, 20),
      afterSuccess(newPace, maxSlots, 2001),
      afterFailure(newPace, 0),
      afterFailure(afterSuccess(newPace, maxSlots, 20), 0),
    ].map(reliabilityOf),
    ['unknown', 'proven', 'slow', 'failing', 'failing'],
  );
});

test('after five failures in a row an endpoint gets one attempt at a time, with pauses of up to a second', () => {
  const fail = (times: number) => repeat({ ...newPace, limit: 16 }, times, (pace) => afterFailure(pace, 1000));
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((times) => fail(times).limit),
    [8, 4, 2, 1, 1],
  );
  assert.deepEqual(
    [4, 5, 6, 9, 10, 50].map((times) => Math.max(0, fail(times).pausedUntilMs - 1000)),
    [0, 50, 100, 800, 1000, 1000],
  );
  assert.deepEqual([freeSlots(fail(50), maxSlots, 1999), freeSlots(fail(50), maxSlots, 2000)], [0, 1]);
});

test('one success ends the pause and makes the endpoint proven again, and one failure makes it failing again', () => {
  const down = repeat(newPace, 20, (pace) => afterFailure(pace, 0));
  const up = afterSuccess(down, maxSlots, 20);
  assert.deepEqual([up.failures, up.pausedUntilMs, up.isProven, up.limit], [0, 0, true, 2]);
  assert.equal(afterFailure(up, 0).isProven, false);
});

function repeat(pace: Pace, times: number, step: (pace: Pace) => Pace): Pace {
  return times === 0 ? pace : repeat(step(pace), times - 1, step);
}
