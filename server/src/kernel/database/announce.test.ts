import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAnnouncer, subjectsOf } from './announce.ts';

/** Collects payloads. Each NOTIFY takes until `finish` is called. */
function recordPayloads() {
  const sent: string[] = [];
  const pending: (() => void)[] = [];
  const announce = createAnnouncer((_channel, payload) => {
    sent.push(payload);
    return new Promise<void>((resolve) => pending.push(resolve));
  });
  const finish = async () => {
    pending.shift()?.();
    await sleep(20);
  };
  return { sent, announce, finish };
}

test('subjects that are announced while a NOTIFY is running share the next one', async () => {
  const { sent, announce, finish } = recordPayloads();
  for (const subject of ['a', 'b', 'c', 'b']) announce('channel', subject);
  assert.deepEqual(sent, ['a']);
  await finish();
  assert.deepEqual(sent.map(subjectsOf), [['a'], ['b', 'c']]);
  await finish();
  announce('channel', 'd');
  assert.deepEqual(sent, ['a', 'b,c', 'd']);
});

test('too many subjects, or one that is empty, mean that anything can have changed', async () => {
  const { sent, announce, finish } = recordPayloads();
  announce('channel', 'first');
  for (let index = 0; index < 500; index++) announce('channel', `subject ${index} ${'x'.repeat(20)}`);
  await finish();
  announce('channel', 'last');
  announce('channel', '');
  await finish();
  assert.deepEqual(sent, ['first', '', '']);
  assert.deepEqual(subjectsOf(''), []);
});

test('announcements go on after a NOTIFY fails', async () => {
  const sent: string[] = [];
  const announce = createAnnouncer((_channel, payload) => {
    sent.push(payload);
    return Promise.reject(new Error('connection lost'));
  });
  announce('channel', 'a');
  announce('channel', 'b');
  await sleep(20);
  assert.deepEqual(sent, ['a', 'b']);
});

test('subjects that are announced soon after a NOTIFY share the next one', async () => {
  const { sent, announce, finish } = recordPayloads();
  announce('channel', 'a');
  const finished = finish();
  await new Promise((resolve) => setImmediate(resolve));
  announce('channel', 'b');
  announce('channel', 'c');
  assert.deepEqual(sent, ['a']);
  await finished;
  assert.deepEqual(sent, ['a', 'b,c']);
});
