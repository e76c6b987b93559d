import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createThreads, OutOfMemoryError } from './threads.ts';

type Job = { value: number; fails?: boolean; grows?: boolean; bytes?: Uint8Array };

const module = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ value, fails, grows, bytes }) => {
    if (fails) throw new Error('broken');
    for (const kept = []; grows; ) kept.push(Array.from({ length: 100_000 }, Math.random));
    parentPort.postMessage(value + (bytes?.length ?? 0));
  });`;
const threads = createThreads<Job, number>(new URL(`data:text/javascript,${encodeURIComponent(module)}`), 2, 64);
after(() => threads.close());

test('more jobs than threads are all done, each for its caller', async () => {
  const values = await Promise.all(Array.from({ length: 20 }, (_, value) => threads.run({ value }, [])));
  assert.deepEqual(
    values,
    Array.from({ length: 20 }, (_, value) => value),
  );
});

test('memory can be handed over', async () => {
  const bytes = new Uint8Array(10);
  assert.equal(await threads.run({ value: 1, bytes }, [bytes.buffer]), 11);
  assert.equal(bytes.length, 0);
});

test('a job that fails or outgrows its memory spoils no other', async () => {
  const bad = [threads.run({ value: 0, fails: true }, []), threads.run({ value: 0, grows: true }, [])];
  const good = Array.from({ length: 5 }, (_, value) => threads.run({ value }, []));
  const [failed, grown] = await Promise.allSettled(bad);
  assert.ok(failed?.status === 'rejected' && failed.reason.message === 'broken');
  assert.ok(grown?.status === 'rejected' && grown.reason instanceof OutOfMemoryError);
  assert.deepEqual(await Promise.all(good), [0, 1, 2, 3, 4]);
});
