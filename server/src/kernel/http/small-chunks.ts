import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Failure } from '../failures/failure.ts';

/**
 * A chunk of a body takes a few microseconds and some memory, however small it is, so a client that sends chunks of one
 * byte keeps the process busy with very little data. Clients that write a file line by line send small chunks too, so
 * only very small ones count. They are counted in groups of consecutive chunks, because the average of a body says
 * nothing about its rest.
 *
 * Returns a function that counts a chunk and says whether the client has sent too many small ones.
 */
export function createChunkCounter(): (chunk: Uint8Array) => boolean {
  let chunks = 0;
  let small = 0;
  return (chunk) => {
    if (chunks === groupSize) chunks = small = 0;
    chunks += 1;
    if (chunk.length < smallChunkBytes) small += 1;
    return small > groupSize / 2;
  };
}

const smallChunkBytes = 8;
const groupSize = 1000;

/** Stops reading a body that arrives in small chunks. Returns the failure for the response, which closes the connection. */
export function refuseSmallChunks(source: Readable): Failure {
  source.pause();
  (source as Partial<IncomingMessage>).socket?.pause();
  const advice = `send chunks of at least ${smallChunkBytes} bytes, or set Content-Length`;
  return new Failure('invalid_request', `The body was sent in very small chunks; ${advice}.`, {
    headers: { connection: 'close' },
  });
}

/** Reads the rest of a body that is not used. A client that sends it in small chunks is disconnected. */
export function discardBody(request: IncomingMessage, socket: Socket = request.socket): void {
  const count = createChunkCounter();
  request.on('data', (chunk: Buffer) => {
    if (!count(chunk)) return;
    socket.destroy();
    request.destroy();
  });
  request.resume();
}
