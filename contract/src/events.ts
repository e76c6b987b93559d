import Type, { type Static, type TSchema } from 'typebox';
import { CatalogJob, FileName, JobStatus, JobType } from './jobs.ts';
import { described, Id } from './common.ts';
import { OrderSnapshot } from './order.ts';
import type { Scope } from './route.ts';

/** A finished job. Some values are sent under two names, such as `status` and `job_status`. */
export const JobEvent = Type.Object({
  job_id: described(Id, 'The id of the job.'),
  job_type: JobType,
  status: JobStatus,
  job_status: JobStatus,
  platform_vendor_id: Type.Optional(
    Type.String({ description: 'The platform id of the store. Absent for jobs that cover several stores.' }),
  ),
  vendor_id: Type.Optional(Type.String({ description: 'The same as `platform_vendor_id`.' })),
  chain_id: described(Id, 'The id of the chain.'),
  file_name: Type.Optional(FileName),
  downloadURL: Type.Optional(
    Type.String({
      description: 'The URL of the result file. Downloading it requires a token. Absent if there is no file.',
    }),
  ),
  download_url: Type.Optional(Type.String({ description: 'The same as `downloadURL`.' })),
  progress: CatalogJob.properties.progress,
  result: CatalogJob.properties.result,
  error: Type.Optional(Type.String({ description: 'The reason, if the job is FAILED.' })),
});

/** The order after the change. */
export const OrderEvent = OrderSnapshot;
export const CancelledOrderEvent = Type.Object({
  ...OrderSnapshot.properties,
  post_pickup_flag: Type.Boolean({ description: 'Whether a rider had already picked up the order.' }),
});

export const ReplacementEvent = Type.Object({
  ...OrderSnapshot.properties,
  item_id: Type.String({ description: 'The `_id` of the item whose `approval` has changed.' }),
});

/** Every event type, with the schema of its body and the scope that a token needs to see such events. */
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
  'order.edited': {
    summary: "The customer's comment or the promised time was changed.",
    scope: 'orders:read',
    body: OrderEvent,
  },
  'order.replacement_decided': {
    summary: 'The customer answered a question about a replacement, or the deadline for the answer passed.',
    scope: 'orders:read',
    body: ReplacementEvent,
  },
  'catalog.job_finished': {
    summary: 'A catalog update or product creation job finished.',
    scope: 'catalog:read',
    body: JobEvent,
  },
  'catalog.export_finished': { summary: 'A catalog export job finished.', scope: 'catalog:read', body: JobEvent },
} as const satisfies Record<string, { summary: string; scope: Scope; body: TSchema }>;

/** The scopes for all events together. */
export const eventScopes: readonly Scope[] = [...new Set(Object.values(events).map(({ scope }) => scope))];

export type EventType = keyof typeof events;
export type OrderEventType = Extract<EventType, `order.${string}`>;
export type EventBody<Type extends EventType> = Static<(typeof events)[Type]['body']>;
