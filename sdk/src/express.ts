import { AisleError } from './errors.ts';
import { checkSecrets, receiveWebhook, type ReceiverOptions } from './receive-webhook.ts';

export type { ReceiverOptions } from './receive-webhook.ts';
export { createSeenIds, type WebhookMessage } from './webhooks.ts';

/** The parts of an express (or Node) request that are used. */
export type ExpressRequest = AsyncIterable<Uint8Array> & {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
  rawBody?: unknown;
};
export type ExpressResponse = {
  statusCode: number;
  setHeader?(name: string, value: string): unknown;
  end(text?: string): unknown;
};

/**
 * Express middleware for the path of your webhook. It needs the body as it was sent: mount it before `express.json()`,
 * or behind `express.raw({ type: 'application/json' })`.
 */
export function aisleWebhook(options: ReceiverOptions) {
  checkSecrets(options);
  return (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void): void => {
    respond(request, response, options).catch(next);
  };
}

async function respond(request: ExpressRequest, response: ExpressResponse, options: ReceiverOptions): Promise<void> {
  const { status, text } = await receiveWebhook(request.headers, rawBodyOf(request), options);
  response.statusCode = status;
  // The rest of the body is not read.
  if (status === 413) response.setHeader?.('connection', 'close');
  response.end(text);
}

function rawBodyOf(request: ExpressRequest): string | Uint8Array | AsyncIterable<Uint8Array> {
  for (const body of [request.rawBody, request.body]) {
    if (typeof body === 'string' || body instanceof Uint8Array) return body;
  }
  if (request.body !== undefined) {
    throw new AisleError(
      'The webhook was parsed before it was verified. Mount aisleWebhook before express.json(), or use express.raw().',
    );
  }
  return request;
}
