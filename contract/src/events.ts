import Type from 'typebox';
import { CatalogJob, jobStatuses, jobTypes } from './catalog.ts';
import { Id, OneOf } from './common.ts';
import { OrderSnapshot } from './order.ts';

/** A job has ended. Each pair (`status`, `job_status`; …) carries one value under both names. */
export const JobEvent = Type.Object({
  job_id: Id,
  job_type: OneOf(jobTypes),
  status: OneOf(jobStatuses),
  job_status: OneOf(jobStatuses),
  platform_vendor_id: Type.Optional(Type.String()),
  vendor_id: Type.Optional(Type.String()),
  chain_id: Id,
  downloadURL: Type.Optional(Type.String()),
  download_url: Type.Optional(Type.String()),
  progress: CatalogJob.properties.progress,
  result: CatalogJob.properties.result,
  error: Type.Optional(Type.String()),
});

/** The order as it stands after the change. */
export const OrderEvent = OrderSnapshot;
export const CancelledOrderEvent = Type.Object({
  ...OrderSnapshot.properties,
  post_pickup_flag: Type.Boolean({ description: 'Whether a rider had picked the order up.' }),
});

/** Every event: its type and the shape of its body. */
export const events = {
  'order.received': { summary: 'A customer has placed an order.', body: OrderEvent },
  'order.ready_for_pickup': { summary: 'The order was fulfilled (Platform Delivery).', body: OrderEvent },
  'order.dispatched': { summary: 'The order has left the store.', body: OrderEvent },
  'order.cancelled': { summary: 'The customer or logistics has cancelled the order.', body: CancelledOrderEvent },
  'order.delivered': { summary: 'The rider has delivered the order.', body: OrderEvent },
  'catalog.job_finished': { summary: 'A catalog update or a product creation has ended.', body: JobEvent },
  'catalog.export_finished': { summary: 'An export has ended.', body: JobEvent },
} as const;

export type EventType = keyof typeof events;
