import type { Warning } from '@aisle/contract/put-order';
import type { Links } from '../config.ts';
import { findOffers, type OfferRow } from '../catalog/index.ts';
import { findVendors } from '../identity/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { type By, getTransition, saveChange } from './change-order.ts';
import { releaseAll } from './release-order.ts';
import { moveStock } from './move-stock.ts';
import { offerOf } from './decide-lines.ts';
import { getVisible } from './get-order.ts';
import { pricePicked, releaseUnits } from './price-lines.ts';
import { lockWithOffers } from './lock-order.ts';
import { rejectStale } from './reject-stale.ts';
import { findOrder } from './queries.ts';
import { applyCart, movableStock, skusOf } from './rules/cart.ts';
import { fulfilmentHash } from './rules/fulfilment-hash.ts';
import { describePicking } from './rules/history.ts';
import { approvalTermsOf, stateOf, unapproved } from './rules/approvals.ts';
import { type Line, nameOf, readLine, toStoredLine } from './rules/line.ts';
import { type Offer, pricingTypeOf } from './rules/new-lines.ts';
import type { OrderRow } from './rules/order-response.ts';
import { toStrictItems } from './rules/profile.ts';
import type { Item, Put } from './rules/read-put.ts';
import { repeatWarnings } from './rules/warnings.ts';

export type PutContext = {
  profile: 'strict' | 'tolerant';
  /** Null means all vendors in the chain. */
  vendorIds: readonly string[] | null;
  ifMatch: string | undefined;
  by: By;
  now: Date;
  readableDays: number;
  links: Links;
};
export type PutResult = { row: OrderRow; warnings: Warning[] };

/** Handles a request from a picking device: fulfil, validate or cancel. The order is locked while it is changed. */
export async function putOrder(
  tx: Tx,
  chainId: string,
  orderId: string,
  put: Put,
  context: PutContext,
): Promise<PutResult> {
  const isChange = put.status !== 'UPDATE_CART' && put.status !== 'ACCEPTED';
  const [found, offers] = isChange
    ? await lockWithOffers(tx, chainId, orderId, movableStock(put))
    : [await findOrder(tx, chainId, orderId), []];
  // An order can be cancelled at any age.
  const readableDays = put.status === 'CANCELLED' ? null : context.readableDays;
  const row = getVisible(orderId, found, { ...context, readableDays });
  switch (put.status) {
    case 'ACCEPTED':
      return { row, warnings: [] };
    case 'CANCELLED':
      return { row: await cancel(tx, row, offers, put.reason, context), warnings: [] };
    case 'UPDATE_CART':
      return validate(tx, row, put.items, context);
    default:
      return fulfil(tx, row, offers, put, context);
  }
}

async function cancel(
  tx: Tx,
  row: OrderRow,
  offers: OfferRow[],
  reason: string,
  context: PutContext,
): Promise<OrderRow> {
  if (row.status === 'CANCELLED') return row;
  rejectStale(row, context.ifMatch);
  const transition = getTransition(row, 'CANCELLED', 'partner');
  const lines = await releaseAll(tx, row, offers);
  const next = { cancellation: { reason, cancelled_by: 'VENDOR' }, items: lines.map(toStoredLine) };
  return saveChange(tx, row, next, { transition, action: 'cancelled', ...context }, context.links);
}

async function validate(tx: Tx, row: OrderRow, items: Item[] | undefined, context: PutContext): Promise<PutResult> {
  const request = await readRequest(tx, row, items, context.profile);
  const { lines, warnings } = decide('validation', request);
  rejectUnapproved(row, lines);
  rejectStale(row, context.ifMatch);
  getTransition(row, 'UPDATE_CART', 'partner');
  return { row: { ...row, items: lines.map(toStoredLine) }, warnings };
}

async function fulfil(
  tx: Tx,
  row: OrderRow,
  locked: OfferRow[],
  { status, items }: Extract<Put, { items: unknown }>,
  context: PutContext,
): Promise<PutResult> {
  const request = await readRequest(tx, row, items, context.profile, locked);
  const hash = fulfilmentHash(status, request.items, request.lines, request.digits);
  const isRepeated = hash !== undefined && hash === row.fulfilment && row.status !== 'CANCELLED';
  if (isRepeated) return { row, warnings: repeatWarnings(request.items, request.lines) };
  const { lines, warnings } = decide('fulfilment', request);
  rejectUnapproved(row, lines);
  rejectStale(row, context.ifMatch);
  const transition = getTransition(row, status, 'partner');
  const moved = await moveStock(tx, row, locked, request.lines, lines);
  releaseUnits(tx, row, request.lines, moved, request.digits);
  const next = { items: moved.map(toStoredLine), fulfilment: hash ?? null };
  const changed = describePicking(request.lines, moved, row.currency);
  const change = { transition, action: 'fulfilled', items: changed, ...context };
  return { row: saveChange(tx, row, next, change, context.links), warnings };
}

/** If the customer wants to be asked, an item can be replaced only with what the customer has agreed to. */
function rejectUnapproved(row: OrderRow, lines: Line[]): void {
  const [first] = approvalTermsOf(row) ? unapproved(lines) : [];
  if (!first) return;
  const state = stateOf(lines.find(({ id }) => id === first.replacedId)?.approval);
  const detail = `The customer has not approved ${nameOf(first)} as a replacement; the state of the item is ${state}.`;
  throw new Failure('replacement_not_approved', detail, { extra: { approval_state: state } });
}

type Request = {
  items: Item[];
  lines: Line[];
  offers: Map<string, Offer>;
  weightedReplacement: boolean;
  digits: number;
};

/**
 * Normalizes the request to its strict form, with the offers for the products that it adds. They are loaded unless
 * they are among the locked ones.
 */
async function readRequest(
  tx: Tx,
  row: OrderRow,
  items: Item[] | undefined,
  profile: PutContext['profile'],
  locked?: OfferRow[],
): Promise<Request> {
  const lines = row.items.map(readLine);
  const digits = minorDigits(row.currency);
  const { offers, weightedReplacement } = await loadOffers(tx, row, skusOf(items ?? []), locked);
  const request = { lines, offers, weightedReplacement, digits };
  if (profile === 'strict') return { ...request, items: items ?? [] };
  const typeOf = (sku: string) => {
    const offer = offers.get(sku);
    return offer && pricingTypeOf(offer);
  };
  return { ...request, items: toStrictItems(items, lines, typeOf, digits) };
}

async function loadOffers(tx: Tx, row: OrderRow, skus: string[], locked: OfferRow[] | undefined) {
  if (skus.length === 0) return { offers: new Map<string, Offer>(), weightedReplacement: false };
  const [[vendor], rows] = await Promise.all([
    findVendors(tx, row.chain_id, [row.vendor_id]),
    locked ?? findOffers(tx, row.chain_id, row.vendor_id, skus),
  ]);
  const offers = new Map(rows.map((offer) => [offer.sku, offerOf(offer, vendor?.locale ?? '')]));
  return { offers, weightedReplacement: vendor?.weighted_replacement ?? false };
}

function decide(kind: 'fulfilment' | 'validation', request: Request) {
  const { items, lines, offers, weightedReplacement, digits } = request;
  const cart = applyCart(kind, items, lines, offers, { digits, weightedReplacement });
  if (cart.kind === 'rejected') throw invalid(cart.errors, cart.code);
  const linesWithIds = cart.lines.map((line) => ('id' in line ? line : { ...line, id: newId() }));
  return { lines: pricePicked(linesWithIds, digits), warnings: cart.warnings };
}
