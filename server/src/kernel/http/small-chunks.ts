import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/**
 * A chunk of a body takes a few microseconds, however small it is, so a client that sends chunks of one byte keeps the
 * process busy with very little data. Clients that write a file line by line send small chunks too, so they are only
 * slowed down.
 *
 * Returns a function that counts a chunk and says how long to pause after it, in milliseconds.
 */
export function createChunkCounter(): (chunk: Uint8Array) => number {
  let chunks = 0;
  let bytes = 0;
  return (chunk) => {
    chunks += 1;
    bytes += chunk.length;
    if (chunks < chunksPerPause) return 0;
    const isSmall = bytes < chunks * smallChunkBytes;
    chunks = 0;
    bytes = 0;
    return isSmall ? pauseMs : 0;
  };
}

const smallChunkBytes = 64;
const chunksPerPause = 1000;
const pauseMs = 100;

/**
 * Stops reading from the connection until the request reads again. A paused request alone would keep up to 64 Ki chunks, which take 16 MB if they have
 * one byte each.
 */
export function pauseSocket(source: Readable): void {
  (source as Partial<IncomingMessage>).socket?.pause();
}

/** Reads the rest of a body that is not used. A client that sends it in small chunks is disconnected. */
export function discardBody(request: IncomingMessage, socket: Socket = request.socket): void {
  const count = createChunkCounter();
  request.on('data', (chunk: Buffer) => {
    if (count(chunk) > 0) socket.destroy();
  });
  request.resume();
}
