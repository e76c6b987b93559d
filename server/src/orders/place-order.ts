import type { Links } from '../config.ts';
import type { NewOrder } from '@aisle/contract/platform-orders';
import { maxMoney } from '@aisle/contract/sizes';
import type { Static } from 'typebox';
import { chooseText, findOffers, isAvailable, lockOffers, type OfferRow, setStock } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import type { Tx } from '../kernel/database/db.ts';
import { decimal, decimalText, roundDecimal } from '../kernel/values/decimal.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId, randomBase36 } from '../kernel/values/ids.ts';
import { parseTime } from '../kernel/values/time.ts';
import { rejectClosed } from '../outlets/index.ts';
import { findRunningTerms } from '../promotions/index.ts';
import { type By, recordOrderEvent, recordOrderTally } from './change-order.ts';
import { pricePlaced } from './price-lines.ts';
import { findExternalOrder, insertOrder } from './queries.ts';
import { type Line, toStoredLine } from './rules/line.ts';
import type { Offer } from './rules/new-lines.ts';
import type { OrderRow } from './rules/order-response.ts';
import { checkItems, type Picking, placeLine, type Sellable } from './rules/placement.ts';
import { checkSum } from './rules/pricing.ts';
import { searchEntry } from './rules/search.ts';
import { takeOrdered } from './rules/stock.ts';

export type Placement = {
  order: Omit<Static<typeof NewOrder>, 'chain_id' | 'vendor_id'>;
  /** A test order from the portal. It does not need or change stock, and is accepted even if the store is closed. */
  isTest: boolean;
  by: By;
  now: Date;
};

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
  // Checked first. Otherwise, a repeated request could be rejected because the original one took the last unit.
  await rejectTakenId(tx, chainId, order.external_order_id);
  if (!isTest) await rejectClosed(tx, chainId, vendor.vendor_id);
  const orderId = newId(now.getTime());
  const lines = await placeLines(tx, chainId, vendor, orderId, placement);
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
  const event = await recordOrderEvent(tx, row, 'order.received', links);
  const change = { at: now, actor: by.actor, action: 'placed', from_status: null, items: [], event };
  // A concurrent transaction may have placed an order with the same external id.
  const isInserted = await insertOrder(tx, row, change, searchEntry(row));
  if (!isInserted) await rejectTakenId(tx, chainId, order.external_order_id);
  await recordOrderTally(tx, row);
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

async function rejectTakenId(tx: Tx, chainId: string, externalId: string | undefined): Promise<void> {
  const orderId = externalId ? await findExternalOrder(tx, chainId, externalId) : undefined;
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
  { order: { items }, isTest, now }: Placement,
): Promise<Line[]> {
  const skus = items.map((item) => item.sku);
  const rows = await (isTest ? findOffers : lockOffers)(tx, chainId, vendor.vendor_id, skus);
  const offers = new Map(rows.map((row) => [row.sku, sellable(row, vendor)]));
  const errors = checkItems(items, offers, isTest ? 'existence' : 'all');
  if (errors.length > 0) throw invalid(errors);
  const suggested = await suggestionNames(tx, chainId, vendor, items);
  const picking: Picking = {
    digits: minorDigits(vendor.currency),
    unitOverpick: vendor.unit_overpick,
    weightTolerance: vendor.weight_tolerance,
  };
  const terms = await findRunningTerms(tx, chainId, vendor, rows, now);
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

async function takeStock(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  orderId: string,
  rows: OfferRow[],
  lines: Line[],
): Promise<Line[]> {
  const moved = takeOrdered(lines, new Map(rows.map((row) => [row.sku, row.quantity])));
  const changed = moved.lines.flatMap(({ sku, taken }) =>
    taken ? [{ sku, quantity: moved.stock.get(sku) ?? 0 }] : [],
  );
  if (changed.length > 0) await setStock(tx, chainId, vendor.vendor_id, orderId, changed);
  return moved.lines;
}

/**
 * Returns a function that maps the SKU of a suggested replacement to its name, or to the SKU itself if the store does
 * not have that product.
 */
async function suggestionNames(tx: Tx, chainId: string, vendor: VendorRow, items: Placement['order']['items']) {
  const skus = items.flatMap((item) => (item.replacement?.suggestions ?? []).map(({ sku }) => sku));
  const rows = skus.length === 0 ? [] : await findOffers(tx, chainId, vendor.vendor_id, skus);
  const names = new Map(rows.map((row) => [row.sku, offerOf(row, vendor.locale).name]));
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
