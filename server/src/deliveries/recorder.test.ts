import assert from 'node:assert/strict';
import test from 'node:test';
import type { Database } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { createLog } from '../kernel/monitoring/log.ts';
import type { Finished } from './attempt-queries.ts';
import { createRecorders } from './recorder.ts';

test('an attempt is recorded when the database is back, however many tries that takes', async () => {
  const db = failing(60);
  await createRecorders(() => db.fake, log, 1).record(null, attempt);
  assert.deepEqual(db.counts, { tries: 61, written: 1 });
});

test('a recorder that is stopped while the database is unavailable stops trying', async () => {
  const db = failing(Number.POSITIVE_INFINITY);
  const recorder = createRecorders(() => db.fake, log, 1);
  const recording = recorder.record(null, attempt);
  recorder.stopRetrying();
  await recording;
  assert.equal(db.counts.written, 0);
});

test('an attempt that cannot be written does not keep others from being written', async () => {
  const [first, second, rejected, last] = Array.from({ length: 4 }, () => ({}) as Finished);
  const written: unknown[] = [];
  const counts = { tries: 0 };
  const recorders = createRecorders((_scope, batch) => rejecting(batch), log, 1);
  const rejecting = (batch: Finished[]) => {
    const transaction = async () => {
      counts.tries += 1;
      if (batch.some((one) => one === rejected)) throw new Error('The database has rejected an attempt.');
      written.push(...batch);
    };
    return { withIdleLimit: { transaction } } as unknown as Database;
  };
  await Promise.all([first, second, rejected, last].map((one) => recorders.record(null, one as Finished)));
  assert.deepEqual(written, [first, second, last]);
  assert.equal(counts.tries, 8);
});

const log = createLog('silent');
const attempt = {} as Finished;

/** A database that is unavailable for the first `times` tries. */
function failing(times: number) {
  const counts = { tries: 0, written: 0 };
  const transaction = async () => {
    counts.tries += 1;
    if (counts.tries <= times) throw new Failure('service_unavailable');
    counts.written += 1;
  };
  return { counts, fake: { withIdleLimit: { transaction } } as unknown as Database };
}
