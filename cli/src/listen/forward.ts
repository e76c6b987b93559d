import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { FeedEvent } from '@aisle/sdk';
import { causeText } from '../report-error.ts';
import { type Environment, signMessage } from './sign.ts';

export type Forwarding = {
  url: string;
  secret: string;
  environment: Environment;
  authorization: string | undefined;
  signal: AbortSignal;
};

/** How the receiver responded. The status is null if there was no response. */
export type Forwarded = { status: number | null; durationMs: number; error: string | null };

/** As long as the server waits for a receiver. */
const timeoutMs = 10_000;

/** Sends the event as the server would: the same headers and bytes, and redirects are not followed. */
export async function forwardEvent(event: FeedEvent, forwarding: Forwarding): Promise<Forwarded> {
  const { url, signal, ...signing } = forwarding;
  const message = signMessage({ event, ...signing, at: new Date() });
  const start = performance.now();
  const duration = () => Math.round(performance.now() - start);
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const status = await post(url, message, AbortSignal.any([signal, deadline]));
    return { status, durationMs: duration(), error: null };
  } catch (error) {
    const reason = deadline.aborted ? 'no response within 10 s' : causeText(error);
    return { status: null, durationMs: duration(), error: reason };
  }
}

export function isDelivered({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Returns the status. Unlike fetch, it adds no headers that the server would not send, and allows every port. */
function post(url: string, { body, headers }: ReturnType<typeof signMessage>, signal: AbortSignal): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body));
    const request = send(url, { method: 'POST', headers: { ...headers, 'content-length': length }, signal });
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.end(body);
  });
}
