import Type from 'typebox';
import { Id, Nullable, OneOf, Timestamp } from './common.ts';
import { type EventType, events } from './events.ts';
import { route } from './route.ts';

export const eventTypes = Object.keys(events) as EventType[];

export const FeedEvent = Type.Object({
  event_id: Id,
  type: OneOf(eventTypes),
  vendor_id: Nullable(
    Type.String({ description: 'Null: it concerns the chain, such as a creation on several stores.' }),
  ),
  created_at: Timestamp,
  body: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'What a webhook receives; see the table of events.',
  }),
});

export const feedRoutes = {
  listEvents: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/events',
    api: 'partner',
    tag: 'Events',
    summary: 'Read events as a feed',
    description:
      'Every event of the chain, oldest first, kept 30 days: orders and ended catalog jobs alike (to download the file of a job takes `catalog:read`). Begin without `after`, keep `next_cursor` and send it as `after` the next time: nothing is missed and nothing comes twice. With `wait` the answer is held back until there is something. A token limited to some vendors sees the events of these vendors only, and none that concern the whole chain.',
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object({
      after: Type.Optional(
        Type.String({ pattern: '^\\d{1,18}$', description: 'A `next_cursor`. Absent: from the oldest event kept.' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      wait: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 25, default: 0, description: 'How many seconds to wait for an event.' }),
      ),
    }),
    responses: {
      200: {
        description: 'The next events; none if there are none yet.',
        schema: Type.Object({
          events: Type.Array(FeedEvent),
          next_cursor: Type.String({ description: 'Opaque. Given also when there is nothing new.' }),
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
