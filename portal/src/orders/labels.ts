import type { Translate } from '../messages/catalogue.ts';
import type { Order } from './order.ts';

type Delivery = Pick<Order, 'order_type' | 'transport_type'>;

export function deliveryLabel(t: Translate, { order_type, transport_type }: Delivery): string {
  if (order_type === 'PICKUP') return t('orders.byCustomer');
  return transport_type === 'LOGISTICS_DELIVERY' ? t('orders.byRider') : t('orders.byStore');
}
