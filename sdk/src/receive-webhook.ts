import {
  headerOf,
  secretKeys,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookError,
  type WebhookMessage,
} from './webhooks.ts';

export type ReceiverOptions = VerifyOptions & {
  /** The signing secret, or the old and the new one during a rotation. A function is called for every message. */
  secrets: string | readonly string[] | (() => string | readonly string[] | Promise<string | readonly string[]>);
  /** Respond within 10 seconds: store the message or handle it quickly. If it throws, Aisle sends the message again. */
  handle: (message: WebhookMessage) => void | Promise<void>;
  /** Larger messages are rejected before they are read. Default: 10 MiB. */
  maxBytes?: number | undefined;
  /** Called with messages that are rejected, for example to log them. */
  onRejected?: ((error: WebhookError) => void) | undefined;
};

/** Called at the start, so that a server without a secret does not start, instead of rejecting every message. */
export function checkSecrets({ secrets }: ReceiverOptions): void {
  if (typeof secrets !== 'function') secretKeys([secrets].flat());
}

/** What to respond with. */
export type Received = { status: number; text: string };

/** Verifies and handles a message. Throws what `handle` throws, so that the framework reports it. */
export async function receiveWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | AsyncIterable<Uint8Array>,
  { secrets, handle, onRejected, maxBytes = 10 * 1024 * 1024, ...options }: ReceiverOptions,
): Promise<Received> {
  try {
    const isComplete = typeof rawBody === 'string' || rawBody instanceof Uint8Array;
    const body = isComplete ? rawBody : await readBody(headers, rawBody, maxBytes);
    const known = typeof secrets === 'function' ? await secrets() : secrets;
    const message = await verifyWebhook(headers, body, known, options);
    await handle(message);
    await options.seen?.add(message.id);
    return { status: 200, text: '' };
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    onRejected?.(error);
    return { status: error.status, text: error.message };
  }
}

/** The bytes as they were sent. Anyone can send a message, so it is not kept in memory whatever its size. */
async function readBody(
  headers: WebhookHeaders,
  parts: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const tooLarge = new WebhookError('too_large', `The body has more than ${maxBytes} bytes.`);
  if (Number(headerOf(headers, 'content-length')) > maxBytes) throw tooLarge;
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > maxBytes) throw tooLarge;
    kept.push(part);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of kept) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
