import type { Config } from '../config.ts';
import type { Tx } from '../kernel/database/db.ts';
import {
  countIncoming,
  countNewProducts,
  countOffersOfChain,
  countProductsOfChain,
  findIncomingOffered,
  rejectNewOffers,
} from './limit-queries.ts';

/**
 * Limits how many products and offers a chain can have. Offers are counted from the stored numbers of its stores, so this
 * is fast. A product is created together with an offer, so the chain's products are counted only if it has more offers
 * than it can have products, and only when products are created, once for all stores. Slices that run at the same time
 * can each exceed a limit by their own items.
 */
export type CreationLimits = Pick<Config['limits'], 'products' | 'offers'>;

/**
 * Rejects the items of the slice that would create offers if these do not fit. The items of products that the vendor
 * already has are reported as duplicates, as usual. Returns the number of the chain's offers.
 */
export async function limitOffers(
  tx: Tx,
  chainId: string,
  vendorId: string,
  max: number,
): Promise<{ offers: number; isRejected: boolean }> {
  const [offers, incoming] = await Promise.all([countOffersOfChain(tx, chainId), countIncoming(tx, 'incoming_offers')]);
  if (offers + incoming <= max) return { offers, isRejected: false };
  const offered = await findIncomingOffered(tx, chainId, vendorId);
  if (offers + incoming - offered.length <= max) return { offers, isRejected: false };
  const message = `The chain can have at most ${max} offers (each product counts once for each store that has it), and has ${offers}.`;
  await rejectNewOffers(tx, offered, message);
  return { offers, isRejected: true };
}

/** Whether the products of the slice that the chain does not have yet fit. `offers` is the number of its offers. */
export async function hasRoomForProducts(tx: Tx, chainId: string, offers: number, max: number): Promise<boolean> {
  const incoming = await countIncoming(tx, 'incoming_products');
  if (offers + incoming <= max) return true;
  const known = await countProductsOfChain(tx, chainId);
  return known + incoming <= max || known + (await countNewProducts(tx, chainId, incoming)) <= max;
}
