import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createThreadPool, OutOfMemoryError, StoppedError, type ThreadOptions } from './thread-pool.ts';

type Job = { value: number; action?: 'throw' | 'grow' | 'exit' | 'work' | 'hang' | 'keep'; bytes?: Uint8Array };

const module = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', async ({ value, action, bytes }) => {
    if (action === 'keep') globalThis.kept = Array.from({ length: 40 }, (_, n) => Array.from({ length: 131072 }, () => n + 0.5));
    if (action === 'throw') throw new Error('broken');
    if (action === 'exit') process.exit(0);
    if (action === 'hang') for (;;);
    for (const kept = []; action === 'grow'; ) kept.push(Array.from({ length: 100_000 }, Math.random));
    if (action === 'work') await new Promise((resolve) => setTimeout(resolve, 100));
    parentPort.postMessage(value + (bytes?.length ?? 0));
  });`;
const create = (count: number, options: Partial<ThreadOptions> = {}) =>
  createThreadPool<Job, number>(new URL(`data:text/javascript,${encodeURIComponent(module)}`), {
    count,
    memoryMb: 64,
    ...options,
  });
const threads = create(2);
after(() => threads.close());

test('if there are more jobs than threads, all of them run, and each caller gets its own result', async () => {
  const values = await Promise.all(Array.from({ length: 20 }, (_, value) => threads.run('a', { value }, [])));
  assert.deepEqual(
    values,
    Array.from({ length: 20 }, (_, value) => value),
  );
});

test('a buffer can be transferred to a thread instead of being copied', async () => {
  const bytes = new Uint8Array(10);
  assert.equal(await threads.run('a', { value: 1, bytes }, [bytes.buffer]), 11);
  assert.equal(bytes.length, 0);
});

test('a job that fails, exceeds its memory limit or cannot be sent does not affect the others', async () => {
  const sent = new Uint8Array(1);
  structuredClone(sent, { transfer: [sent.buffer] });
  const bad = [
    threads.run('a', { value: 0, action: 'throw' }, []),
    threads.run('a', { value: 0, action: 'grow' }, []),
    threads.run('a', { value: 0, bytes: sent }, [sent.buffer]),
  ];
  const good = Array.from({ length: 5 }, (_, value) => threads.run('a', { value }, []));
  const [failed, grown, unsendable] = await Promise.allSettled(bad);
  assert.ok(failed?.status === 'rejected' && failed.reason.message === 'broken');
  assert.ok(grown?.status === 'rejected' && grown.reason instanceof OutOfMemoryError);
  assert.ok(unsendable?.status === 'rejected' && unsendable.reason.name === 'DataCloneError');
  assert.deepEqual(await Promise.all(good), [0, 1, 2, 3, 4]);
});

test('if a thread exits without an error, its job fails and the thread is replaced', async () => {
  const one = create(1);
  const [exited, next] = await Promise.allSettled([
    one.run('a', { value: 0, action: 'exit' }, []),
    one.run('a', { value: 5 }, []),
  ]);
  assert.ok(exited.status === 'rejected' && /exited with code 0/.test(exited.reason.message));
  assert.ok(next.status === 'fulfilled' && next.value === 5);
  await one.close();
});

test('closing lets a running job finish and rejects queued and later jobs', async () => {
  const one = create(1);
  const running = one.run('a', { value: 1, action: 'work' }, []);
  const waiting = assert.rejects(one.run('a', { value: 2 }, []), /closed/);
  const closing = one.close();
  const late = assert.rejects(one.run('a', { value: 3 }, []), /closed/);
  assert.equal(await running, 1);
  await Promise.all([waiting, late, closing]);
});

test('closing does not wait for a job that never ends', async () => {
  const one = create(1, { graceMs: 50 });
  // Starts the thread first, so that closing interrupts the job rather than the startup.
  await one.run('a', { value: 0 }, []);
  const endless = assert.rejects(one.run('a', { value: 1, action: 'hang' }, []), /exited with code 1/);
  await one.close();
  await endless;
});

test('a job that takes too long is stopped, and its thread is replaced', async () => {
  const one = create(1, { jobMs: 100 });
  await assert.rejects(one.run('a', { value: 1, action: 'hang' }, []), StoppedError);
  await one.close();
});

test('a job whose request was aborted is stopped, and is not started if it is still queued', async () => {
  const one = create(1);
  await one.run('a', { value: 0 }, []);
  const [running, queued] = [new AbortController(), new AbortController()];
  const stopped = assert.rejects(one.run('a', { value: 1, action: 'hang' }, [], running.signal), StoppedError);
  const skipped = assert.rejects(one.run('a', { value: 2, action: 'hang' }, [], queued.signal), StoppedError);
  const next = one.run('a', { value: 3 }, []);
  queued.abort();
  await skipped;
  running.abort();
  await stopped;
  assert.equal(await next, 3);
  await assert.rejects(one.run('a', { value: 4 }, [], running.signal), StoppedError);
  await one.close();
});

test('the jobs of one chain do not starve those of another', async () => {
  const two = create(2);
  const order: string[] = [];
  const run = (chainId: string) =>
    two.run(chainId, { value: 0, action: 'work' }, []).then(() => void order.push(chainId));
  const all = [...Array.from({ length: 6 }, () => run('a')), run('b'), run('c'), run('c')];
  await Promise.all(all);
  // One thread runs the jobs of the first chain, one after the other. The other thread runs those of the other chains.
  const last = Math.max(order.indexOf('b'), order.lastIndexOf('c'));
  assert.ok(order.slice(0, last).filter((chainId) => chainId === 'a').length <= 4, order.join(' '));
  await two.close();
});

test('waiting chains take turns', async () => {
  const one = create(1);
  const order: string[] = [];
  const run = (chainId: string) => one.run(chainId, { value: 0 }, []).then(() => void order.push(chainId));
  await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map(run));
  assert.deepEqual(order, ['a', 'a', 'b', 'c', 'a', 'b']);
  await one.close();
});

test('an idle thread ends and releases its memory', async () => {
  const pool = create(1, { idleMs: 20 });
  // Earlier tests may have left memory that is released at any time.
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const before = process.memoryUsage().rss;
  await pool.run('a', { value: 0, action: 'keep' }, []);
  const kept = process.memoryUsage().rss;
  assert.ok(kept > before + 30 * 1024 * 1024);
  const deadline = performance.now() + 10_000;
  while (process.memoryUsage().rss > kept - 20 * 1024 * 1024) {
    assert.ok(performance.now() < deadline, 'the memory was not released');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(await pool.run('a', { value: 4 }, []), 4);
  await pool.close();
});
