import assert from 'node:assert/strict';
import test from 'node:test';
import { networkOf } from '../kernel/outbound/addresses.ts';
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

test('one network cannot fill the queue', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 3, waitingPerNetwork: 2 });
  const { check, end } = scripted();
  const results = [1, 2, 3].map((n) => queue.run('flood', check(`flood ${n}`)));
  await assert.rejects(queue.run('flood', check('flood 4')), { code: 'rate_limited' });
  results.push(queue.run('user', check('user')));
  for (const name of ['flood 1', 'flood 2', 'user', 'flood 3']) await end(name);
  assert.equal((await Promise.all(results)).length, 4);
});

test('a flood from several networks does not keep out a network that has nothing waiting', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 4, waitingPerNetwork: 10 });
  const { started, check, end } = scripted();
  const flood = ['a', 'a', 'a', 'b', 'b'].map((network, n) => queue.run(network, check(`${network} ${n}`)));
  const settled = Promise.allSettled(flood);
  const user = queue.run('user', check('user'));
  await assert.rejects(flood[4] as Promise<string>, { code: 'rate_limited' });
  const another = queue.run('another', check('another'));
  await assert.rejects(flood[2] as Promise<string>, { code: 'rate_limited' });
  await assert.rejects(queue.run('third', check('third')), { code: 'service_unavailable' }, 'each network has one');
  for (const name of ['a 0', 'a 1', 'b 3', 'user', 'another']) await end(name);
  assert.deepEqual(started, ['a 0', 'a 1', 'b 3', 'user', 'another']);
  assert.deepEqual([await user, await another], ['user', 'another']);
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
});

test('many IPv6 networks of one site take turns and give way as one', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 4, waitingPerNetwork: 10 });
  const { started, check, end } = scripted();
  const flood = [0, 1, 2, 3, 4].map((n) => queue.run(networkOf(`2001:db8:0:${n}::1`), check(`flood ${n}`)));
  const settled = Promise.allSettled(flood);
  const users = [queue.run('192.0.2.1', check('IPv4')), queue.run(networkOf('2001:db8:1:1::1'), check('another site'))];
  for (const name of ['flood 0', 'flood 1', 'IPv4', 'another site', 'flood 2']) await end(name);
  assert.deepEqual(started, ['flood 0', 'flood 1', 'IPv4', 'another site', 'flood 2']);
  await Promise.all(users);
  const codes = (await settled).map((result) => (result.status === 'rejected' ? result.reason.code : result.value));
  assert.equal(codes.filter((code) => code === 'rate_limited').length, 2);
});

test('a client that disconnects leaves the queue', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 10, waitingPerNetwork: 1 });
  const { started, check, end } = scripted();
  const first = queue.run('user', check('first'));
  const client = new AbortController();
  const gone = queue.run('user', check('gone'), client.signal);
  await assert.rejects(queue.run('user', check('too many')), { code: 'rate_limited' });
  client.abort();
  await assert.rejects(gone, { code: 'request_timeout' });
  await assert.rejects(queue.run('user', check('late'), client.signal), { code: 'request_timeout' });
  const next = queue.run('user', check('next'));
  await end('first');
  await end('next');
  assert.deepEqual([await first, await next], ['first', 'next']);
  assert.deepEqual(started, ['first', 'next']);
});

test('a failed check releases its slot', async () => {
  const queue = createVerificationQueue({ running: 1, waiting: 1, waitingPerNetwork: 1 });
  await assert.rejects(
    queue.run('user', () => Promise.reject(new Error('wrong'))),
    /wrong/,
  );
  assert.equal(await queue.run('user', async () => 'right'), 'right');
});
