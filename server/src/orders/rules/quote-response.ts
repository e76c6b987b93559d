import type { InputError } from '@aisle/contract/common';
import type { Quote } from '@aisle/contract/quotes';
import type { Static } from 'typebox';
import type { Line } from './line.ts';
import { type Fees, type ImageLinks, paymentAmounts, pricedResponse } from './order-response.ts';

type Quoted = {
  vendor: { vendor_id: string; chain_id: string; currency: string };
  outlet: { status: Static<typeof Quote>['outlet_status']; closed_until: Date | null };
  /** The products in the basket, with their maximum per order. */
  offers: { sku: string; maximum_sales_quantity: number | null }[];
  lines: Line[];
  errors: InputError[];
  fees: Fees;
  now: Date;
};

export function quoteResponse(quoted: Quoted, links: ImageLinks): Static<typeof Quote> {
  const { vendor, outlet, offers, lines, errors, fees, now } = quoted;
  const maximums = new Map(offers.map(({ sku, maximum_sales_quantity: maximum }) => [sku, maximum]));
  return {
    chain_id: vendor.chain_id,
    vendor_id: vendor.vendor_id,
    is_accepted: outlet.status === 'OPEN' && errors.length === 0,
    outlet_status: outlet.status,
    ...(outlet.closed_until && { closed_until: outlet.closed_until.toISOString() }),
    errors,
    items: lines.map((line) => ({
      sku: line.sku,
      name: line.name,
      ...(line.image !== null && { image_url: links.image(line.image) }),
      ...pricedResponse(line),
      maximum_sales_quantity: maximums.get(line.sku) ?? null,
    })),
    payment: { currency: vendor.currency, ...paymentAmounts(lines, fees) },
    quoted_at: now.toISOString(),
  };
}
