import type { Readable } from 'node:stream';
import { Failure } from '../failures/failure.ts';
import { minBytesPerWindow, tooLarge, tooSlow } from './request-body.ts';

/**
 * Yields the body while it arrives. The client is as fast as the consumer, so memory use does not depend on the size.
 * Everything that has arrived is yielded at once, because a client can send chunks of one byte.
 */
export async function* streamBody(
  source: Readable,
  { limit, idleMs }: { limit: number; idleMs: number },
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let failure: Failure | undefined;
  let wake: (() => void) | undefined;
  const onChange = () => wake?.();
  // While the consumer is busy, the server is the slow one.
  const check = () => {
    if (wake && received < minBytesPerWindow) failure = tooSlow(idleMs);
    received = 0;
    if (failure) wake?.();
  };
  const events = ['readable', 'end', 'error', 'close'];
  for (const name of events) source.on(name, onChange);
  const timer = setInterval(() => setImmediate(check), idleMs);
  try {
    for (let size = 0; ; ) {
      const chunk = source.read() as Buffer | null;
      if (chunk) {
        received += chunk.length;
        size += chunk.length;
        if (size > limit) throw tooLarge(limit);
        yield chunk;
        continue;
      }
      if (source.readableEnded) return;
      if (failure) throw failure;
      if (source.destroyed) throw incomplete();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
  } finally {
    clearInterval(timer);
    for (const name of events) source.off(name, onChange);
  }
}

function incomplete(): Failure {
  return new Failure('invalid_request', 'The body is incomplete.', { headers: { connection: 'close' } });
}
