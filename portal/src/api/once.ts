import { useRef } from 'react';
import { ApiError } from './api-error.ts';

/** Sends a change with an idempotency key, or with none. */
type Send<Result> = (options: { idempotencyKey?: string }) => Promise<Result>;
type Attempt = { change: string; key: string; at: number };

/**
 * Creates things, and replaces secrets, once: if there was no response, or a 5xx, it is unknown whether that happened. If
 * the user tries again, the same change has the same idempotency key, so that the first response is returned. Other
 * changes can be repeated without harm.
 */
export function useOnce(): <Result>(id: string, input: unknown, send: Send<Result>) => Promise<Result> {
  const last = useRef<Attempt>(undefined);
  return async (id, input, send) => {
    if (!/^(platform)?(create|rotate)|^sandboxPlaceOrder$/i.test(id)) return send({});
    const change = JSON.stringify([id, input]);
    const isRepeat = last.current?.change === change && Date.now() - last.current.at < maxAgeMs;
    const attempt = isRepeat && last.current ? last.current : { change, key: newKey(), at: Date.now() };
    last.current = attempt;
    try {
      const result = await send({ idempotencyKey: attempt.key });
      last.current = undefined;
      return result;
    } catch (error) {
      if (isKnown(error)) last.current = undefined;
      throw error;
    }
  };
}

/** Later, the user may mean another change that only looks the same. */
const maxAgeMs = 300_000;

/** Whether nothing was changed. The first request can still be running. */
function isKnown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status > 0 && error.status < 500 && error.problem.code !== 'idempotency_in_progress';
}

/** `crypto.randomUUID` does not exist on pages without https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
