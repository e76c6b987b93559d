import type { NewOrder } from '@aisle/contract/platform-orders';
import type { Static } from 'typebox';
import { findOffers, lockOffers, type OfferRow } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { getStatus } from '../outlets/index.ts';
import { listRunning, type RunningRow } from '../promotions/index.ts';
import type { By } from './change-order.ts';
import { lockExternalId } from './queries.ts';

export type Placement = {
  order: Omit<Static<typeof NewOrder>, 'chain_id' | 'vendor_id'>;
  /** A test order from the portal. It does not need or change stock, and is accepted even if the store is closed. */
  isTest: boolean;
  by: By;
  now: Date;
};

/** Everything that placing an order depends on. */
export type Loaded = {
  /** The existing order with the same external id. */
  takenBy: string | undefined;
  /** Undefined for a test order, which is accepted even if the store is closed. */
  outlet: Awaited<ReturnType<typeof getStatus>> | undefined;
  /** Locked, unless the order is a test order. */
  offers: OfferRow[];
  suggestions: OfferRow[];
  running: RunningRow[];
};

/** Loads everything in one round trip. */
export async function loadPlacement(
  tx: Tx,
  chainId: string,
  { vendor_id: vendorId }: VendorRow,
  { order, isTest, now }: Placement,
): Promise<Loaded> {
  const skus = order.items.map((item) => item.sku);
  const suggested = order.items.flatMap((item) => (item.replacement?.suggestions ?? []).map(({ sku }) => sku));
  const { external_order_id: externalId } = order;
  const [takenBy, outlet, offers, suggestions, running] = await Promise.all([
    externalId ? lockExternalId(tx, chainId, externalId) : undefined,
    isTest ? undefined : getStatus(tx, chainId, vendorId),
    (isTest ? findOffers : lockOffers)(tx, chainId, vendorId, skus),
    suggested.length === 0 ? [] : findOffers(tx, chainId, vendorId, suggested),
    listRunning(tx, chainId, vendorId, skus, now),
  ]);
  return { takenBy, outlet, offers, suggestions, running };
}
