import { createHash } from 'node:crypto';
import type { PromotionType } from '@aisle/contract/promotion-types';

/** The fields that identify a promotion within its chain. */
export type Identity = {
  type: PromotionType;
  display_name: Record<string, string>;
  /** Platform ids of the chain's vendors, or `*`. Unlike a list of all vendors, `*` includes future ones. */
  vendors: readonly string[] | '*';
  start_time: Date;
  end_time: Date;
};

/** The hash does not depend on the order of the vendors and names. */
export function hashIdentity(identity: Identity): Buffer {
  const { type, display_name, vendors, start_time, end_time } = identity;
  const names = Object.entries(display_name).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const covered = vendors === '*' ? '*' : [...new Set(vendors)].toSorted();
  const text = JSON.stringify([type, names, covered, start_time.getTime(), end_time.getTime()]);
  return createHash('sha256').update(text).digest();
}
