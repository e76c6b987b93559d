import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createThreadPool, OutOfMemoryError } from './thread-pool.ts';

type Job = { value: number; action?: 'throw' | 'grow' | 'exit' | 'work' | 'hang'; bytes?: Uint8Array };

const module = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', async ({ value, action, bytes }) => {
    if (action === 'throw') throw new Error('broken');
    if (action === 'exit') process.exit(0);
    if (action === 'hang') for (;;);
    for (const kept = []; action === 'grow'; ) kept.push(Array.from({ length: 100_000 }, Math.random));
    if (action === 'work') await new Promise((resolve) => setTimeout(resolve, 100));
    parentPort.postMessage(value + (bytes?.length ?? 0));
  });`;
const create = (count: number, graceMs?: number) =>
  createThreadPool<Job, number>(new URL(`data:text/javascript,${encodeURIComponent(module)}`), count, 64, graceMs);
const threads = create(2);
after(() => threads.close());

test('if there are more jobs than threads, all of them run, and each caller gets its own result', async () => {
  const values = await Promise.all(Array.from({ length: 20 }, (_, value) => threads.run({ value }, [])));
  assert.deepEqual(
    values,
    Array.from({ length: 20 }, (_, value) => value),
  );
});

test('a buffer can be transferred to a thread instead of being copied', async () => {
  const bytes = new Uint8Array(10);
  assert.equal(await threads.run({ value: 1, bytes }, [bytes.buffer]), 11);
  assert.equal(bytes.length, 0);
});

test('a job that fails, exceeds its memory limit or cannot be sent does not affect the others', async () => {
  const sent = new Uint8Array(1);
  structuredClone(sent, { transfer: [sent.buffer] });
  const bad = [
    threads.run({ value: 0, action: 'throw' }, []),
    threads.run({ value: 0, action: 'grow' }, []),
    threads.run({ value: 0, bytes: sent }, [sent.buffer]),
  ];
  const good = Array.from({ length: 5 }, (_, value) => threads.run({ value }, []));
  const [failed, grown, unsendable] = await Promise.allSettled(bad);
  assert.ok(failed?.status === 'rejected' && failed.reason.message === 'broken');
  assert.ok(grown?.status === 'rejected' && grown.reason instanceof OutOfMemoryError);
  assert.ok(unsendable?.status === 'rejected' && unsendable.reason.name === 'DataCloneError');
  assert.deepEqual(await Promise.all(good), [0, 1, 2, 3, 4]);
});

test('if a thread exits without an error, its job fails and the thread is replaced', async () => {
  const one = create(1);
  const [exited, next] = await Promise.allSettled([
    one.run({ value: 0, action: 'exit' }, []),
    one.run({ value: 5 }, []),
  ]);
  assert.ok(exited.status === 'rejected' && /exited with code 0/.test(exited.reason.message));
  assert.ok(next.status === 'fulfilled' && next.value === 5);
  await one.close();
});

test('closing lets a running job finish and rejects queued and later jobs', async () => {
  const one = create(1);
  const running = one.run({ value: 1, action: 'work' }, []);
  const waiting = assert.rejects(one.run({ value: 2 }, []), /closed/);
  const closing = one.close();
  const late = assert.rejects(one.run({ value: 3 }, []), /closed/);
  assert.equal(await running, 1);
  await Promise.all([waiting, late, closing]);
});

test('closing does not wait for a job that never ends', async () => {
  const one = create(1, 50);
  // Starts the thread first, so that closing interrupts the job rather than the startup.
  await one.run({ value: 0 }, []);
  const endless = assert.rejects(one.run({ value: 1, action: 'hang' }, []), /exited with code 1/);
  await one.close();
  await endless;
});
