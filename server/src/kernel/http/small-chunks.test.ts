import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { createChunkCounter, discardBody } from './small-chunks.ts';

test('chunks of one byte are slowed down, and larger ones are not', () => {
  const pausesOf = (bytes: number) => {
    const count = createChunkCounter();
    return Array.from({ length: 3000 }, () => count(Buffer.alloc(bytes))).filter((ms) => ms > 0).length;
  };
  assert.deepEqual([pausesOf(1), pausesOf(30), pausesOf(100)], [3, 3, 0]);
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
    for (let sent = 0; sent < 2000; sent++) request.write(Buffer.alloc(bytes));
    request.end();
    await new Promise((resolve) => request.once('end', resolve));
    assert.equal(isDestroyed, isDisconnected);
  });
}
