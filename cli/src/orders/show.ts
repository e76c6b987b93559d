import type { Order, OrderItem, QueuedOrder } from '@aisle/sdk';
import type { Context } from '../context.ts';
import { styleOf } from '../terminal/paint.ts';
import { count, kilograms, money, plain, shortNames } from '../terminal/text.ts';
import { isByWeight, orderedAmount } from './picks.ts';

/** An order with its items. */
export function orderText(context: Context, order: Order): string {
  const { payment, sys, client, customer, cancellation, promised_for: promised } = order;
  const fields = context.fields([
    ['Order', `${order.order_code}  ${order.order_id}`],
    ['Status', { text: order.status, style: styleOf(order.status) }],
    ['Store', `${client.name} (${client.store_id})`],
    ['Placed', `${context.relative(sys.created_at)}${order.is_test ? ', test order' : ''}`],
    ['Promised', promised === null ? undefined : context.relative(promised)],
    ['Delivery', order.order_type === 'PICKUP' ? 'collected by the customer' : order.transport_type],
    ['Customer', customer === null ? undefined : `${customer.first_name} ${customer.last_name ?? ''}`.trim()],
    ['Comment', order.comment ?? undefined],
    ['Cancelled', cancellation && `${cancellation.reason}, by ${cancellation.cancelled_by}`],
    ['Total', `${money(payment.order_total, payment.currency)} (${payment.type})`],
  ]);
  return `${fields}\n\n${itemsText(context, order)}`;
}

/** A short line for lists and events. */
export function orderLine({ paint }: Context, order: Pick<Order, 'order_code' | 'status' | 'items' | 'payment'>) {
  const { payment } = order;
  const status = paint(styleOf(order.status), plain(order.status));
  const total = money(payment.order_total, payment.currency);
  return `${paint('bold', plain(order.order_code))}  ${status}  ${count(order.items.length, 'item')}  ${total}`;
}

export function ordersTable(context: Context, orders: readonly Order[]): string {
  if (orders.length === 0) return 'No orders.';
  const stores = shortNames(orders.map(({ client }) => client.name));
  return context.table(
    [
      { title: 'CODE' },
      { title: 'STATUS' },
      { title: 'STORE', flexible: true },
      { title: 'ITEMS', align: 'right' },
      { title: 'TOTAL', align: 'right' },
      { title: 'PLACED' },
    ],
    orders.map((order, index) => [
      order.order_code,
      { text: order.status, style: styleOf(order.status) },
      stores[index] ?? '',
      String(order.items.length),
      money(order.payment.order_total, order.payment.currency),
      context.relative(order.sys.created_at),
    ]),
  );
}

export function queueTable(context: Context, orders: readonly QueuedOrder[]): string {
  const stores = shortNames(orders.map(({ vendor_name }) => vendor_name));
  return context.table(
    [
      { title: '', align: 'right' },
      { title: 'CODE' },
      { title: 'STORE', flexible: true },
      { title: 'ITEMS', align: 'right' },
      { title: 'PLACED' },
      { title: 'PICKER', flexible: true },
    ],
    orders.map((order, index) => [
      String(index + 1),
      order.order_code,
      stores[index] ?? '',
      String(order.item_count),
      context.relative(order.created_at),
      order.pickers.map(({ name }) => name).join(', '),
    ]),
  );
}

/** An amount with its unit, such as `2 ×` or `0.850 kg`. */
export function amountText(amount: number, isSoldByWeight: boolean): string {
  return isSoldByWeight ? kilograms(amount) : `${amount} ×`;
}

function itemsText(context: Context, { items, payment }: Order): string {
  return context.table(
    [
      { title: 'AMOUNT', align: 'right' },
      { title: 'ITEM', flexible: true },
      { title: 'SKU' },
      { title: 'STATUS' },
      { title: 'PRICE', align: 'right' },
    ],
    items.map((item) => [
      amountText(orderedAmount(item), isByWeight(item)),
      `${item.replaced_id === undefined ? '' : '↳ '}${item.name}`,
      item.sku,
      { text: item.status, style: styleOf(item.status) },
      money(priceOf(item), payment.currency),
    ]),
  );
}

function priceOf({ status, pricing, discount }: OrderItem): number {
  return status === 'NOT_FOUND' || status === 'REPLACED' ? 0 : pricing.total_price - discount;
}
