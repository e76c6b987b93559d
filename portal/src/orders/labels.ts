import type { Order } from './order.ts';

export function deliveryLabel({ order_type, transport_type }: Pick<Order, 'order_type' | 'transport_type'>): string {
  if (order_type === 'PICKUP') return 'Customer collects';
  return transport_type === 'LOGISTICS_DELIVERY' ? 'Platform rider' : 'Store delivers';
}
