import Type from 'typebox';
import { described, Id, Nullable, OneOf, Timestamp } from './common.ts';
import { type EventType, events } from './events.ts';
import { route } from './route.ts';

export const eventTypes = Object.keys(events) as EventType[];

export const FeedEvent = Type.Object({
  event_id: described(Id, 'The id of the event; the same as `webhook-id`.'),
  type: OneOf(eventTypes, { description: 'The type of the event.' }),
  vendor_id: Nullable(
    Type.String({
      description:
        'The platform id of the vendor. Null for events that concern the whole chain, such as a product creation job for several stores.',
    }),
  ),
  created_at: described(Timestamp, 'When the event happened.'),
  body: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The same body that is sent to webhooks; see the list of events.',
  }),
});

export const HasGap = Type.Literal(true, {
  description:
    'Present if events after the cursor were deleted because of their age, before they were read with it. Read the current state instead, for example the list of changed orders. With filters, the deleted events may be others.',
});

export const feedRoutes = {
  listEvents: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/events',
    api: 'partner',
    tag: 'Events',
    summary: 'List events',
    description:
      'A feed of all order events and finished catalog jobs in the chain, oldest first. Events are kept for 30 days. Start without `after`, store `next_cursor`, and pass it as `after` in the next request; every event is returned exactly once, unless it was deleted before it was read (`has_gap`). With `wait`, the request is held open until an event arrives (long polling). A token that is restricted to certain vendors receives only the events of those vendors, and no events that concern the whole chain. A token receives order events only with the scope `orders:read`, and catalog events only with `catalog:read`.',
    access: 'orders:read',
    orScopes: ['catalog:read'],
    rateLimit: 'read',
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          pattern: '^(\\d{1,18}|latest)$',
          patternHint: 'must be the `next_cursor` of an earlier response, or `latest`',
          description:
            'The `next_cursor` of the previous response, or `latest` to skip all events until now. If omitted, the feed starts at the oldest event.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'The maximum number of events.' }),
      ),
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 25,
          default: 0,
          description: 'The maximum number of seconds to wait for an event.',
        }),
      ),
    }),
    responses: {
      200: {
        description: 'The next events; an empty array if there are none yet.',
        schema: Type.Object({
          events: Type.Array(FeedEvent, { description: 'The events, oldest first.' }),
          next_cursor: Type.String({ description: 'An opaque cursor, returned even if there are no new events.' }),
          has_gap: Type.Optional(HasGap),
        }),
        example: {
          events: [
            {
              event_id: '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77',
              type: 'order.received',
              vendor_id: 's8ym',
              created_at: '2026-05-04T09:30:00.000Z',
              body: { order_id: '3f1f9a2e-6a53-4f0e-9d51-0f6a2f1a7c11', status: 'RECEIVED', revision: 1 },
            },
          ],
          next_cursor: '1042',
        },
      },
    },
    errors: [],
  }),
};
