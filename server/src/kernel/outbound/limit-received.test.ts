import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { createGuard, loopback } from './addresses.ts';
import { maxReceivedBytes, ticketBytes, tooLong } from './limit-received.ts';
import { createOutbound } from './outbound.ts';

const endless: Record<string, [start: string, repeated: string]> = {
  'line breaks before the status': ['', '\r\n'],
  'a reason': ['HTTP/1.1 200 ', 'a'],
  'line breaks after 100 Continue': ['HTTP/1.1 100 Continue\r\n\r\n', '\r\n'],
};
for (const [what, [start, repeated]] of Object.entries(endless)) {
  test(`an endpoint that sends ${what} without an end fails at once, not when the time is over`, async (t) => {
    const { post } = await serve(t, (socket) => sendForever(socket, start, repeated));
    const result = await post();
    assert.deepEqual([result.kind, 'detail' in result && result.detail], ['failed', tooLong]);
  });
}

test('headers and trailers after those that are too many cost almost nothing', async (t) => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n';
  for (const start of ['HTTP/1.1 200 OK\r\n', chunked]) {
    const { post } = await serve(t, (socket) => sendForever(socket, start, 'a: b\r\n'));
    await post();
    const before = process.cpuUsage();
    for (let count = 0; count < 5; count++) await post();
    const { user } = process.cpuUsage(before);
    assert.ok(user < 300_000, `${user} µs`);
  }
});

/** Node's own server cannot send many tickets. */
for (const client of ['undici', 'Node']) {
  test(`an endpoint that sends TLS session tickets without an end fails at once (${client})`, async (t) => {
    let connection: Socket | undefined;
    subscribe('net.client.socket', (message) => {
      connection = (message as { socket: Socket }).socket;
    });
    let count = 0;
    const { post } = await serve(t, (socket) => {
      count += 1;
      // After this, the request is sent again with Node's client.
      if (client === 'Node' && count === 1) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      else for (let bytes = 0; bytes <= maxReceivedBytes; bytes += ticketBytes) connection?.emit('session');
    });
    const result = await post();
    assert.deepEqual([result.kind, 'detail' in result && result.detail], ['failed', tooLong]);
  });
}

async function serve(t: TestContext, respond: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => respond(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outbound = createOutbound({ guard: createGuard(loopback), timeoutMs: 20_000 });
  t.after(() => {
    outbound.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    post: () => outbound.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', owner: '', endpoint: '' }),
  };
}

function sendForever(socket: Socket, start: string, repeated: string): void {
  const bytes = Buffer.from(repeated.repeat(65_536 / repeated.length));
  const send = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', send).write(start);
  send();
}
