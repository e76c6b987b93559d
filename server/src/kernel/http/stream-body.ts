import type { Readable } from 'node:stream';
import { Failure } from '../failures/failure.ts';
import { minBytesPerWindow, tooLarge, tooSlow } from './request-body.ts';

/** Yields the body while it arrives. The client is as fast as the consumer, so memory use does not depend on the size. */
export async function* streamBody(
  source: Readable,
  { limit, idleMs }: { limit: number; idleMs: number },
): AsyncGenerator<Uint8Array> {
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  stalled.catch(() => {});
  let received = 0;
  let isWaiting = false;
  // While the consumer is busy, the server is the slow one.
  const check = () => {
    if (isWaiting && received < minBytesPerWindow) reject(tooSlow(idleMs));
    received = 0;
  };
  const timer = setInterval(() => setImmediate(check), idleMs);
  const chunks: AsyncIterator<Uint8Array> = source.iterator({ destroyOnReturn: false });
  try {
    for (let size = 0; ; ) {
      isWaiting = true;
      const next = await Promise.race([chunks.next(), stalled]);
      isWaiting = false;
      if (next.done) return;
      received += next.value.length;
      size += next.value.length;
      if (size > limit) throw tooLarge(limit);
      yield next.value;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_request', 'The body is incomplete.', { headers: { connection: 'close' } });
  } finally {
    clearInterval(timer);
  }
}
