import type { NewOrder } from '@aisle/contract/platform-orders';
import type { Static } from 'typebox';
import { findNames, findOffers, lockOffers, type OfferRow } from '../catalog/index.ts';
import { lockInChain, type VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { getStatus } from '../outlets/index.ts';
import { canBeRunning, listRunning, type RunningRow } from '../promotions/index.ts';
import type { By } from './change-order.ts';
import { findByExternalId, type OrderOfStore } from './queries.ts';
import type { NewItem } from './rules/placement.ts';

export type Placement = {
  order: Omit<Static<typeof NewOrder>, 'chain_id' | 'vendor_id'>;
  /** A test order from the portal. It does not need or change stock, and is accepted even if the store is closed. */
  isTest: boolean;
  by: By;
  now: Date;
  /** The stores that the caller can access. If absent or null, all of them. */
  vendorIds?: readonly string[] | null;
};

/** What the lines of an order depend on. */
export type Basket = {
  /** Locked, unless the order is a test order or a quote. */
  offers: OfferRow[];
  running: RunningRow[];
};

export type Outlet = Awaited<ReturnType<typeof getStatus>>;

/** Everything that placing an order depends on. */
export type Loaded = Basket & {
  /** The existing order with the same external id. */
  takenBy: OrderOfStore | undefined;
  /** Undefined for a test order, which is accepted even if the store is closed. */
  outlet: Outlet | undefined;
  suggestions: Awaited<ReturnType<typeof findNames>>;
};

/** Loads everything in one round trip. */
export async function loadPlacement(
  tx: Tx,
  chainId: string,
  { vendor_id: vendorId, locale }: VendorRow,
  { order, isTest, now }: Placement,
): Promise<Loaded> {
  const suggested = order.items.flatMap((item) => (item.replacement?.suggestions ?? []).map(({ sku }) => sku));
  const { external_order_id: externalId } = order;
  const [takenBy, outlet, basket, suggestions] = await Promise.all([
    externalId ? lockExternalId(tx, chainId, vendorId, externalId) : undefined,
    isTest ? undefined : getStatus(tx, chainId, vendorId),
    loadBasket(tx, chainId, vendorId, order.items, now, isTest ? findOffers : lockOffers),
    suggested.length === 0 ? [] : findNames(tx, chainId, vendorId, [...new Set(suggested)], locale),
  ]);
  return { takenBy, outlet, ...basket, suggestions };
}

/**
 * Returns the chain's order with this external id. Until the transaction ends, no other one can place an order with
 * this id.
 */
function lockExternalId(
  tx: Tx,
  chainId: string,
  vendorId: string,
  externalId: string,
): Promise<OrderOfStore | undefined> {
  lockInChain(tx, chainId, vendorId, 'externalId', `${chainId} ${externalId}`);
  return findByExternalId(tx, chainId, externalId);
}

/** Loads what a quote depends on, in one round trip and without locks. */
export async function loadQuote(
  tx: Tx,
  chainId: string,
  { vendor_id: vendorId }: VendorRow,
  items: readonly NewItem[],
  now: Date,
): Promise<Basket & { outlet: Outlet }> {
  const [outlet, basket] = await Promise.all([
    getStatus(tx, chainId, vendorId),
    loadBasket(tx, chainId, vendorId, items, now, findOffers),
  ]);
  return { outlet, ...basket };
}

async function loadBasket(
  tx: Tx,
  chainId: string,
  vendorId: string,
  items: readonly NewItem[],
  now: Date,
  readOffers: (tx: Tx, chainId: string, vendorId: string, skus: string[]) => Promise<OfferRow[]>,
): Promise<Basket> {
  const skus = items.map((item) => item.sku);
  const [offers, running] = await Promise.all([
    readOffers(tx, chainId, vendorId, skus),
    loadRunning(tx, chainId, vendorId, skus, now),
  ]);
  return { offers, running };
}

async function loadRunning(...basket: [tx: Tx, chainId: string, vendorId: string, skus: string[], now: Date]) {
  return basket[0].isDistributed && !(await canBeRunning(...basket)) ? [] : listRunning(...basket);
}
