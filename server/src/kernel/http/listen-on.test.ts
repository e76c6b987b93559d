import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, isIP } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createLog } from '../monitoring/log.ts';
import { createMetrics } from '../monitoring/metrics.ts';
import { connectionLimits } from './connections.ts';
import { listAddresses, listenOn, stopListening } from './listen-on.ts';
import { closeHttp, createHttp } from './server.ts';

/** A server on two addresses, with a route whose response the test releases. */
async function startOnTwoAddresses() {
  const app = createHttp(createLog('silent'), createMetrics(), connectionLimits(10));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    await released;
    return 'done';
  });
  await listenOn(app, [
    { host: '127.0.0.1', port: 0 },
    { host: '127.0.0.1', port: 0 },
  ]);
  const [second] = app.furtherListeners;
  assert.ok(second);
  return { app, release, second, port: (second.address() as AddressInfo).port };
}

test('a shutdown waits for a request on the second address of the host', async () => {
  const { app, release, second, port } = await startOnTwoAddresses();
  const isHandled = once(app.server, 'request');
  const response = fetch(`http://127.0.0.1:${port}/slow`);
  await isHandled;
  let isClosed = false;
  const closing = closeHttp(app, 60_000).then(() => {
    isClosed = true;
  });
  while (second.listening) await setImmediate();
  await assert.rejects(fetch(`http://127.0.0.1:${port}/slow`), 'no new connections are accepted');
  assert.equal(isClosed, false);
  release();
  assert.equal(await (await response).text(), 'done');
  await closing;
});

test('a half-sent request on the second address of the host does not delay a shutdown', async () => {
  const { app, port } = await startOnTwoAddresses();
  const accepted = once(app.server, 'connection');
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n');
  await accepted;
  // `once` would fail if the connection is reset.
  const closed = new Promise((resolve) => socket.resume().on('close', resolve));
  await closeHttp(app, 60_000);
  await closed;
});

test('a new connection can send its first request during a shutdown, and is closed after it', async () => {
  const { app, release, port } = await startOnTwoAddresses();
  release();
  const accepted = once(app.server, 'connection');
  const socket = connect(port, '127.0.0.1').resume();
  const [connection] = await accepted;
  app.connections.closeUnused();
  assert.equal(connection.destroyed, false);
  const handled = once(app.server, 'request');
  socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response] = await handled;
  await once(response, 'close');
  assert.equal(response.statusCode, 200);
  app.connections.closeUnused();
  assert.equal(connection.destroyed, true);
  await closeHttp(app, 60_000);
});

test('a connection that waits to be accepted when the server stops listening is served', async () => {
  const server = createServer((socket) => socket.end('done'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const received = once(socket, 'data');
  await stopListening([server]);
  assert.equal(server.listening, false);
  assert.equal(String((await received)[0]), 'done');
});

test('only localhost stands for several addresses', async () => {
  assert.deepEqual(await listAddresses({ host: '0.0.0.0', port: 80 }), [{ host: '0.0.0.0', port: 80 }]);
  const local = await listAddresses({ host: 'localhost', port: 80 });
  assert.ok(local.length > 0 && local.every(({ host, port }) => isIP(host) > 0 && port === 80));
});
