import type { Readable } from 'node:stream';
import { Failure } from '../failures/failure.ts';
import { minBytesPerWindow, tooLarge, tooSlow } from './request-body.ts';
import { createChunkCounter, refuseSmallChunks } from './small-chunks.ts';

/**
 * Yields the body while it arrives. The client is as fast as the consumer, so memory use does not depend on the size.
 * Everything that has arrived is yielded at once, because a client can send chunks of one byte.
 */
export async function* streamBody(
  source: Readable,
  { limit, idleMs }: { limit: number; idleMs: number },
): AsyncGenerator<Uint8Array> {
  const incoming = collectChunks(source, idleMs);
  try {
    for (let size = 0; ; ) {
      const bytes = await incoming.next();
      if (!bytes) return;
      size += bytes.length;
      if (size > limit) throw tooLarge(limit);
      yield bytes;
    }
  } finally {
    incoming.stop();
  }
}

const maxPendingBytes = 64 * 1024;

function collectChunks(source: Readable, idleMs: number) {
  const countChunk = createChunkCounter();
  let chunks: Buffer[] = [];
  let pending = 0;
  let received = 0;
  let failure: Failure | undefined;
  let wake: (() => void) | undefined;
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    pending += chunk.length;
    received += chunk.length;
    if (countChunk(chunk)) failure = refuseSmallChunks(source);
    else if (pending >= maxPendingBytes) source.pause();
    wake?.();
  };
  const onChange = () => wake?.();
  // While the consumer is busy, the server is the slow one.
  const check = () => {
    if (wake && received < minBytesPerWindow) failure = tooSlow(idleMs);
    received = 0;
    if (failure) wake?.();
  };
  const timer = setInterval(() => setImmediate(check), idleMs);
  source.on('data', onData).on('end', onChange).on('error', onChange).on('close', onChange);
  const takeAll = () => {
    const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    chunks = [];
    pending = 0;
    return bytes;
  };
  return {
    /** Everything that has arrived, or undefined at the end of the body. */
    async next(): Promise<Uint8Array | undefined> {
      if (failure) throw failure;
      while (chunks.length === 0) {
        if (source.readableEnded) return undefined;
        if (source.destroyed) throw incomplete();
        source.resume();
        await new Promise<void>((resolve) => (wake = resolve));
        wake = undefined;
        if (failure) throw failure;
      }
      return takeAll();
    },
    stop() {
      clearInterval(timer);
      source.off('data', onData).off('end', onChange).off('close', onChange);
    },
  };
}

function incomplete(): Failure {
  return new Failure('invalid_request', 'The body is incomplete.', { headers: { connection: 'close' } });
}
