import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';

export type Order = ResponseBody<'getOrder'>;
export type Item = Order['items'][number];

const finalStatuses = new Set(['DELIVERED', 'PICKED_UP', 'CANCELLED']);

export function isFinal({ status }: Pick<Order, 'status'>): boolean {
  return finalStatuses.has(status);
}

/** The order as it happens. */
export function useOrder(orderId: string): Order | undefined {
  const { data } = useRead('getOrder', { params: { order_id: orderId } }, { refetchInterval: 2000 });
  return data?.order_id === orderId ? data : undefined;
}

/** What fulfils it: platform riders need it ready, a store that delivers sends it off. */
export function fulfilment({ transport_type }: Pick<Order, 'transport_type'>): 'READY_FOR_PICKUP' | 'DISPATCHED' {
  return transport_type === 'LOGISTICS_DELIVERY' ? 'READY_FOR_PICKUP' : 'DISPATCHED';
}
