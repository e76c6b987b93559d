import {
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
  /** Called with messages that are rejected, for example to log them. */
  onRejected?: ((error: WebhookError) => void) | undefined;
};

/** What to respond with. */
export type Received = { status: number; text: string };

/** Verifies and handles a message. Throws what `handle` throws, so that the framework reports it. */
export async function receiveWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  { secrets, handle, onRejected, ...options }: ReceiverOptions,
): Promise<Received> {
  try {
    const known = typeof secrets === 'function' ? await secrets() : secrets;
    const message = await verifyWebhook(headers, rawBody, known, options);
    await handle(message);
    await options.seen?.add(message.id);
    return { status: 200, text: '' };
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    onRejected?.(error);
    return { status: error.status, text: error.message };
  }
}
