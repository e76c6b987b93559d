import { checkSecrets, receiveWebhook, type ReceiverOptions } from './receive-webhook.ts';

export type { ReceiverOptions } from './receive-webhook.ts';
export { createSeenIds, type WebhookMessage } from './webhooks.ts';

/** The parts of Fastify that are used. */
export type FastifyLike = {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
};
export type FastifyRequestLike = { headers: Record<string, string | string[] | undefined>; body: unknown };
export type FastifyReplyLike = { code(status: number): { send(text: string): unknown } };

export type PluginOptions = ReceiverOptions & {
  /** The path of your webhook. */
  path: string;
};

/**
 * A Fastify plugin: `await app.register(aisleWebhook, { path: '/aisle', secrets, handle })`. Only the plugin's own route
 * gets the body as bytes; other routes still get parsed JSON.
 */
export async function aisleWebhook(app: FastifyLike, { path, ...options }: PluginOptions): Promise<void> {
  checkSecrets(options);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(path, async ({ headers, body }, reply) => {
    const { status, text } = await receiveWebhook(headers, body as Uint8Array, options);
    return reply.code(status).send(text);
  });
}
