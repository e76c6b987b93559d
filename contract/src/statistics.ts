import Type from 'typebox';
import { described, Nullable, Timestamp, TimestampInput } from './common.ts';
import { orderStatuses } from './order.ts';
import { route } from './route.ts';

const count = (description: string) => Type.Integer({ description });
const Rate = Nullable(Type.Number({ description: 'A fraction between 0 and 1. Null if there is no data.' }));
const Day = Type.String({ description: 'YYYY-MM-DD, in the time zone given in `timezone`.' });

const ordersByStatus = Object.fromEntries(
  orderStatuses.map((status) => [status, count(`Orders whose current status is ${status}.`)]),
) as Record<(typeof orderStatuses)[number], Type.TInteger>;

export const OrderStatistics = Type.Object(
  {
    total: count('Orders placed in the range.'),
    by_status: Type.Object(ordersByStatus, { description: 'Orders placed in the range, by current status.' }),
    fulfilment_rate: Rate,
    not_found_rate: Rate,
    replacement_rate: Rate,
    days: Type.Array(
      Type.Object({
        day: Day,
        by_status: Type.Object(ordersByStatus, { description: 'Orders placed on this day, by current status.' }),
        items: Type.Object(
          {
            ordered: count('Ordered line items.'),
            picked: count('Ordered items that were picked.'),
            not_found: count('Ordered items that were not found.'),
            replaced: count('Ordered items that were replaced.'),
            added: count('Items that were added.'),
          },
          { description: 'Line items in fulfilled orders.' },
        ),
      }),
      { description: 'Every day in the range, oldest first.' },
    ),
  },
  { description: 'Orders by the day they were placed.' },
);

export const WebhookStatistics = Type.Object(
  {
    attempts: count('Attempts made in the range.'),
    success_rate: Rate,
    median_ms: Nullable(
      Type.Number({
        description: 'The median duration of successful attempts, over all UTC days that overlap the range.',
      }),
    ),
    slow_ms: Nullable(Type.Number({ description: 'The 95th percentile of the same durations.' })),
    pending: Type.Integer({ description: 'Deliveries that are not finished yet, without pings.' }),
    exhausted: Type.Integer({ description: 'Deliveries that failed permanently, without pings.' }),
    days: Type.Array(
      Type.Object({
        day: Day,
        succeeded: count('Attempts with a 2xx response.'),
        failed: count('All other attempts.'),
      }),
      { description: 'Every day in the range, oldest first.' },
    ),
  },
  { description: 'Webhook delivery attempts.' },
);

export const JobStatistics = Type.Object(
  {
    running: Type.Integer({ description: 'Jobs that are QUEUED or IN_PROGRESS.' }),
    completed: count('Jobs in the range that are COMPLETED.'),
    failed: count('Jobs in the range that are FAILED.'),
    days: Type.Array(
      Type.Object({ day: Day, completed: count('Jobs that are COMPLETED.'), failed: count('Jobs that are FAILED.') }),
      { description: 'Every day in the range, oldest first.' },
    ),
  },
  { description: 'Catalog jobs by the day they were created.' },
);

const noOrders = Object.fromEntries(orderStatuses.map((status) => [status, 0]));
const exampleDay = '2026-05-04';

export const statisticsRoutes = {
  getStatistics: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/statistics',
    api: 'partner',
    tag: 'Management',
    summary: 'Get statistics',
    description:
      'Statistics on orders, webhook attempts and jobs, in total and by day, for one store or for all stores that the token can access. The range can be at most 60 days long and is extended to whole quarter-hours; `from` and `to` in the response are the resulting times. Statistics are kept for 400 days. `fulfilment_rate`, `not_found_rate` and `replacement_rate` are fractions of the line items in fulfilled orders.',
    access: 'manage',
    rateLimit: 'read',
    query: Type.Object({
      vendor_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Return statistics for this store only, with days in its time zone.',
        }),
      ),
      from: Type.Optional(
        Type.String({ ...TimestampInput, description: 'The start of the range. Default: 13 days before `to`.' }),
      ),
      to: Type.Optional(
        Type.String({
          ...TimestampInput,
          description: 'The end of the range, at most 60 days in the future. Default: now.',
        }),
      ),
    }),
    responses: {
      200: {
        description: 'The statistics, with an entry for every day in the range.',
        schema: Type.Object({
          from: described(Timestamp, 'The start of the range, rounded down to a quarter-hour.'),
          to: described(Timestamp, 'The end of the range, rounded up to a quarter-hour.'),
          timezone: Type.String({ description: 'The time zone in which days begin and end.' }),
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
