import Type from 'typebox';
import { Closed, described, OneOf, Timestamp, TimestampInput } from './common.ts';
import { route } from './route.ts';

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
const ClosedReason = Type.Optional(OneOf(closedReasons, { description: 'The reason for closing. Default: OTHER.' }));

export const outletRoutes = {
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
      "CLOSED_TODAY ends at midnight in the store's time zone and CLOSED_UNTIL ends at `closed_until`; the store is then OPEN again. CHECKIN has no effect. A closed store does not receive orders.",
    access: 'outlets:write',
    rateLimit: 'order_write',
    body: {
      required: true,
      schema: Type.Object({
        status: OneOf(['OPEN', 'CLOSED_TODAY', 'CLOSED_UNTIL', 'CHECKIN'], { description: 'The new status.' }),
        closed_reason: ClosedReason,
        closed_until: Type.Optional(described(TimestampInput, 'Required with CLOSED_UNTIL: a time in the future.')),
      }),
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
