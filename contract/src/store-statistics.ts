import Type from 'typebox';
import { Currency, described, Nullable, OneOf, Timestamp } from './common.ts';
import { route } from './route.ts';
import { lateAfterMinutes } from './sizes.ts';
import { valueFaults } from './value-faults.ts';

export const statisticsPeriods = ['YESTERDAY', 'LAST_7_DAYS', 'LAST_30_DAYS'] as const;

const count = (description: string) => Type.Integer({ description });
const Rate = (description: string) => Nullable(Type.Number({ description }));
const none = 'Null if there are none.';

/** What is counted. For each count of orders, the description names the filter of the list of these orders. */
const numbers = {
  revenue: Type.Array(
    Type.Object({
      currency: described(Currency, 'The currency of the orders.'),
      amount: Type.Number({ description: 'The sum in this currency.' }),
    }),
    {
      description:
        'What customers pay for the items in fulfilled orders, after discounts, without delivery and service fees. One entry per currency; empty if no order was fulfilled.',
    },
  ),
  orders: count('Orders placed in the period.'),
  cancelled_orders: count('Those that were cancelled, by the customer, the store or the platform: `status=CANCELLED`.'),
  cancelled_rate: Rate(`\`cancelled_orders\` as a fraction of \`orders\`. ${none}`),
  fulfilled_orders: count('Those that the store fulfilled and that were not cancelled: `outcome=FULFILLED`.'),
  ordered_items: count('Line items that customers ordered, in fulfilled orders.'),
  found_items: count('Ordered items that were picked as ordered.'),
  found_rate: Rate(`\`found_items\` as a fraction of \`ordered_items\`. ${none}`),
  orders_with_missing_items: count(
    'Fulfilled orders in which at least one item was not found: `outcome=MISSING_ITEMS`.',
  ),
  replaced_items: count('Ordered items that were replaced.'),
  replaced_rate: Rate(`\`replaced_items\` as a fraction of \`ordered_items\`. ${none}`),
  orders_with_replaced_items: count(
    'Fulfilled orders in which at least one item was replaced: `outcome=REPLACED_ITEMS`.',
  ),
  timed_orders: count('Fulfilled orders without a promised time: `outcome=TIMED`.'),
  pick_minutes: Nullable(
    Type.Number({
      description: `The average time from when an order is placed until the store has fulfilled it, in minutes, over \`timed_orders\`. ${none}`,
    }),
  ),
  late_orders: count(
    `Orders fulfilled after the promised time or, without a promised time, more than ${lateAfterMinutes} minutes after they were placed: \`outcome=LATE\`.`,
  ),
  late_rate: Rate(`\`late_orders\` as a fraction of \`fulfilled_orders\`. ${none}`),
};

export const StoreNumbers = Type.Object({
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  external_id: Nullable(Type.String({ description: "The chain's own id of the store. Null if there is none." })),
  name: Type.String({ description: 'The name of the store.' }),
  timezone: Type.String({ description: 'The time zone in which the days begin and end.' }),
  first_day: Type.String({ description: 'The first day, YYYY-MM-DD.' }),
  last_day: Type.String({ description: 'The last day, YYYY-MM-DD.' }),
  from: described(Timestamp, 'The start of the first day. Use it as `start_time` to list the orders.'),
  to: described(Timestamp, 'The end of the last day. Use it as `end_time` to list the orders.'),
  ...numbers,
});

export const TotalNumbers = Type.Object(
  {
    from: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The start of the first day. Null if it differs, because the stores are in different time zones.',
      }),
    ),
    to: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The end of the last day. Null if it differs.',
      }),
    ),
    ...numbers,
  },
  { description: 'All stores in the response together. Revenue is added up per currency only.' },
);

const exampleNumbers = {
  revenue: [{ currency: 'AED', amount: 1840.5 }],
  orders: 40,
  cancelled_orders: 2,
  cancelled_rate: 0.05,
  fulfilled_orders: 38,
  ordered_items: 200,
  found_items: 188,
  found_rate: 0.94,
  orders_with_missing_items: 5,
  replaced_items: 6,
  replaced_rate: 0.03,
  orders_with_replaced_items: 4,
  timed_orders: 30,
  pick_minutes: 11.4,
  late_orders: 3,
  late_rate: 0.0789,
};
const exampleRange = { from: '2026-05-03T20:00:00.000Z', to: '2026-05-04T20:00:00.000Z' };
const exampleDay = { first_day: '2026-05-04', last_day: '2026-05-04' };

const Day = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    patternHint: valueFaults.date,
    description,
  });

export const storeStatisticsRoutes = {
  getStoreStatistics: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/statistics/stores',
    api: 'partner',
    tag: 'Management',
    summary: 'Compare stores',
    description: [
      'Revenue, orders and picking by store, for a number of days. Orders are counted by the time they were placed, with their current state. Test orders are not counted. A token that is restricted to certain vendors receives only those.',
      'Days begin and end in the time zone of each store, unless `timezone` is given. Periods end with the day before today. For other days, use `first_day` and `last_day`; orders are available for 60 days.',
      'Every count of orders equals the number of orders in a list: `GET /v2/chains/{chain_id}/vendors/{vendor_id}/orders` with the `from` and `to` of the store as `start_time` and `end_time`, `is_test=false`, and the filter in the description of the count.',
    ].join('\n\n'),
    access: 'manage',
    rateLimit: 'read',
    query: Type.Object({
      period: Type.Optional(
        OneOf(statisticsPeriods, {
          description: 'The days before today. Default: LAST_7_DAYS. Cannot be combined with `first_day`.',
        }),
      ),
      first_day: Type.Optional(Day('The first day, at most 59 days ago.')),
      last_day: Type.Optional(Day('The last day. Default: `first_day`. Requires `first_day`.')),
      timezone: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            "The IANA name of the time zone in which days begin and end, for all stores. Default: each store's own.",
        }),
      ),
      vendor_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Return only the vendor with this platform id or external id.',
        }),
      ),
    }),
    responses: {
      200: {
        description: 'The numbers of every store, by platform id, and of all stores together.',
        schema: Type.Object({
          stores: Type.Array(StoreNumbers, { description: 'One entry per store, also if it had no orders.' }),
          totals: TotalNumbers,
        }),
        example: {
          stores: [
            {
              vendor_id: 's8ym',
              external_id: '17',
              name: 'Marina Walk',
              timezone: 'Asia/Dubai',
              ...exampleDay,
              ...exampleRange,
              ...exampleNumbers,
            },
          ],
          totals: { ...exampleRange, ...exampleNumbers },
        },
      },
    },
    errors: ['vendor_not_found'],
  }),
};
