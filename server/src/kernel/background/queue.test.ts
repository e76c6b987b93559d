import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import type { Tx } from '../database/db.ts';
import { defineTask, enqueue } from './queue.ts';
import { handleTask } from './worker.ts';

const countTask = defineTask('test.count', { job_id: Type.String(), chunk: Type.Integer() });

/** Never called. It checks at compile time which payloads are accepted. */
export async function checkPayloadTypes(tx: Tx): Promise<void> {
  const place = { chainId: 'chain', lane: 'lane', batch: 'batch' };
  await enqueue(tx, countTask, [{ ...place, payload: { job_id: 'job', chunk: 1 } }]);
  // @ts-expect-error -- a field is missing
  await enqueue(tx, countTask, [{ ...place, payload: { job_id: 'job' } }]);
  // @ts-expect-error -- a field has the wrong type
  await enqueue(tx, countTask, [{ ...place, payload: { job_id: 'job', chunk: '1' } }]);
  // @ts-expect-error -- a field is not in the definition
  await enqueue(tx, countTask, [{ ...place, payload: { job_id: 'job', chunk: 1, step: 2 } }]);
  // @ts-expect-error -- the next slice needs a complete payload as well
  handleTask(countTask, async (_tx, _chainId, { job_id }) => ({ again: { job_id } }));
}

test('a payload is validated when it is read, and its unknown fields are kept', () => {
  const stored = { job_id: 'job', chunk: 1, added_by_a_later_version: true };
  assert.deepEqual(countTask.readPayload(stored), stored);
  assert.throws(() => countTask.readPayload({ job_id: 'job', chunk: 'one' }), /payload of test\.count.*\/chunk/);
  assert.throws(() => countTask.readPayload(null), /payload of test\.count/);
});
