import { receiveWebhook, type ReceiverOptions } from './receive-webhook.ts';

export type { ReceiverOptions } from './receive-webhook.ts';
export { createSeenIds, type WebhookMessage } from './webhooks.ts';

/** A handler for webhooks, for everything that uses the Fetch `Request`: Next.js, Hono, Workers, Deno and Bun. */
export function aisleWebhook(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, text } = await receiveWebhook(request.headers, await request.text(), options);
    return new Response(text, { status });
  };
}
