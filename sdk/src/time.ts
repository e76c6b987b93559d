import { AisleError, ConnectionError, TimeoutError } from './errors.ts';

/** Waits. Throws the signal's reason if it is aborted first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Runs work that ends when the time is over or the caller aborts it. Written out, because Node 20 does not have
 * `AbortSignal.any` in all versions, and a timer must not keep a program alive after the work is done.
 */
export async function withDeadline<Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (isLate) throw new TimeoutError(`There was no response within ${timeoutMs} ms.`, { cause: error });
    if (error instanceof AisleError) throw error;
    throw new ConnectionError(`The request failed: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Node's `fetch failed` says nothing; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}
