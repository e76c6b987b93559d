import { createHash } from 'node:crypto';
import type { PromotionType } from './terms.ts';

/** What a promotion is known by within its chain. */
export type Identity = {
  type: PromotionType;
  display_name: Record<string, string>;
  /** Platform ids of vendors of the chain, or `*`, which is an identity of its own: it covers those to come. */
  vendors: readonly string[] | '*';
  start_time: Date;
  end_time: Date;
};

/** Equal for equal identities, whatever the order of vendors and names, and however the times were written. */
export function identityHash(identity: Identity): Buffer {
  const { type, display_name, vendors, start_time, end_time } = identity;
  const names = Object.entries(display_name).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const covered = vendors === '*' ? '*' : [...new Set(vendors)].toSorted();
  const text = JSON.stringify([type, names, covered, start_time.getTime(), end_time.getTime()]);
  return createHash('sha256').update(text).digest();
}
