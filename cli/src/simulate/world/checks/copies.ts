import type { Evidence, Offer } from '../evidence.ts';
import type { Violation } from '../history.ts';
import { lineKey } from './stock.ts';

/** A storefront that follows the changes has the price and quantity of every product. */
export function checkCopies({ chains, offers, copies }: Pick<Evidence, 'chains' | 'offers' | 'copies'>): Violation[] {
  const copied = new Map(copies.map((copy) => [lineKey(copy), copy]));
  const isFollowed = new Set(copies.map(({ chain_id }) => chain_id));
  return offers
    .filter(({ chain_id }) => isFollowed.has(chain_id))
    .flatMap((offer) => {
      const copy = copied.get(lineKey(offer));
      if (copy?.price === offer.price && copy.quantity === offer.quantity) return [];
      const { tag } = chains.find(({ chainId }) => chainId === offer.chain_id) ?? {};
      const shown = (each: Offer | undefined) => (each ? `${each.quantity} for ${each.price}` : 'nothing');
      return [
        {
          rule: 'no change is missed',
          subject: `${tag} ${offer.vendor_id} ${offer.sku}`,
          message: `${tag}, store ${offer.vendor_id}: a storefront has ${shown(copy)} of ${offer.sku}, not ${shown(offer)}`,
        },
      ];
    });
}
