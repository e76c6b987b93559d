import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../monitoring/log.ts';
import { createMetrics } from '../monitoring/metrics.ts';
import { limitClient } from './connections.ts';
import { closeHttp, createHttp } from './server.ts';

const limits = { headersMs: 200, requestMs: 400, idleMs: 200, lingerMs: 100 };
const app = createHttp(createLog('silent'), createMetrics(), limits);
app.addContentTypeParser('*', async (_request: unknown, payload: AsyncIterable<Buffer>) => {
  for await (const _chunk of payload);
});
app.post('/upload', async () => 'done');
app.get('/slow', async () => {
  await sleep(500);
  return 'done';
});
let handled = 0;
app.get('/counted', async () => {
  handled += 1;
  return 'done';
});
app.get('/large', async () => 'x'.repeat(64 * 1024 * 1024));
before(() => app.listen({ host: '127.0.0.1', port: 0 }));
after(() => closeHttp(app, 1000));

const halfSent = {
  'a half-sent header': 'GET /slow HTTP/1.1\r\nHost: a\r\n',
  'a half-sent body': 'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf',
  'nothing at all': '',
};
for (const [what, text] of Object.entries(halfSent)) {
  test(`a client that sends ${what} gets 408, and its connection is closed`, async () => {
    const { socket, accepted } = await open(text);
    let received = '';
    for await (const chunk of socket) received += chunk;
    assert.match(received, /^HTTP\/1.1 408 Request Timeout\r\n/);
    assert.match(received, /"code":"request_timeout"/);
    if (!accepted.destroyed) await once(accepted, 'close');
  });
}

test('a client that sends invalid HTTP gets 400, and its connection is closed', async () => {
  const { socket, accepted } = await open('NOT HTTP\r\n\r\n');
  let received = '';
  for await (const chunk of socket) received += chunk;
  assert.match(received, /^HTTP\/1.1 400 Bad Request\r\n/);
  if (!accepted.destroyed) await once(accepted, 'close');
});

test('a client that does not read its response is disconnected', async () => {
  const { socket, accepted } = await open('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  await once(accepted, 'close');
  socket.destroy();
});

const paces: [what: string, sent: number, waiting: number, bytesPerWindow: number, isDisconnected: boolean][] = [
  ['reads a large response slowly, but steadily,', 0, 2_000_000, 200_000, true],
  ['reads the end of a large response slowly', 2_000_000, 10_000, 100, true],
  ['reads a large response fast enough', 0, 2_000_000, 300_000, false],
  ['has read everything that is available', 2_000_000, 0, 0, false],
  ['reads a small response slowly', 0, 60_000, 2000, true],
  ['reads a small response fast enough', 0, 900_000, 70_000, false],
];
for (const [what, sent, waiting, bytesPerWindow, isDisconnected] of paces) {
  test(`a client that ${what} is ${isDisconnected ? '' : 'not '}disconnected`, (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const handle = { writeQueueSize: 0 };
    const socket = { _bytesDispatched: 0, _handle: handle, destroy: t.mock.fn() };
    const response = watched(socket, waiting);
    socket._bytesDispatched = sent + waiting;
    handle.writeQueueSize = waiting;
    for (let window = 0; window < 2; window++) {
      handle.writeQueueSize -= bytesPerWindow;
      t.mock.timers.tick(limits.idleMs);
    }
    response.emit('close');
    assert.equal(socket.destroy.mock.callCount() > 0, isDisconnected);
  });
}

test('a client is not disconnected for the time before its response was ready, or behind an earlier one', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const socket = { _bytesDispatched: 0, _handle: { writeQueueSize: 0 }, destroy: t.mock.fn() };
  const late = watched(socket, 0);
  t.mock.timers.tick(limits.idleMs - 1);
  Object.assign(late, { writableLength: 2_000_000 });
  t.mock.timers.tick(1);
  late.emit('close');
  const queued = Object.assign(watched(socket, 2_000_000), { socket: null });
  t.mock.timers.tick(3 * limits.idleMs);
  queued.emit('close');
  assert.equal(socket.destroy.mock.callCount(), 0);
});

/** A response that waits to be sent. */
function watched(socket: object, waiting: number): EventEmitter {
  const response = Object.assign(new EventEmitter(), { writableLength: waiting, socket, setTimeout() {} });
  limitClient({ socket } as unknown as IncomingMessage, response as unknown as ServerResponse, limits);
  return response;
}

test('a client that reads a large response fast enough gets all of it', async () => {
  const { socket } = await open('GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let received = 0;
  for await (const chunk of socket) received += chunk.length;
  assert.ok(received > 64 * 1024 * 1024);
});

test('a client that waits for a slow response is not disconnected', async () => {
  const { socket } = await open('GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let received = '';
  for await (const chunk of socket) received += chunk;
  assert.match(received, /^HTTP\/1.1 200 OK\r\n/);
});

/** The client never closes its side of the connection. */
async function open(text: string): Promise<{ socket: Socket; accepted: Socket }> {
  const accepting = once(app.server, 'connection') as Promise<[Socket]>;
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(text);
  const [accepted] = await accepting;
  return { socket, accepted };
}

test('a client that sends hundreds of requests at once is disconnected before they are handled', async () => {
  const before = handled;
  const { socket } = await open('GET /counted HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
  await readAll(socket);
  assert.ok(handled - before <= 16, `${handled - before} requests were handled`);
});

test('a client that sends a few requests at once gets all responses', async () => {
  const last = 'GET /counted HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const { socket } = await open('GET /counted HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5) + last);
  assert.equal((await readAll(socket)).split('HTTP/1.1 200').length - 1, 6);
});

/** Reads until the server closes the connection. */
async function readAll(socket: Socket): Promise<string> {
  let received = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => (received += String(chunk)));
    socket
      .on('end', resolve)
      .on('error', () => resolve())
      .on('close', resolve);
  });
  socket.destroy();
  return received;
}
