import Type, { type Static, type TSchema } from 'typebox';
import { CatalogJob, JobStatus, JobType } from './jobs.ts';
import { Id } from './common.ts';
import { OrderSnapshot } from './order.ts';
import type { Scope } from './route.ts';

/** A finished job. Both names of a pair (`status` and `job_status`, …) have the same value. */
export const JobEvent = Type.Object({
  job_id: Id,
  job_type: JobType,
  status: JobStatus,
  job_status: JobStatus,
  platform_vendor_id: Type.Optional(Type.String()),
  vendor_id: Type.Optional(Type.String()),
  chain_id: Id,
  downloadURL: Type.Optional(Type.String()),
  download_url: Type.Optional(Type.String()),
  progress: CatalogJob.properties.progress,
  result: CatalogJob.properties.result,
  error: Type.Optional(Type.String()),
});

/** The order after the change. */
export const OrderEvent = OrderSnapshot;
export const CancelledOrderEvent = Type.Object({
  ...OrderSnapshot.properties,
  post_pickup_flag: Type.Boolean({ description: 'Whether a rider had already picked up the order.' }),
});

/** Every event type, with the scope that a token needs to see it and the schema of its body. */
export const events = {
  'order.received': { summary: 'A customer placed an order.', scope: 'orders:read', body: OrderEvent },
  'order.ready_for_pickup': {
    summary: 'The order was fulfilled and is ready for pickup (Platform Delivery).',
    scope: 'orders:read',
    body: OrderEvent,
  },
  'order.dispatched': { summary: 'The order left the store.', scope: 'orders:read', body: OrderEvent },
  'order.cancelled': {
    summary: 'The customer or logistics cancelled the order.',
    scope: 'orders:read',
    body: CancelledOrderEvent,
  },
  'order.delivered': { summary: 'The rider delivered the order.', scope: 'orders:read', body: OrderEvent },
  'catalog.job_finished': {
    summary: 'A catalog update or product creation job finished.',
    scope: 'catalog:read',
    body: JobEvent,
  },
  'catalog.export_finished': { summary: 'A catalog export job finished.', scope: 'catalog:read', body: JobEvent },
} as const satisfies Record<string, { summary: string; scope: Scope; body: TSchema }>;

export type EventType = keyof typeof events;
export type OrderEventType = Extract<EventType, `order.${string}`>;
export type EventBody<Type extends EventType> = Static<(typeof events)[Type]['body']>;
