import type { Tx } from '../kernel/database/db.ts';
import { cancelPromotion, findByIdentity, insertPromotion, type PromotionRow } from './queries.ts';
import type { Header } from './rules/header.ts';
import { hashIdentity } from './rules/identity.ts';

/** A promotion as requested, with its vendors resolved. */
export type RequestedPromotion = { header: Omit<Header, 'vendors'>; isForAll: boolean; vendors: string[] };

/** Returns the existing promotion. If there is none and an id is given, creates an unpublished one with this id. */
export async function openPromotion(
  tx: Tx,
  chainId: string,
  requested: RequestedPromotion,
  newPromotionId: string | undefined,
): Promise<PromotionRow | undefined> {
  const hash = hashOf(requested);
  const known = await findByIdentity(tx, chainId, hash);
  if (known || newPromotionId === undefined) return known;
  const { type, display_name, start_time, end_time, purchased_quantity, discounted_quantity } = requested.header;
  return insertPromotion(tx, chainId, {
    promotion_id: newPromotionId,
    identity_hash: hash,
    type,
    vendor_ids: requested.isForAll ? null : requested.vendors.toSorted(),
    display_name,
    start_time,
    end_time,
    purchased_quantity,
    discounted_quantity,
  });
}

/** Cancels the promotion and returns it, or returns undefined if there is none. */
export async function cancelByIdentity(
  tx: Tx,
  chainId: string,
  requested: RequestedPromotion,
): Promise<PromotionRow | undefined> {
  const known = await findByIdentity(tx, chainId, hashOf(requested));
  if (known) await cancelPromotion(tx, chainId, known.promotion_id);
  return known;
}

function hashOf({ header, isForAll, vendors }: RequestedPromotion): Buffer {
  return hashIdentity({
    type: header.type,
    display_name: header.display_name,
    vendors: isForAll ? '*' : vendors,
    start_time: new Date(header.start_time),
    end_time: new Date(header.end_time),
  });
}
