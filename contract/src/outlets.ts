import Type from 'typebox';
import { Closed, described, OneOf, Page, pageQuery, ProblemCode, Timestamp, TimestampInput } from './common.ts';
import { route } from './route.ts';
import { valueFaults } from './value-faults.ts';

export const outletStatuses = ['OPEN', 'CLOSED', 'CLOSED_TODAY', 'CLOSED_UNTIL'] as const;
export const closedReasons = [
  'TOO_BUSY_NO_DRIVERS',
  'TOO_BUSY_KITCHEN',
  'UPDATES_IN_MENU',
  'TECHNICAL_PROBLEM',
  'CLOSED',
  'OTHER',
  'BAD_WEATHER',
  'HOLIDAY_SPECIAL_DAY',
] as const;

export const OutletStatus = Type.Object({
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  status: OneOf(outletStatuses, { description: 'The status of the store. CLOSED means that the platform closed it.' }),
  closed_reason: Type.Optional(OneOf(closedReasons, { description: 'Why the store is closed. Absent if it is open.' })),
  closed_until: Type.Optional(described(Timestamp, 'When the store opens again, if known.')),
  checkin_interval: Type.Optional(
    Type.Object(
      {
        start_time: described(Timestamp, 'The start of the interval.'),
        end_time: described(Timestamp, 'The end of the interval.'),
      },
      { description: 'When the store has to check in. Currently not used.' },
    ),
  ),
});
const exampleStatus = {
  vendor_id: 's8ym',
  status: 'CLOSED_UNTIL',
  closed_reason: 'TECHNICAL_PROBLEM',
  closed_until: '2026-05-04T12:00:00.000Z',
} as const;
const StatusResult = Type.Object({
  vendor_id: Type.String({ description: 'The platform id of the store, or the id in the request if it is unknown.' }),
  is_changed: Type.Boolean({ description: 'Whether the store now has the requested status.' }),
  outlet: Type.Optional(described(OutletStatus, 'The current status of the store. Absent if the store is unknown.')),
  error: Type.Optional(
    Type.Object(
      {
        code: ProblemCode,
        detail: Type.String({ description: 'Why this store was not changed. The text can change.' }),
      },
      { description: 'Why the store was not changed. Absent if it was.' },
    ),
  ),
});
const exampleResult = { vendor_id: 's8ym', is_changed: true, outlet: exampleStatus };
const ClosedReason = Type.Optional(OneOf(closedReasons, { description: 'The reason for closing. Default: OTHER.' }));

/** The fields of a request that opens or closes stores. */
const statusChange = {
  status: OneOf(['OPEN', 'CLOSED_TODAY', 'CLOSED_UNTIL', 'CHECKIN'], { description: 'The new status.' }),
  closed_reason: ClosedReason,
  closed_until: Type.Optional(
    described(
      TimestampInput,
      'With CLOSED_UNTIL: when the store reopens, a time in the future. CLOSED_UNTIL requires exactly one of `closed_until`, `closed_for_minutes`, `closed_until_tomorrow` and `until_reopened`.',
    ),
  ),
  closed_for_minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 43_200,
      description: 'With CLOSED_UNTIL: the store reopens after this many minutes.',
    }),
  ),
  closed_until_tomorrow: Type.Optional(
    Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      patternHint: valueFaults.time_of_day,
      description: "With CLOSED_UNTIL: the store reopens tomorrow at this time, in the store's time zone.",
    }),
  ),
  until_reopened: Type.Optional(
    Type.Literal(true, {
      description:
        'With CLOSED_UNTIL: the store stays closed until it is opened by a request. `closed_until` is then absent from the status.',
    }),
  ),
};

export const outletRoutes = {
  listOutletStatuses: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/status',
    api: 'partner',
    tag: 'Outlets',
    summary: "List the stores' status",
    description: 'The status of every store that the caller can access, sorted by platform id.',
    access: 'outlets:read',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'A page of statuses.',
        schema: Page('outlets', OutletStatus),
        example: { outlets: [exampleStatus], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: [],
  }),

  putOutletStatuses: route({
    method: 'PUT',
    path: '/v2/chains/{chain_id}/status',
    api: 'partner',
    tag: 'Outlets',
    summary: 'Open or close several stores',
    description:
      'Applies the same change to several stores. Times of day are in the time zone of each store. A store that cannot be changed, for example because the platform closed it, does not prevent the change of the others: `results` contains a result for each store, in the order of the request.',
    access: 'outlets:write',
    rateLimit: 'order_write',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          vendor_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
            minItems: 1,
            maxItems: 1000,
            description: 'The stores, given by platform id or external id.',
          }),
          ...statusChange,
          status: OneOf(['OPEN', 'CLOSED_TODAY', 'CLOSED_UNTIL'], { description: 'The new status.' }),
        }),
      ),
      example: {
        vendor_ids: ['s8ym', 'k2pd'],
        status: 'CLOSED_UNTIL',
        closed_reason: 'BAD_WEATHER',
        closed_until_tomorrow: '08:00',
      },
    },
    responses: {
      200: {
        description: 'The result for each store.',
        schema: Type.Object({
          results: Type.Array(StatusResult, { description: 'One result for each store, in the order of the request.' }),
        }),
        example: { results: [exampleResult] },
      },
    },
    errors: [],
  }),

  getOutletStatus: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/status',
    api: 'partner',
    tag: 'Outlets',
    summary: "Get a store's status",
    access: 'outlets:read',
    rateLimit: 'read',
    responses: { 200: { description: 'The current status.', schema: OutletStatus, example: exampleStatus } },
    errors: [],
  }),

  putOutletStatus: route({
    method: 'PUT',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/status',
    api: 'partner',
    tag: 'Outlets',
    summary: 'Open or close a store',
    description:
      "CLOSED_TODAY ends at midnight in the store's time zone and CLOSED_UNTIL ends at the given time; the store is then OPEN again. CHECKIN has no effect. A closed store does not receive orders.",
    access: 'outlets:write',
    rateLimit: 'order_write',
    body: {
      required: true,
      schema: Type.Object(statusChange),
      example: { status: 'CLOSED_TODAY', closed_reason: 'HOLIDAY_SPECIAL_DAY' },
    },
    responses: { 200: { description: 'The current status.', schema: OutletStatus, example: exampleStatus } },
    errors: ['outlet_closed_by_platform'],
  }),

  platformPutOutletStatus: route({
    method: 'PUT',
    path: '/platform/v1/chains/{chain_id}/vendors/{vendor_id}/status',
    api: 'platform',
    tag: 'Vendors',
    summary: 'Close or reopen a store',
    description: 'A store that was closed by the platform can only be reopened by the platform.',
    access: 'platform',
    rateLimit: 'platform',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          status: OneOf(['OPEN', 'CLOSED'], { description: 'The new status.' }),
          closed_reason: ClosedReason,
        }),
      ),
      example: { status: 'CLOSED', closed_reason: 'BAD_WEATHER' },
    },
    responses: { 200: { description: 'The current status.', schema: OutletStatus, example: exampleStatus } },
    errors: [],
  }),
};
