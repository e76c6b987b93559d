import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { createChunkCounter, discardBody } from './small-chunks.ts';

test('a client that sends thousands of chunks of one byte is refused, and one that sends lines is not', () => {
  const isRefused = (bytes: number) => {
    const count = createChunkCounter();
    return Array.from({ length: 5000 }, () => count(Buffer.alloc(bytes))).some(Boolean);
  };
  assert.deepEqual([isRefused(1), isRefused(20), isRefused(1000)], [true, false, false]);
});

test('a large chunk does not make up for thousands of chunks of one byte', () => {
  const count = createChunkCounter();
  assert.equal(count(Buffer.alloc(4_000_000)), false);
  assert.ok(Array.from({ length: 1500 }, () => count(Buffer.alloc(1))).some(Boolean));
});

for (const [bytes, isDisconnected] of [
  [1, true],
  [100, false],
] as const) {
  test(`a client that sends an unused body in chunks of ${bytes} is ${isDisconnected ? '' : 'not '}disconnected`, async () => {
    const request = new PassThrough({ highWaterMark: 10_000_000 });
    let isDestroyed = false;
    const socket = { destroy: () => (isDestroyed = true) } as unknown as Socket;
    discardBody(request as unknown as IncomingMessage, socket);
    for (let sent = 0; sent < 3000; sent++) request.write(Buffer.alloc(bytes));
    request.end();
    await new Promise((resolve) => request.once('close', resolve));
    assert.equal(isDestroyed, isDisconnected);
  });
}
