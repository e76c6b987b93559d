import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import test from 'node:test';
import { createDispatcher, type Target } from './dispatcher.ts';
import type { ListenerName } from './messages.ts';

function setUp(count: number, maxWaiting?: number) {
  const dispatcher = createDispatcher(maxWaiting);
  const sent: [number, Socket | undefined][] = [];
  const targets = Array.from({ length: count }, (_, index): Target => {
    const number = index + 1;
    return { number, send: (_message, socket) => void sent.push([number, socket]) };
  }) as [Target, Target];
  const dispatch = (listener: ListenerName = 'http') => {
    const socket = new Socket();
    dispatcher.dispatch(listener, socket);
    return socket;
  };
  return { dispatcher, sent, targets, dispatch };
}

test('processes get connections in turn, and the next one only after they have confirmed', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(2);
  targets.forEach(dispatcher.add);
  const [a, b, c] = [dispatch(), dispatch(), dispatch()];
  assert.deepEqual(sent, [
    [1, a],
    [2, b],
  ]);
  dispatcher.confirm(targets[1]);
  assert.deepEqual(sent.at(-1), [2, c]);
  assert.equal(b.destroyed, true, 'the confirmed connection is closed in this process');
  assert.equal(a.destroyed, false);
});

test('a connection that a dead process has not confirmed goes to another one', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(2);
  targets.forEach(dispatcher.add);
  const socket = dispatch();
  dispatcher.remove(targets[0]);
  assert.deepEqual(sent, [
    [1, socket],
    [2, socket],
  ]);
});

test('a process that is stopping confirms its connection, but gets no other', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(1);
  dispatcher.add(targets[0]);
  const first = dispatch();
  dispatcher.pause(targets[0]);
  dispatcher.confirm(targets[0]);
  const second = dispatch();
  assert.deepEqual([sent.length, first.destroyed, second.destroyed], [1, true, false]);
  dispatcher.close();
  assert.equal(second.destroyed, true);
});

test('connections wait while no process is ready, up to a limit', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(1, 1);
  const [waiting, tooMany] = [dispatch(), dispatch()];
  assert.deepEqual([waiting.destroyed, tooMany.destroyed], [false, true]);
  dispatcher.add(targets[0]);
  assert.deepEqual(sent, [[1, waiting]]);
});

test('all SFTP connections go to the process with the lowest number', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(2);
  targets.toReversed().forEach(dispatcher.add);
  dispatch('sftp');
  dispatcher.confirm(targets[0]);
  dispatch('sftp');
  assert.deepEqual(
    sent.map(([number]) => number),
    [1, 1],
  );
  dispatcher.remove(targets[0]);
  assert.equal(sent.at(-1)?.[0], 2);
});
