import Type from 'typebox';
import { OneOf, Timestamp, TimestampInput } from './common.ts';
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

const OutletStatus = Type.Object({
  vendor_id: Type.String(),
  status: OneOf(outletStatuses, { description: 'CLOSED: the platform has closed the store.' }),
  closed_reason: Type.Optional(OneOf(closedReasons)),
  closed_until: Type.Optional(Timestamp),
  checkin_interval: Type.Optional(Type.Object({ start_time: Timestamp, end_time: Timestamp })),
});
const exampleStatus = {
  vendor_id: 's8ym',
  status: 'CLOSED_UNTIL',
  closed_reason: 'TECHNICAL_PROBLEM',
  closed_until: '2026-05-04T12:00:00.000Z',
} as const;
const ClosedReason = Type.Optional(OneOf(closedReasons, { description: 'Why; default OTHER when closing.' }));

export const outletRoutes = {
  getOutletStatus: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/status',
    api: 'partner',
    tag: 'Outlets',
    summary: 'Read whether a store is open',
    access: 'outlets:read',
    rateLimit: 'read',
    responses: { 200: { description: 'The status now.', schema: OutletStatus, example: exampleStatus } },
    errors: [],
  }),

  putOutletStatus: route({
    method: 'PUT',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/status',
    api: 'partner',
    tag: 'Outlets',
    summary: 'Open or close a store',
    description:
      "CLOSED_TODAY ends at the store's local midnight, CLOSED_UNTIL at `closed_until`; then the store is OPEN again. CHECKIN changes nothing. A closed store takes no orders.",
    access: 'outlets:write',
    rateLimit: 'order_write',
    body: {
      required: true,
      schema: Type.Object({
        status: OneOf(['OPEN', 'CLOSED_TODAY', 'CLOSED_UNTIL', 'CHECKIN']),
        closed_reason: ClosedReason,
        closed_until: Type.Optional(TimestampInput),
      }),
      example: { status: 'CLOSED_TODAY', closed_reason: 'HOLIDAY_SPECIAL_DAY' },
    },
    responses: { 200: { description: 'The status now.', schema: OutletStatus, example: exampleStatus } },
    errors: ['outlet_closed_by_platform'],
  }),

  platformPutOutletStatus: route({
    method: 'PUT',
    path: '/platform/v1/chains/{chain_id}/vendors/{vendor_id}/status',
    api: 'platform',
    tag: 'Vendors',
    summary: 'Close a store, or open it again',
    description: 'A store that the platform has closed can be opened by the platform only.',
    access: 'platform',
    rateLimit: 'platform',
    body: {
      required: true,
      schema: Type.Object({ status: OneOf(['OPEN', 'CLOSED']), closed_reason: ClosedReason }),
      example: { status: 'CLOSED', closed_reason: 'BAD_WEATHER' },
    },
    responses: { 200: { description: 'The status now.', schema: OutletStatus, example: exampleStatus } },
    errors: [],
  }),
};
