import { partsOf } from './downloads.ts';
import { receiveWebhook, type ReceiverOptions } from './receive-webhook.ts';

export type { ReceiverOptions } from './receive-webhook.ts';
export { createSeenIds, type WebhookMessage } from './webhooks.ts';

/** A handler for webhooks, for everything that uses the Fetch `Request`: Next.js, Hono, Workers, Deno and Bun. */
export function aisleWebhook(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = request.body ? partsOf(request.body) : '';
    const { status, text } = await receiveWebhook(request.headers, body, options);
    return new Response(text, { status });
  };
}
