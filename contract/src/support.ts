import Type from 'typebox';
import { Closed, described, Id, Nullable, OneOf, Timestamp } from './common.ts';
import { exampleOrder, Order } from './order.ts';
import { route } from './route.ts';
import { exampleSession, Session } from './user.ts';

export const searchKinds = ['chain', 'store', 'order', 'product', 'delivery', 'job', 'request', 'user'] as const;

export const SearchResult = Type.Object({
  kind: OneOf(searchKinds, { description: 'What was found.' }),
  id: Type.String({ description: 'The id of what was found: an id, a SKU, or a request id.' }),
  title: Type.String({ description: 'A name or code.' }),
  detail: Type.String({ description: 'More about it, such as the status of an order.' }),
  chain_id: described(Id, 'The chain that it belongs to.'),
  chain_name: Type.String({ description: 'The name of the chain.' }),
  order_id: Nullable(described(Id, 'The order that it belongs to, if any.')),
  at: Nullable(described(Timestamp, 'When it was created or received. Null if it is not known.')),
});

export const timelineKinds = ['change', 'event', 'delivery', 'attempt', 'request'] as const;

export const TimelineEntry = Type.Object({
  at: described(Timestamp, 'When it happened.'),
  kind: OneOf(timelineKinds, {
    description: 'A change of the order, an event, its delivery, an attempt to deliver it, or an API call.',
  }),
  id: Type.String({ description: 'The revision, event, delivery or request.' }),
  title: Type.String({ description: 'What happened: an action, an event type, or a method and a path.' }),
  by: Nullable(Type.String({ description: 'Who did it. Null if it is not known.' })),
  outcome: Nullable(Type.String({ description: 'A status, or the outcome of an attempt.' })),
  is_failure: Type.Boolean({ description: 'Whether it failed.' }),
  duration_ms: Nullable(Type.Number({ description: 'How long it took. Null if that is not measured.' })),
  delivery_id: Nullable(described(Id, 'The delivery that can be sent again. Null for other entries.')),
});

const exampleEntry = {
  at: '2026-05-04T09:30:00.000Z',
  kind: 'attempt',
  id: '0d9f8f9e-3f50-4d5c-a3c2-6c6f0a9f5b21',
  title: 'order.received',
  by: 'https://pos.palm-grocer.example/orders',
  outcome: '503',
  is_failure: true,
  duration_ms: 41,
  delivery_id: '0d9f8f9e-3f50-4d5c-a3c2-6c6f0a9f5b21',
};

const support = { api: 'platform', tag: 'Support', access: 'platform', rateLimit: 'platform' } as const;

export const supportRoutes = {
  platformSearch: route({
    ...support,
    method: 'GET',
    path: '/platform/v1/search',
    summary: 'Find anything by its id',
    description:
      'Finds chains and stores by name or id, orders by id, code, external id or phone number, products by SKU, deliveries, jobs and users by id or email address, and API calls by request id. At most 50 results.',
    query: Type.Object({
      query: Type.String({ minLength: 2, maxLength: 200, description: 'What to look for. It is compared as a whole.' }),
    }),
    responses: {
      200: {
        description: 'What was found.',
        schema: Type.Object({ results: Type.Array(SearchResult, { description: 'The results.' }) }),
        example: {
          results: [
            {
              kind: 'order',
              id: '5b0c8a52-7e55-4c0a-9d53-2c6f8c3c0a77',
              title: '4KEK-JE',
              detail: 'RECEIVED',
              chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11',
              chain_name: 'Palm Grocer',
              order_id: '5b0c8a52-7e55-4c0a-9d53-2c6f8c3c0a77',
              at: '2026-05-04T09:30:00.000Z',
            },
          ],
        },
      },
    },
    errors: [],
  }),

  platformGetOrderTimeline: route({
    ...support,
    method: 'GET',
    path: '/platform/v1/orders/{order_id}/timeline',
    summary: 'Get everything that happened to an order',
    description:
      'The order with its changes, events, deliveries with every attempt, and the API calls that named the order, oldest first. API calls are those in the request log of the chain.',
    responses: {
      200: {
        description: 'The order and its timeline.',
        schema: Type.Object({
          order: described(Order, 'The order.'),
          chain_name: Type.String({ description: 'The name of the chain.' }),
          entries: Type.Array(TimelineEntry, {
            description: 'What happened, oldest first: the newest 1,000 entries, of which at most 400 are API calls.',
          }),
        }),
        example: { order: exampleOrder, chain_name: 'Palm Grocer', entries: [exampleEntry] },
      },
    },
    errors: ['order_not_found'],
  }),

  consoleActForChain: route({
    ...support,
    access: 'console',
    platformRole: 'SUPPORT',
    method: 'POST',
    path: '/platform/v1/chains/{chain_id}/support-session',
    summary: 'Act on behalf of a chain in its portal',
    description:
      'Sets the session cookie of the portal for an hour: as `OWNER` for the role `ADMIN`, as `MANAGER` for `SUPPORT`. The portal shows that you act on behalf of the chain, and the audit log records this call and everything that you change.',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          reason: Type.String({ minLength: 3, maxLength: 500, description: 'Why, such as the number of a ticket.' }),
        }),
      ),
      example: { reason: 'Ticket 4711: the store does not receive orders' },
    },
    responses: {
      201: {
        description: 'The session in the portal.',
        schema: Session,
        example: { ...exampleSession, is_on_behalf: true },
        headers: ['set-cookie', 'cache-control'],
      },
    },
    errors: [],
  }),
};
