import { maxMoney } from '@aisle/contract/sizes';
import type { VendorRow } from '../identity/index.ts';
import { invalid } from '../kernel/failures/failure.ts';
import { type Decimal, decimal, roundDecimal } from '../kernel/values/decimal.ts';
import type { Placement } from './load-placement.ts';
import type { Fees } from './rules/order-response.ts';

type NewOrder = Placement['order'];
type SentFees = Pick<NewOrder['payment'], 'delivery_fee' | 'service_fee'>;

/** The transport type that was sent, or the store's. */
export function getTransport(order: Pick<NewOrder, 'order_type' | 'transport_type'>, vendor: VendorRow) {
  const transportType = order.transport_type ?? vendor.transport_type;
  if (order.order_type !== 'PICKUP' || transportType === 'LOGISTICS_DELIVERY') return transportType;
  const message = 'must be LOGISTICS_DELIVERY if order_type is PICKUP';
  throw invalid([{ pointer: '/transport_type', code: 'not_allowed', message }]);
}

/** The fees, rounded to the minor unit of the currency. */
export function getFees(payment: SentFees, digits: number): Fees {
  return { delivery: getFee(payment, 'delivery_fee', digits), service: getFee(payment, 'service_fee', digits) };
}

function getFee(payment: SentFees, field: keyof SentFees, digits: number): Decimal {
  const rounded = roundDecimal(decimal(payment[field] ?? 0), digits);
  if (rounded <= decimal(maxMoney)) return rounded;
  const message = `must be at most ${maxMoney} after rounding to ${digits} decimal places`;
  throw invalid([{ pointer: `/payment/${field}`, code: 'out_of_range', message }]);
}
