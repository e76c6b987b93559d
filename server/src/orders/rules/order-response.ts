import type { Links } from '../../config.ts';
import type { EventBody, OrderEventType } from '@aisle/contract/events';
import type { PlatformOrderEventType } from '@aisle/contract/platform-events';
import type { Order, OrderSnapshot, OrderStatus } from '@aisle/contract/order';
import { addDecimals, type Decimal, decimal, decimalNumber } from '../../kernel/values/decimal.ts';
import { approvalTermsOf } from './approvals.ts';
import { type Amount, isBillable, type Line, readLine, type StoredLine } from './line.ts';
import { payFor } from './pricing.ts';
import { offeredActions } from './states.ts';

export type ImageLinks = Pick<Links, 'image'>;
export type Fees = { delivery: Decimal; service: Decimal };

/** A row in the table `orders`. */
export type OrderRow = {
  chain_id: string;
  order_id: string;
  vendor_id: string;
  order_code: string;
  external_order_id: string | null;
  status: OrderStatus;
  order_type: 'DELIVERY' | 'PICKUP';
  transport_type: 'LOGISTICS_DELIVERY' | 'VENDOR_DELIVERY';
  is_test: boolean;
  /** Whether a rider has picked up the order. */
  ridden: boolean;
  promised_for: Date | null;
  comment: string | null;
  client: Order['client'];
  customer: Order['customer'];
  currency: string;
  payment_type: string;
  delivery_fee: string;
  service_fee: string;
  items: StoredLine[];
  cancellation: { reason: string; cancelled_by: string } | null;
  /** The hash of the accepted fulfilment (`fulfilmentHash`), used to detect repetitions. */
  fulfilment: string | null;
  /** When the store fulfilled the order. Kept if the order is cancelled afterwards. */
  revision: number;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
};

export function orderResponse(row: OrderRow, links: ImageLinks): Order {
  return { ...orderSnapshot(row, links), allowed_actions: offeredActions(row) };
}

/**
 * Builds an event with the order as its body. A cancellation event also reports whether a rider had picked up the
 * order, and an event about a replacement has the id of the item.
 */
export function orderEvent<Type extends AnyOrderEvent>(
  row: OrderRow,
  type: Type,
  links: ImageLinks,
  itemId?: string,
): OrderEvent<Type> {
  const body = orderSnapshot(row, links);
  const event = type === 'order.cancelled' ? { type, body: { ...body, post_pickup_flag: row.ridden } } : { type, body };
  return (itemId === undefined ? event : { type, body: { ...body, item_id: itemId } }) as OrderEvent<Type>;
}

type AnyOrderEvent = OrderEventType | PlatformOrderEventType;
type OrderEvent<Type> = {
  [Each in AnyOrderEvent & Type]: {
    type: Each;
    body: Each extends 'order.cancelled'
      ? EventBody<'order.cancelled'>
      : Each extends `order.replacement_${string}`
        ? EventBody<'order.replacement_decided'>
        : OrderSnapshot;
  };
}[AnyOrderEvent & Type];

function orderSnapshot(row: OrderRow, links: ImageLinks): OrderSnapshot {
  const lines = row.items.map(readLine);
  const terms = approvalTermsOf(row);
  return {
    order_id: row.order_id,
    order_code: row.order_code,
    external_order_id: row.external_order_id,
    status: row.status,
    order_type: row.order_type,
    transport_type: row.transport_type,
    isPreorder: row.promised_for !== null,
    is_test: row.is_test,
    accepted_for: row.promised_for?.toISOString() ?? null,
    promised_for: row.promised_for?.toISOString() ?? null,
    comment: row.comment,
    ...(terms && { replacement_policy: 'ASK' as const, replacement_approval: terms }),
    promotion_status: lines.some((line) => line.terms !== null) ? 'AVAILABLE' : 'UNAVAILABLE',
    client: row.client,
    customer: row.customer,
    items: lines.map((line) => itemResponse(line, links)),
    payment: paymentResponse(row, lines),
    ...(row.cancellation && {
      cancellation: { ...row.cancellation, ...(row.ridden && { post_picked_up: true }) },
    }),
    revision: row.revision,
    sys: {
      created_at: row.created_at.toISOString(),
      created_by: row.created_by,
      updated_at: row.updated_at.toISOString(),
      updated_by: row.updated_by,
    },
  };
}

function itemResponse(line: Line, links: ImageLinks): Order['items'][number] {
  return {
    _id: line.id,
    sku: line.sku,
    name: line.name,
    barcode: line.barcodes,
    instructions: line.instructions,
    ...(line.image !== null && { image_url: links.image(line.image) }),
    status: line.status,
    ...pricedResponse(line),
    original_pricing: pricingResponse(line, line.ordered),
    ...(line.replacedId !== null && { replaced_id: line.replacedId }),
    ...(line.wish && { replacement: line.wish }),
    ...(line.approval && { approval: line.approval }),
  };
}

/** The current price of a line and the promotions that reduce it. */
export function pricedResponse(line: Line): Pick<Order['items'][number], 'pricing' | 'promotion' | 'discount'> {
  const discount = decimalNumber(line.discount);
  return {
    pricing: pricingResponse(line, line.picked),
    ...(line.terms && discount > 0 && { promotion: [promotionResponse(line.terms.name, discount)] }),
    discount,
  };
}

function promotionResponse(name: string, amount: number) {
  return { name, discount_amount: amount, sponsorships: [{ sponsor: 'VENDOR', amount }] };
}

function pricingResponse(line: Line, amount: Amount): Order['items'][number]['pricing'] {
  return {
    pricing_type: line.pricingType,
    quantity: amount.quantity,
    unit_price: decimalNumber(amount.unitPrice),
    total_price: decimalNumber(amount.total),
    min_quantity: decimalNumber(line.min),
    max_quantity: decimalNumber(line.max),
    ...(amount.weight !== null && { weight: decimalNumber(amount.weight) }),
  };
}

function paymentResponse(row: OrderRow, lines: Line[]): Order['payment'] {
  const fees = { delivery: decimal(row.delivery_fee), service: decimal(row.service_fee) };
  return { type: row.payment_type, currency: row.currency, ...paymentAmounts(lines, fees) };
}

/** What the customer pays for these lines. */
export function paymentAmounts(lines: Line[], fees: Fees): Omit<Order['payment'], 'type' | 'currency'> {
  const payment = payFor(lines, addDecimals(fees.delivery, fees.service));
  return {
    sub_total: decimalNumber(payment.subTotal),
    discount: decimalNumber(payment.discount),
    discounts: discountsByName(lines),
    delivery_fee: decimalNumber(fees.delivery),
    service_fee: decimalNumber(fees.service),
    total_taxes: 0,
    order_total: decimalNumber(payment.total),
  };
}

function discountsByName(lines: Line[]): Order['payment']['discounts'] {
  const sums = new Map<string, Decimal>();
  for (const line of lines.filter(isBillable)) {
    if (line.terms === null || line.discount === 0n) continue;
    sums.set(line.terms.name, addDecimals(sums.get(line.terms.name) ?? (0n as Decimal), line.discount));
  }
  return [...sums].map(([name, amount]) => ({ name, amount: decimalNumber(amount) }));
}
