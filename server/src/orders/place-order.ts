import type { Links } from '../config.ts';
import { maxMoney } from '@aisle/contract/sizes';
import { chooseText, isAvailable, type OfferRow, setStock } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import type { Tx } from '../kernel/database/db.ts';
import { decimal, decimalText, roundDecimal } from '../kernel/values/decimal.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId, randomBase36 } from '../kernel/values/ids.ts';
import { parseTime } from '../kernel/values/time.ts';
import { rejectClosed } from '../outlets/index.ts';
import { runningTerms } from '../promotions/index.ts';
import { recordOrderEvent, recordOrderTally } from './change-order.ts';
import { type Loaded, loadPlacement, type Placement } from './load-placement.ts';
import { pricePlaced } from './price-lines.ts';
import { insertOrder } from './queries.ts';
import { type Line, toStoredLine } from './rules/line.ts';
import type { Offer } from './rules/new-lines.ts';
import type { OrderRow } from './rules/order-response.ts';
import { checkItems, type Picking, placeLine, type Sellable } from './rules/placement.ts';
import { checkSum } from './rules/pricing.ts';
import { searchEntry } from './rules/search.ts';
import { takeOrdered } from './rules/stock.ts';

/** Checks and prices a customer's order against the locked offers, stores it and records its event. */
export async function placeOrder(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  placement: Placement,
  links: Links,
): Promise<OrderRow> {
  const { order, isTest, by, now } = placement;
  const transportType = decideTransport(order, vendor);
  const loaded = await loadPlacement(tx, chainId, vendor, placement);
  // Checked first. Otherwise, a repeated request could be rejected because the original one took the last unit.
  rejectTakenId(order.external_order_id, loaded.takenBy);
  if (loaded.outlet) rejectClosed(vendor.vendor_id, loaded.outlet);
  const orderId = newId(now.getTime());
  const lines = await placeLines(tx, chainId, vendor, orderId, placement, loaded);
  const digits = minorDigits(vendor.currency);
  const row: OrderRow = {
    chain_id: chainId,
    order_id: orderId,
    vendor_id: vendor.vendor_id,
    order_code: newCode(),
    external_order_id: order.external_order_id || null,
    status: 'RECEIVED',
    order_type: order.order_type ?? 'DELIVERY',
    transport_type: transportType,
    is_test: isTest,
    ridden: false,
    promised_for: order.promised_for === undefined ? null : parseTime(order.promised_for),
    comment: order.comment ?? null,
    client: clientOf(chainId, vendor),
    customer: { _id: newId(now.getTime()), ...order.customer },
    currency: vendor.currency,
    payment_type: order.payment.type,
    delivery_fee: fee(order.payment, 'delivery_fee', digits),
    service_fee: fee(order.payment, 'service_fee', digits),
    items: lines.map(toStoredLine),
    cancellation: null,
    fulfilment: null,
    revision: 1,
    created_at: now,
    created_by: by.name,
    updated_at: now,
    updated_by: by.name,
  };
  const event = recordOrderEvent(tx, row, 'order.received', links);
  const change = { at: now, actor: by.actor, action: 'placed', from_status: null, items: [], event };
  insertOrder(tx, row, change, searchEntry(row));
  recordOrderTally(tx, row);
  return row;
}

/** Converts a row to the form that orders use, with the product's name in the store's language. */
export function offerOf(row: OfferRow, locale: string): Offer {
  return {
    sku: row.sku,
    name: chooseText(row.titles, locale, locale) || row.sku,
    barcodes: row.barcodes,
    image: row.image,
    price: row.price,
    isWeighted: row.is_sold_by_weight,
  };
}

function rejectTakenId(externalId: string | undefined, orderId: string | undefined): void {
  if (orderId === undefined) return;
  const detail = `Order ${orderId} in this chain already has the external_order_id ${externalId}.`;
  throw new Failure('external_order_id_taken', detail, { extra: { order_id: orderId } });
}

function decideTransport(order: Placement['order'], vendor: VendorRow) {
  const transportType = order.transport_type ?? vendor.transport_type;
  if (order.order_type !== 'PICKUP' || transportType === 'LOGISTICS_DELIVERY') return transportType;
  const message = 'must be LOGISTICS_DELIVERY if order_type is PICKUP';
  throw invalid([{ pointer: '/transport_type', code: 'not_allowed', message }]);
}

async function placeLines(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  orderId: string,
  { order: { items }, isTest }: Placement,
  { offers: rows, suggestions, running }: Loaded,
): Promise<Line[]> {
  const offers = new Map(rows.map((row) => [row.sku, sellable(row, vendor)]));
  const errors = checkItems(items, offers, isTest ? 'existence' : 'all');
  if (errors.length > 0) throw invalid(errors);
  const suggested = suggestionNames(suggestions, vendor.locale);
  const picking: Picking = {
    digits: minorDigits(vendor.currency),
    unitOverpick: vendor.unit_overpick,
    weightTolerance: vendor.weight_tolerance,
  };
  const terms = runningTerms(running, rows, vendor.locale);
  const placed = items.map((item): Line => {
    const offer = offers.get(item.sku) as Offer;
    return { id: newId(), ...placeLine(item, offer, terms.get(item.sku) ?? null, suggested, picking) };
  });
  const sumErrors = checkSum(placed);
  if (sumErrors.length > 0) throw invalid(sumErrors);
  const lines = await pricePlaced(tx, chainId, placed, picking.digits, isTest);
  return isTest ? lines : takeStock(tx, chainId, vendor, orderId, rows, lines);
}

function sellable(row: OfferRow, vendor: VendorRow): Sellable {
  return {
    ...offerOf(row, vendor.locale),
    active: row.active,
    isAvailable: isAvailable(row, vendor.sales_buffer),
    maximum: row.maximum_sales_quantity,
  };
}

function takeStock(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  orderId: string,
  rows: OfferRow[],
  lines: Line[],
): Line[] {
  const moved = takeOrdered(lines, new Map(rows.map((row) => [row.sku, row.quantity])));
  const changed = moved.lines.flatMap(({ sku, taken }) =>
    taken ? [{ sku, quantity: moved.stock.get(sku) ?? 0 }] : [],
  );
  if (changed.length > 0) setStock(tx, chainId, vendor.vendor_id, orderId, changed);
  return moved.lines;
}

/**
 * Returns a function that maps the SKU of a suggested replacement to its name, or to the SKU itself if the store does
 * not have that product.
 */
function suggestionNames(rows: OfferRow[], locale: string): (sku: string) => string {
  const names = new Map(rows.map((row) => [row.sku, offerOf(row, locale).name]));
  return (sku: string) => names.get(sku) ?? sku;
}

function clientOf(chainId: string, vendor: VendorRow): OrderRow['client'] {
  return {
    id: vendor.vendor_id,
    chain_id: chainId,
    name: vendor.name,
    country_code: vendor.country_code,
    store_id: vendor.vendor_id,
    ...(vendor.external_id !== null && { external_partner_config_id: vendor.external_id }),
  };
}

function fee(payment: Placement['order']['payment'], field: 'delivery_fee' | 'service_fee', digits: number): string {
  const rounded = roundDecimal(decimal(payment[field] ?? 0), digits);
  if (rounded <= decimal(maxMoney)) return decimalText(rounded);
  const message = `must be at most ${maxMoney} after rounding to ${digits} decimal places`;
  throw invalid([{ pointer: `/payment/${field}`, code: 'out_of_range', message }]);
}

/** Six characters, short enough to read aloud. */
function newCode(): string {
  const code = randomBase36(6).toUpperCase();
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
