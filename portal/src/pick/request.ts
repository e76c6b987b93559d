import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Input, OperationId, ResponseBody } from '../api/operations.ts';
import { listenToReachability, recordReachability } from '../api/reach.ts';
import { endSession, session } from './session.ts';

type Options = { headers?: Record<string, string>; signal?: AbortSignal };

/** Calls an API operation of the signed-in user's chain, and notices when the network or the session is gone. */
export async function request<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: Options = {},
): Promise<ResponseBody<Id>> {
  try {
    const body = await call(session.get()?.chain.chain_id ?? '', id, input, options);
    recordReachability(true);
    return body;
  } catch (error) {
    if (!(error instanceof ApiError) || options.signal?.aborted) throw error;
    recordReachability(isFromServer(error));
    if (error.problem.code === 'invalid_token') endSession();
    throw error;
  }
}

/** Whether the same request can succeed later. If not, what it was about to change is given up. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return !isFromServer(error) || error.status === 408 || error.status === 429 || error.status >= 500;
}

/** Whether Aisle has responded. If there is no code, a proxy did, or the sign-in page of a Wi-Fi, or nothing. */
function isFromServer({ problem }: ApiError): boolean {
  return problem.code !== undefined;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.problem.code : undefined;
}

/**
 * Waits, but not longer than until the network is back or the signal is aborted. The first request after the browser
 * says that it is online often fails, so a request elsewhere that reaches the server also ends the wait.
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    clearTimeout(timer);
    stopListening();
    window.removeEventListener('online', done);
    signal?.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, milliseconds);
  const stopListening = listenToReachability(done);
  window.addEventListener('online', done);
  signal?.addEventListener('abort', done);
  return promise;
}
