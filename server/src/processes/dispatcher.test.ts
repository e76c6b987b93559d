import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import test from 'node:test';
import { createDispatcher, type Limits, type Target } from './dispatcher.ts';
import { type ListenerName, listenerNames } from './messages.ts';

const limits: Limits = { unconfirmed: 1, waiting: { http: 4, metrics: 4, sftp: 4 }, hangingMs: 2000, killMs: 30_000 };

type Options = { unconfirmed?: number; listeners?: readonly ListenerName[] };

const proxies = [{ address: '192.0.2.0', prefix: 24 }];

function setUp(count: number, { unconfirmed = 1, listeners = listenerNames }: Options = {}) {
  let clock = 0;
  const dispatcher = createDispatcher(proxies, { ...limits, unconfirmed }, () => clock);
  const sent: [number, Socket | undefined][] = [];
  const killed: number[] = [];
  const targets = Array.from({ length: count }, (_, index): Target => {
    const number = index + 1;
    return {
      listeners,
      send: (_message, socket) => void sent.push([number, socket]),
      kill: () => void killed.push(number),
    };
  }) as [Target, Target];
  let [lastAddress, lastPort] = [0, 0];
  const dispatch = (listener: ListenerName = 'http', address = `10.0.0.${++lastAddress}`) => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    Object.defineProperty(socket, 'remotePort', { value: ++lastPort });
    dispatcher.dispatch(listener, socket);
    return socket;
  };
  const wait = (ms: number) => {
    clock += ms;
    dispatcher.check();
  };
  return { dispatcher, sent, killed, targets, dispatch, wait };
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

test('connections wait while no process is ready, up to a limit for each port', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(1);
  const waiting = Array.from({ length: 4 }, () => dispatch('sftp'));
  assert.equal(dispatch('sftp').destroyed, true, 'all places of this port are taken');
  const other = dispatch('http');
  assert.deepEqual(
    [...waiting, other].map(({ destroyed }) => destroyed),
    Array(5).fill(false),
  );
  dispatcher.add(targets[0]);
  assert.deepEqual(sent, [[1, other]]);
});

test('if all places are taken, the newest connection of the network with the most connections is closed', () => {
  for (const [first, second] of [
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::2'],
  ]) {
    const { dispatch } = setUp(1);
    const flood = [dispatch('http', first), dispatch('http', second), dispatch('http', first)];
    const others = [dispatch(), dispatch(), dispatch()];
    assert.deepEqual(
      [...flood, ...others].map(({ destroyed }) => destroyed),
      [false, true, true, false, false, false],
      first,
    );
  }
});

test('the connections of a trusted proxy belong to different clients', () => {
  const { dispatch } = setUp(1);
  const direct = [dispatch('http', '203.0.113.9'), dispatch('http', '203.0.113.9')];
  const proxied = [dispatch('http', '192.0.2.1'), dispatch('http', '192.0.2.1'), dispatch('http', '192.0.2.1')];
  const destroyed = (sockets: Socket[]) => sockets.map((socket) => socket.destroyed);
  assert.deepEqual([destroyed(direct), destroyed(proxied)], [[false, true], Array(3).fill(false)]);
});

test('networks take turns', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(2);
  const flood = Array.from({ length: 3 }, () => dispatch('http', '203.0.113.9'));
  const other = dispatch();
  dispatcher.add(targets[0]);
  for (let count = 0; count < 3; count++) dispatcher.confirm(targets[0]);
  const order = [flood[0], other, flood[1], flood[2]];
  assert.deepEqual(
    sent.map(([, socket]) => order.indexOf(socket)),
    [0, 1, 2, 3],
  );
  // A connection that its process did not take comes first again.
  dispatch('http', '203.0.113.10');
  dispatcher.add(targets[1]);
  dispatcher.remove(targets[0]);
  dispatcher.confirm(targets[1]);
  assert.deepEqual(sent.at(-1), [2, flood[2]]);
});

test('a process that hangs gets no more connections, and is killed if it does not recover', () => {
  const { dispatcher, sent, killed, targets, dispatch, wait } = setUp(2, { unconfirmed: 2 });
  targets.forEach(dispatcher.add);
  dispatch();
  dispatch();
  wait(limits.hangingMs + 1);
  dispatcher.confirm(targets[1]);
  const others = [dispatch(), dispatch()];
  assert.deepEqual(
    sent.slice(2),
    others.map((socket) => [2, socket]),
  );
  others.forEach(() => dispatcher.confirm(targets[1]));
  wait(limits.killMs);
  assert.deepEqual(killed, [1]);
});

test('a process gets only connections of its ports', () => {
  const { dispatcher, sent, targets, dispatch } = setUp(2, { listeners: ['http', 'metrics'] });
  const [serving, sftp] = [targets[0], { ...targets[1], listeners: ['sftp'] as const }];
  dispatcher.add(serving);
  const waiting = dispatch('sftp');
  assert.deepEqual(sent, []);
  dispatcher.add(sftp);
  const request = dispatch('http');
  assert.deepEqual(sent, [
    [2, waiting],
    [1, request],
  ]);
  dispatcher.confirm(sftp);
  dispatcher.remove(sftp);
  assert.equal(dispatch('sftp').destroyed, false);
  assert.equal(sent.length, 2, 'the connection waits');
});
