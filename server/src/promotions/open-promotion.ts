import type { Tx } from '../kernel/database/db.ts';
import { cancelPromotion, findByIdentity, insertPromotion, type PromotionRow } from './queries.ts';
import type { Header } from './rules/header.ts';
import { identityHash } from './rules/identity.ts';

/** The promotion as a request names it, its vendors found. */
export type Named = { header: Omit<Header, 'vendors'>; isForAll: boolean; vendors: string[] };

/** The promotion to work on: the known one, or, where an id for it is given, a new one that is not published yet. */
export async function openPromotion(
  tx: Tx,
  chainId: string,
  named: Named,
  newPromotionId: string | undefined,
): Promise<PromotionRow | undefined> {
  const hash = hashOf(named);
  const known = await findByIdentity(tx, chainId, hash);
  if (known || newPromotionId === undefined) return known;
  const { type, display_name, start_time, end_time, purchased_quantity, discounted_quantity } = named.header;
  return insertPromotion(tx, chainId, {
    promotion_id: newPromotionId,
    identity_hash: hash,
    type,
    vendor_ids: named.isForAll ? null : named.vendors.toSorted(),
    display_name,
    start_time,
    end_time,
    purchased_quantity,
    discounted_quantity,
  });
}

/** Undefined if there is nothing to cancel. */
export async function cancelNamed(tx: Tx, chainId: string, named: Named): Promise<PromotionRow | undefined> {
  const known = await findByIdentity(tx, chainId, hashOf(named));
  if (known) await cancelPromotion(tx, chainId, known.promotion_id);
  return known;
}

function hashOf({ header, isForAll, vendors }: Named): Buffer {
  return identityHash({
    type: header.type,
    display_name: header.display_name,
    vendors: isForAll ? '*' : vendors,
    start_time: new Date(header.start_time),
    end_time: new Date(header.end_time),
  });
}
