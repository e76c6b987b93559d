import assert from 'node:assert/strict';
import test from 'node:test';
import { createVerificationQueue } from './verification-queue.ts';

/** Creates checks that run until `end` is called, and records the order in which they start. */
function scripted() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const check = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      ends.set(name, () => resolve(name));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { started, check, end };
}

test('networks take turns, and only a few checks run at a time', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 10, waitingPerNetwork: 5 });
  const { started, check, end } = scripted();
  const results = ['flood 1', 'flood 2', 'flood 3', 'flood 4'].map((name) => queue.run('flood', check(name)));
  results.push(queue.run('user', check('user')));
  await end('flood 1');
  assert.deepEqual(started, ['flood 1', 'flood 2']);
  await end('flood 2');
  assert.deepEqual(started, ['flood 1', 'flood 2', 'user'], 'the user does not wait for the rest of the flood');
  for (const name of ['user', 'flood 3', 'flood 4']) await end(name);
  assert.deepEqual(await Promise.all(results), ['flood 1', 'flood 2', 'flood 3', 'flood 4', 'user']);
  const again = queue.run('user', check('again'));
  await end('again');
  assert.equal(await again, 'again', 'the slot was released');
});

test('one network cannot fill the queue, and the queue is limited', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 3, waitingPerNetwork: 2 });
  const { check, end } = scripted();
  const results = [1, 2, 3].map((n) => queue.run('flood', check(`flood ${n}`)));
  await assert.rejects(queue.run('flood', check('flood 4')), { code: 'rate_limited' });
  results.push(queue.run('user', check('user')));
  await assert.rejects(queue.run('another user', check('another')), { code: 'service_unavailable' });
  for (const name of ['flood 1', 'flood 2', 'user', 'flood 3']) await end(name);
  assert.equal((await Promise.all(results)).length, 4);
});

test('a failed check releases its slot', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 1, waitingPerNetwork: 1 });
  await assert.rejects(
    queue.run('user', () => Promise.reject(new Error('wrong'))),
    /wrong/,
  );
  assert.equal(await queue.run('user', async () => 'right'), 'right');
});
