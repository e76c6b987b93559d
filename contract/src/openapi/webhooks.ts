import type { TSchema } from 'typebox';
import { events } from '../events.ts';
import { platformEvents } from '../platform-events.ts';
import type { Route } from '../route.ts';
import { type Json, pascal, type SchemaComponents } from './schemas.ts';

/** What Aisle sends to webhooks of a chain or the platform, one entry per event type. */
export function webhookOperations(schemas: SchemaComponents, api: Route['api']): Record<string, Json> {
  const types: Record<string, { summary: string; body: TSchema }> = api === 'partner' ? events : platformEvents;
  return Object.fromEntries(
    Object.entries(types).map(([type, { summary, body }]) => [
      type,
      {
        post: {
          operationId: `on${pascal(type)}`,
          tags: ['Webhooks'],
          summary,
          description: `${summary} Respond with any 2xx status within 10 seconds; otherwise the message is sent again.`,
          security: [],
          parameters: headerNames.map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.alias(`${pascal(type)}Event`, body, summary) } },
          },
          responses: {
            '2XX': { description: 'Received. The response body is ignored.' },
            '410': { description: 'The endpoint is gone. The webhook is disabled, and nothing more is sent.' },
          },
        },
      },
    ]),
  );
}

export function webhookParameters(): Record<string, Json> {
  return parameters;
}

/** The names of components must differ from those of path parameters, such as `WebhookId`. */
const parameters: Record<string, Json> = {
  WebhookMessageId: sent(
    'webhook-id',
    'The id of the event, which is the same in every retry. Use it to detect duplicates.',
    '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77',
  ),
  WebhookTimestamp: sent(
    'webhook-timestamp',
    'When this attempt was made, in seconds since the Unix epoch.',
    '1777887000',
  ),
  WebhookSignature: sent(
    'webhook-signature',
    'The signature as defined by Standard Webhooks 1.0: `v1,<base64>`, the HMAC-SHA256 of `id.timestamp.body` with your signing secret. There are two signatures, separated by a space, while the secret is being rotated.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  WebhookEventType: sent(
    'aisle-event-type',
    'The type of the event. The signature does not cover it, so use it only for routing and logs.',
    'order.received',
  ),
  WebhookEnvironment: {
    ...sent('x-environment', 'The environment whose URL is used.', 'production'),
    schema: { type: 'string', enum: ['staging', 'production'] },
  },
};
const headerNames = Object.keys(parameters);

function sent(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
