import type { Db, Tx } from '../kernel/database/db.ts';
import { isUuid } from '../kernel/values/ids.ts';
import { type CredentialRow, findCredential } from './credential-queries.ts';
import { type ChainRow, findChain, findVendor, type VendorRow } from './queries.ts';
import { findSession, type SessionRow } from './user-queries.ts';

/**
 * What nearly every request looks up: its token, chain and vendor. Responses are remembered for a few seconds, and
 * forgotten at once when any process changes one of them (it notifies `identityChannel` in the same transaction).
 * While the listening connection is down nothing is remembered: a revoked token must not live on.
 */
export type Lookups = {
  credential(hash: Buffer): Promise<CredentialRow | undefined>;
  session(hash: Buffer): Promise<SessionRow | undefined>;
  chain(chainId: string): Promise<ChainRow | undefined>;
  vendor(chainId: string, id: string): Promise<VendorRow | undefined>;
  forget(): void;
};

export const identityChannel = 'aisle_identity';

/** Call it in every transaction that changes a chain, a vendor or a credential. */
export async function announceChange(tx: Tx, lookups: Lookups): Promise<void> {
  tx.afterCommit(lookups.forget);
  await tx.query(`select pg_notify('${identityChannel}', '')`);
}

const keepMs = 10_000;
const maxEntries = 20_000;

export function createLookups(db: Db, isListening: () => boolean): Lookups {
  const known = new Map<string, { value: unknown; until: number }>();
  let generation = 0;
  const remember = async <Value>(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined> => {
    const entry = known.get(key);
    if (entry && entry.until > performance.now()) return entry.value as Value;
    const asOf = generation;
    const value = await find();
    // What was read before a change must not be remembered after it; what does not exist is not worth remembering.
    if (value !== undefined && asOf === generation && isListening()) {
      if (known.size >= maxEntries) known.clear();
      known.set(key, { value, until: performance.now() + keepMs });
    }
    return value;
  };
  return {
    credential: (hash) => remember(`credential ${hash.toString('base64')}`, () => findCredential(db, hash)),
    session: (hash) => remember(`session ${hash.toString('base64')}`, () => findSession(db, hash)),
    chain: async (chainId) =>
      isUuid(chainId) ? remember(`chain ${chainId}`, () => findChain(db, chainId)) : undefined,
    vendor: async (chainId, id) =>
      isVendorId(id) ? remember(`vendor ${chainId} ${id}`, () => findVendor(db, chainId, id)) : undefined,
    forget() {
      generation += 1;
      known.clear();
    },
  };
}

/** Anything else cannot be the id of a vendor, so it need not be looked up (nor may it: U+0000 is no text). */
function isVendorId(id: string): boolean {
  return [...id].length <= 64 && /^[^\s/?#%\0]+$/.test(id) && id.isWellFormed();
}
