import type { OrderRefund } from '@aisle/contract/storefront-orders';
import type { Static } from 'typebox';
import { addDecimals, type Decimal, decimal, decimalNumber } from '../../kernel/values/decimal.ts';
import { type Amount, isBillable, isOriginal, type Line, readLine } from './line.ts';
import type { OrderRow } from './order-response.ts';
import { isFulfilled } from './order-tally.ts';

type Refund = Static<typeof OrderRefund>;

const zero = 0n as Decimal;

/** Compares what the customer ordered, line by line, with what the customer gets. A cancelled order costs nothing. */
export function refundResponse(row: OrderRow): Refund {
  const isCancelled = row.status === 'CANCELLED';
  const lines = row.items.map((stored) => compareLine(readLine(stored), isCancelled));
  const fees = addDecimals(decimal(row.delivery_fee), decimal(row.service_fee));
  const ordered = addDecimals(fees, ...lines.map((line) => line.ordered));
  const charged = addDecimals(isCancelled ? zero : fees, ...lines.map((line) => line.charged));
  const difference = (ordered - charged) as Decimal;
  return {
    order_id: row.order_id,
    status: row.status,
    is_settled: isCancelled || isFulfilled(row.status),
    currency: row.currency,
    fees: decimalNumber(fees),
    ordered_total: decimalNumber(ordered),
    charged_total: decimalNumber(charged),
    refund: decimalNumber(difference > zero ? difference : zero),
    additional_charge: decimalNumber(difference < zero ? ((zero - difference) as Decimal) : zero),
    items: lines.map((line) => line.response),
  };
}

function compareLine(line: Line, isCancelled: boolean) {
  const isOrdered = isOriginal(line);
  const isCharged = !isCancelled && isBillable(line);
  const ordered = isOrdered ? ((line.ordered.total - line.orderedDiscount) as Decimal) : zero;
  const charged = isCharged ? ((line.picked.total - line.discount) as Decimal) : zero;
  const response: Refund['items'][number] = {
    _id: line.id,
    sku: line.sku,
    name: line.name,
    status: line.status,
    ...(line.replacedId !== null && { replaced_id: line.replacedId }),
    ordered: isOrdered ? amountResponse(line.ordered, line.orderedDiscount, ordered) : null,
    charged: isCharged ? amountResponse(line.picked, line.discount, charged) : null,
    difference: decimalNumber((ordered - charged) as Decimal),
  };
  return { ordered, charged, response };
}

function amountResponse({ quantity, weight, unitPrice }: Amount, discount: Decimal, amount: Decimal) {
  return {
    quantity,
    ...(weight !== null && { weight: decimalNumber(weight) }),
    unit_price: decimalNumber(unitPrice),
    discount: decimalNumber(discount),
    amount: decimalNumber(amount),
  };
}
