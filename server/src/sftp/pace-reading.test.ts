import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import test, { type TestContext } from 'node:test';
import { type Pace, paceReading } from './pace-reading.ts';

test('what a client sends is parsed in small pieces, and the process does other work in between', async (t) => {
  let [turn, lastTurn, inTurn, maxInTurn, total] = [0, -1, 0, 0, 0];
  let isDone = false;
  const { client, socket } = await openPair(t);
  paceReading(socket, { spend: () => 0, isWanted: () => true });
  socket.on('data', (piece) => {
    burn(piece.length / 1024);
    inTurn = (turn === lastTurn ? inTurn : 0) + piece.length;
    lastTurn = turn;
    maxInTurn = Math.max(maxInTurn, inTurn);
    total += piece.length;
  });
  socket.once('end', () => (isDone = true));
  client.end(Buffer.alloc(256 * 1024));
  while (!isDone) {
    await nextTurn();
    turn += 1;
  }
  assert.equal(total, 256 * 1024);
  assert.ok(maxInTurn <= 16 * 1024, `${maxInTurn} bytes`);
});

test('every byte is passed on once, in order and before the end, however often reading pauses', async (t) => {
  const sent = randomBytes(600_000);
  const received: Buffer[] = [];
  let count = 0;
  const { client, socket } = await openPair(t);
  const reading = paceReading(socket, { spend: () => (count++ % 7 === 0 ? 1 : 0), isWanted: () => true });
  socket.on('data', (piece) => {
    received.push(Buffer.from(piece));
    if (count % 5 !== 0) return;
    reading.pause('requests');
    setTimeout(() => reading.resume('requests'), 1);
  });
  const ended = once(socket, 'end');
  for (let at = 0; at < sent.length; at += 50_000) client.write(sent.subarray(at, at + 50_000));
  client.end();
  await ended;
  assert.ok(Buffer.concat(received).equals(sent));
});

test('nothing more is read from a client that does not read its responses, until it does', async (t) => {
  let received = 0;
  const { client, socket } = await openPair(t);
  paceReading(socket, { spend: () => 0, isWanted: () => true });
  socket.on('data', (piece) => {
    received += piece.length;
    socket.write(Buffer.alloc(20 * piece.length));
  });
  client.pause();
  const size = 2 * 1024 * 1024;
  client.write(Buffer.alloc(size));
  await sleep(300);
  const before = received;
  await sleep(200);
  assert.equal(received, before);
  assert.ok(before < size / 2 && socket.writableLength < 2 * 1024 * 1024, `${before} ${socket.writableLength}`);
  client.resume();
  while (received < size) await sleep(10);
});

test('a client waits for as long as its pace says, and nothing is parsed once it is no longer wanted', async (t) => {
  const times: number[] = [];
  const pace: Pace = { spend: () => 50, isWanted: () => times.length < 4 };
  const { client, socket } = await openPair(t);
  paceReading(socket, pace);
  socket.on('data', () => times.push(performance.now()));
  client.write(Buffer.alloc(64 * 1024));
  while (times.length < 4) await sleep(10);
  await sleep(200);
  assert.equal(times.length, 4);
  for (const [index, time] of times.slice(1).entries()) assert.ok(time - (times[index] ?? 0) >= 45, times.join(' '));
});

/** Two ends of a connection. */
async function openPair(t: TestContext): Promise<{ client: Socket; socket: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    for (const one of [client, socket]) one.destroy();
    server.close();
  });
  return { client, socket };
}

function burn(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}
