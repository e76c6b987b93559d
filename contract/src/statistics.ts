import Type from 'typebox';
import { Nullable, Timestamp, TimestampInput } from './common.ts';
import { orderStatuses } from './order.ts';
import { route } from './route.ts';

const Count = Type.Integer();
const Rate = Nullable(Type.Number({ description: 'A fraction from 0 to 1; null where there is nothing to count.' }));
const Day = Type.String({ description: 'YYYY-MM-DD, in the time zone named in the answer.' });

const ordersByStatus = Object.fromEntries(orderStatuses.map((status) => [status, Count])) as Record<
  (typeof orderStatuses)[number],
  typeof Count
>;

const OrderStatistics = Type.Object({
  total: Count,
  by_status: Type.Object(ordersByStatus),
  fulfilment_rate: Rate,
  not_found_rate: Rate,
  replacement_rate: Rate,
  days: Type.Array(
    Type.Object({
      day: Day,
      by_status: Type.Object(ordersByStatus),
      items: Type.Object(
        { ordered: Count, picked: Count, not_found: Count, replaced: Count, added: Count },
        { description: 'Lines of the orders that were fulfilled.' },
      ),
    }),
  ),
});

const WebhookStatistics = Type.Object({
  attempts: Count,
  success_rate: Rate,
  median_ms: Nullable(
    Type.Number({
      description:
        'How long half of the successful attempts took, at most; of all on the days (UTC) that the range touches.',
    }),
  ),
  slow_ms: Nullable(Type.Number({ description: 'The same for 95 of 100.' })),
  pending: Type.Integer({ description: 'Deliveries that are not through yet.' }),
  exhausted: Type.Integer({ description: 'Deliveries that were given up.' }),
  days: Type.Array(Type.Object({ day: Day, succeeded: Count, failed: Count })),
});

const JobStatistics = Type.Object({
  running: Type.Integer({ description: 'QUEUED or IN_PROGRESS.' }),
  completed: Count,
  failed: Count,
  days: Type.Array(Type.Object({ day: Day, completed: Count, failed: Count })),
});

const noOrders = Object.fromEntries(orderStatuses.map((status) => [status, 0]));
const exampleDay = '2026-05-04';

export const statisticsRoutes = {
  getStatistics: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/statistics',
    api: 'partner',
    tag: 'Management',
    summary: 'Read what the charts of the portal show',
    description:
      'Orders, webhooks and jobs by day, for one store or all that the token reaches. By when they were made; at most 60 days, in whole quarters of an hour, as `from` and `to` of the answer say; kept for 400 days. The rates are those of the fulfilled orders’ lines: picked as ordered, not found, replaced.',
    access: 'manage',
    rateLimit: 'read',
    query: Type.Object({
      vendor_id: Type.Optional(Type.String({ maxLength: 64, description: 'One store; its time zone makes the days.' })),
      from: Type.Optional(Type.String({ ...TimestampInput, description: 'Default: 13 days before `to`.' })),
      to: Type.Optional(Type.String({ ...TimestampInput, description: 'Default: now.' })),
    }),
    responses: {
      200: {
        description: 'Every day of the range, also those on which nothing happened.',
        schema: Type.Object({
          from: Timestamp,
          to: Timestamp,
          timezone: Type.String(),
          orders: OrderStatistics,
          webhooks: WebhookStatistics,
          jobs: JobStatistics,
        }),
        example: {
          from: '2026-05-04T00:00:00.000Z',
          to: '2026-05-04T12:00:00.000Z',
          timezone: 'Asia/Dubai',
          orders: {
            total: 3,
            by_status: { ...noOrders, RECEIVED: 1, DELIVERED: 2 },
            fulfilment_rate: 0.9,
            not_found_rate: 0.05,
            replacement_rate: 0.05,
            days: [
              {
                day: exampleDay,
                by_status: { ...noOrders, RECEIVED: 1, DELIVERED: 2 },
                items: { ordered: 20, picked: 18, not_found: 1, replaced: 1, added: 2 },
              },
            ],
          },
          webhooks: {
            attempts: 8,
            success_rate: 0.875,
            median_ms: 84,
            slow_ms: 240,
            pending: 1,
            exhausted: 0,
            days: [{ day: exampleDay, succeeded: 7, failed: 1 }],
          },
          jobs: { running: 0, completed: 2, failed: 0, days: [{ day: exampleDay, completed: 2, failed: 0 }] },
        },
      },
    },
    errors: ['vendor_not_found'],
  }),
};
