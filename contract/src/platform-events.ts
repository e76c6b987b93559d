import Type, { type Static, type TSchema } from 'typebox';
import { Alert } from './alerts.ts';
import { described, Id } from './common.ts';
import { CancelledOrderEvent, events, OrderEvent, ReplacementEvent } from './events.ts';
import { OutletStatus } from './outlets.ts';
import { Promotion } from './promotion.ts';
import { StorefrontProduct } from './storefront.ts';

const chain_id = described(Id, 'The id of the chain.');

/** The most products in one event. */
export const productsPerEvent = 100;

export const StoreEvent = Type.Object({ chain_id, ...OutletStatus.properties });
export const ProductsEvent = Type.Object({
  chain_id,
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  products: Type.Array(StorefrontProduct, {
    description: `The changed products of the store in their newest state, up to ${productsPerEvent}.`,
  }),
});
export const PromotionEvent = Type.Object({ chain_id, promotion: described(Promotion, 'The promotion.') });

/**
 * Every event type that the platform can receive, with the schema of its body. Order events that partners get too have
 * the same body for both.
 */
export const platformEvents = {
  'order.received': { summary: events['order.received'].summary, body: OrderEvent },
  'order.ready_for_pickup': { summary: events['order.ready_for_pickup'].summary, body: OrderEvent },
  'order.dispatched': { summary: events['order.dispatched'].summary, body: OrderEvent },
  'order.delivered': { summary: 'The order was delivered, by a rider or by the store.', body: OrderEvent },
  'order.collected': { summary: 'The customer collected the order at the store.', body: OrderEvent },
  'order.edited': { summary: events['order.edited'].summary, body: OrderEvent },
  'order.cancelled': {
    summary: 'The order was cancelled by the customer, logistics or the store.',
    body: CancelledOrderEvent,
  },
  'order.replacement_proposed': {
    summary: 'The store asks the customer whether an item can be replaced.',
    body: ReplacementEvent,
  },
  'order.replacement_decided': { summary: events['order.replacement_decided'].summary, body: ReplacementEvent },
  'order.replacement_withdrawn': { summary: 'The store withdrew its question.', body: ReplacementEvent },
  'store.opened': {
    summary: 'A store was opened, or the time until which it was closed has passed.',
    body: StoreEvent,
  },
  'store.closed': { summary: 'A store was closed, or its closing time or reason changed.', body: StoreEvent },
  'products.changed': {
    summary:
      'Products of a store changed: price, stock, availability, maximum or barcodes, or a promotion that covers them. A product is in at most one event per second.',
    body: ProductsEvent,
  },
  'promotion.started': { summary: 'A promotion has started.', body: PromotionEvent },
  'promotion.ended': { summary: 'A promotion has ended or was cancelled.', body: PromotionEvent },
  'store.silent': {
    summary: 'Alert: orders wait at an open store, and none of its devices and clients has sent a request.',
    body: Alert,
  },
  'store.recovered': {
    summary: 'The alert `store.silent` ended: the store was seen again or closed, or no order waits.',
    body: Alert,
  },
  'endpoint.failing': {
    summary: 'Alert: all attempts to a webhook endpoint fail, or it was turned off because of that.',
    body: Alert,
  },
  'endpoint.recovered': {
    summary: 'The alert `endpoint.failing` ended: an attempt succeeded, or the webhook was changed.',
    body: Alert,
  },
  'deliveries.delayed': { summary: 'Alert: deliveries to working endpoints are not sent in time.', body: Alert },
  'deliveries.recovered': { summary: 'The alert `deliveries.delayed` ended.', body: Alert },
  'tasks.delayed': { summary: 'Alert: background tasks are not run in time.', body: Alert },
  'tasks.recovered': { summary: 'The alert `tasks.delayed` ended.', body: Alert },
} as const satisfies Record<string, { summary: string; body: TSchema }>;

export type PlatformEventType = keyof typeof platformEvents;
export type PlatformOrderEventType = Extract<PlatformEventType, `order.${string}`>;
export type PlatformEventBody<Type extends PlatformEventType> = Static<(typeof platformEvents)[Type]['body']>;
export const platformEventTypes = Object.keys(platformEvents) as PlatformEventType[];
