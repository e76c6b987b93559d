import type { Database } from '../kernel/database/db.ts';
import { isUuid } from '../kernel/values/ids.ts';
import { type CredentialRow, findCredential } from './credential-queries.ts';
import { type ChainRow, findChain, findVendor, identityChannel, type VendorRow } from './queries.ts';
import { findSession, type SessionRow } from './user-queries.ts';

/**
 * What almost every request reads: its token, chain and vendor. Rows are cached for a few seconds, and the cache is
 * cleared when any process changes one of them: the statements that do so notify `identityChannel` themselves. While the
 * listening connection is down nothing is cached, so that a revoked token does not stay valid.
 */
export type Lookups = {
  credential(hash: Buffer): Promise<CredentialRow | undefined>;
  session(hash: Buffer): Promise<SessionRow | undefined>;
  chain(chainId: string): Promise<ChainRow | undefined>;
  vendor(chainId: string, id: string): Promise<VendorRow | undefined>;
  forget(): void;
};

const keepMs = 10_000;
const maxEntries = 20_000;

export function createLookups(db: Database, isListening: () => boolean): Lookups {
  const known = new Map<string, { value: unknown; until: number }>();
  let generation = 0;
  const remember = async <Value>(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined> => {
    const entry = known.get(key);
    if (entry && entry.until > performance.now()) return entry.value as Value;
    const asOf = generation;
    const value = await find();
    // A row read before a change must not be cached after it. Ids that do not exist are not cached.
    if (value !== undefined && asOf === generation && isListening()) {
      if (known.size >= maxEntries) known.clear();
      known.set(key, { value, until: performance.now() + keepMs });
    }
    return value;
  };
  const forget = () => {
    generation += 1;
    known.clear();
  };
  db.onNotified(identityChannel, forget);
  return {
    credential: (hash) => remember(`credential ${hash.toString('base64')}`, () => findCredential(db, hash)),
    session: (hash) => remember(`session ${hash.toString('base64')}`, () => findSession(db, hash)),
    chain: async (chainId) =>
      isUuid(chainId) ? remember(`chain ${chainId}`, () => findChain(db, chainId)) : undefined,
    vendor: async (chainId, id) =>
      isVendorId(id) ? remember(`vendor ${chainId} ${id}`, () => findVendor(db, chainId, id)) : undefined,
    forget,
  };
}

/** Other texts cannot be ids of vendors and are not looked up: PostgreSQL would refuse U+0000 and lone surrogates. */
function isVendorId(id: string): boolean {
  return [...id].length <= 64 && /^[^\s/?#%\0]+$/.test(id) && id.isWellFormed();
}
