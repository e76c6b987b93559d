import { useRead } from '../api/hooks.ts';
import type { Order } from './order.ts';

/** The order, refetched every two seconds. */
export function useOrder(orderId: string): Order | undefined {
  const { data } = useRead('getOrder', { params: { order_id: orderId } }, { refetchInterval: 2000 });
  return data?.order_id === orderId ? data : undefined;
}
