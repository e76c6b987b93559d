import type { Links } from '../config.ts';
import { type OfferRow, setStock } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import type { Tx } from '../kernel/database/db.ts';
import { decimalText } from '../kernel/values/decimal.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId, newIdIn, randomBase36 } from '../kernel/values/ids.ts';
import { parseTime } from '../kernel/values/time.ts';
import { rejectClosed } from '../outlets/index.ts';
import { reserveGlobalUnits } from '../promotions/index.ts';
import { recordOrderEvent, recordOrderTally } from './change-order.ts';
import { decideLines } from './decide-lines.ts';
import { type Loaded, loadPlacement, type Placement } from './load-placement.ts';
import { pricePlaced } from './price-lines.ts';
import { insertOrder, type OrderOfStore } from './queries.ts';
import { defaultTerms } from './rules/approvals.ts';
import { type Line, toStoredLine } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';
import { getFees, getTransport } from './read-terms.ts';
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
  const transportType = getTransport(order, vendor);
  const fees = getFees(order.payment, minorDigits(vendor.currency));
  const loaded = await loadPlacement(tx, chainId, vendor, placement);
  // Checked first. Otherwise, a repeated request could be rejected because the original one took the last unit.
  if (loaded.takenBy) throw takenId(order.external_order_id, loaded.takenBy, placement.vendorIds);
  if (loaded.outlet) rejectClosed(vendor.vendor_id, loaded.outlet);
  const orderId = newIdIn(chainId, now.getTime());
  const lines = await placeLines(tx, chainId, vendor, orderId, placement, loaded);
  const terms = order.replacement_policy === 'ASK' ? (order.replacement_approval ?? defaultTerms) : undefined;
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
    delivery_fee: decimalText(fees.delivery),
    service_fee: decimalText(fees.service),
    items: lines.map((line) => toStoredLine({ ...line, ...(terms && { approvalTerms: terms }) })),
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

/** Does not show the id of an order of a store that the caller cannot access. */
function takenId(
  externalId: string | undefined,
  { order_id, vendor_id }: OrderOfStore,
  vendorIds: Placement['vendorIds'],
): Failure {
  const isVisible = vendorIds?.includes(vendor_id) ?? true;
  const detail = `${isVisible ? `Order ${order_id}` : 'Another order'} in this chain already has the external_order_id ${externalId}.`;
  return new Failure('external_order_id_taken', detail, isVisible ? { extra: { order_id } } : {});
}

async function placeLines(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  orderId: string,
  { order: { items }, isTest }: Placement,
  loaded: Loaded,
): Promise<Line[]> {
  const { lines, errors, findTerms } = decideLines(vendor, items, loaded, isTest ? 'existence' : 'all');
  if (errors.length > 0) throw invalid(errors);
  const digits = minorDigits(vendor.currency);
  const grantUnits = isTest ? undefined : reserveGlobalUnits;
  const priced = await pricePlaced(tx, chainId, lines, digits, { grantUnits, findTerms });
  return isTest ? priced : takeStock(tx, chainId, vendor, orderId, loaded.offers, priced);
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
  setStock(tx, chainId, vendor.vendor_id, orderId, rows, moved.stock);
  return moved.lines;
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

/** Six characters, short enough to read aloud. */
function newCode(): string {
  const code = randomBase36(6).toUpperCase();
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
