import assert from 'node:assert/strict';
import test from 'node:test';
import { cleanUpOnFailure, createCleanup } from './cleanup.ts';

test('everything is closed once, in reverse order, even if a step fails', async () => {
  const closed: number[] = [];
  const cleanup = createCleanup();
  cleanup.add(() => closed.push(1));
  cleanup.add(async () => {
    closed.push(2);
    throw new Error('cannot be closed');
  });
  cleanup.add(() => closed.push(3));
  await assert.rejects(cleanup.run(), /cannot be closed/);
  await assert.rejects(cleanup.run(), /cannot be closed/);
  assert.deepEqual(closed, [3, 2, 1]);
});

test('a startup that fails halfway closes everything it has opened and throws the original error', async () => {
  const closed: string[] = [];
  const start = cleanUpOnFailure(async (cleanup) => {
    cleanup.add(() => closed.push('first'));
    cleanup.add(() => Promise.reject(new Error('cannot be closed')));
    throw new Error('second cannot be opened');
  });
  await assert.rejects(start, /second cannot be opened/);
  assert.deepEqual(closed, ['first']);
});

test('a successful startup closes nothing', async () => {
  const closed: string[] = [];
  await cleanUpOnFailure(async (cleanup) => cleanup.add(() => closed.push('first')));
  assert.deepEqual(closed, []);
});
