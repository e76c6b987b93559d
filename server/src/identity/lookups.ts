import type { Database } from '../kernel/database/db.ts';
import { isUuid } from '../kernel/values/ids.ts';
import { type CredentialRow, findCredential } from './credential-queries.ts';
import {
  type ChainRow,
  findChain,
  findVendor,
  identityChannel,
  listChainsEndingIn,
  type VendorRow,
} from './queries.ts';
import { findSupportSession } from './support-queries.ts';
import { findSession, findTokenSession, type SessionRow, type TokenSessionRow } from './session-queries.ts';

/**
 * Caches the rows that almost every request reads (its token, chain and vendor) for a few seconds. A statement that
 * changes such a row notifies `identityChannel`, which clears the cache in every process. While the listening
 * connection is down, nothing is cached, so that a revoked token does not stay valid.
 */
export type Lookups = {
  credential(hash: Buffer): Promise<(CredentialRow & Expiring) | undefined>;
  session(hash: Buffer): Promise<(SessionRow & Expiring) | undefined>;
  /** The session that a short-lived token belongs to. It ends when the token expires. */
  tokenSession(hash: Buffer): Promise<(TokenSessionRow & Expiring) | undefined>;
  chain(chainId: string): Promise<ChainRow | undefined>;
  /** The chains whose ids end with these digits. */
  chainsEndingIn(end: string): Promise<string[]>;
  vendor(chainId: string, id: string): Promise<VendorRow | undefined>;
  clear(): void;
};

/** `endsAt` is compared with `performance.now()`, so it does not depend on the process's clock. */
export type Expiring = { endsAt: number };

const maxAgeMs = 10_000;
const maxEntries = 20_000;

export function createLookups(
  { reserved: db, onNotified }: Database,
  isListening: () => boolean,
  idleMinutes: number,
  /** Fails if the chain's rows cannot be read at the moment. */
  rejectAway: (chainId: string) => void = () => {},
): Lookups {
  const cache = new Map<string, { value: unknown; until: number }>();
  let generation = 0;
  const cached = async <Value>(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined> => {
    const entry = cache.get(key);
    if (entry && entry.until > performance.now()) return entry.value as Value;
    const asOf = generation;
    const value = await find();
    // A row read before a change must not be cached after the change. Missing rows are not cached.
    if (value !== undefined && asOf === generation && isListening()) {
      if (cache.size >= maxEntries) cache.clear();
      // A session that has been used since does not end.
      const { endsAt = Number.POSITIVE_INFINITY } = value as Partial<Expiring>;
      cache.set(key, { value, until: Math.min(performance.now() + maxAgeMs, endsAt) });
    }
    return value;
  };
  const clear = () => {
    generation += 1;
    cache.clear();
  };
  onNotified(identityChannel, clear);
  return {
    credential: (hash) =>
      cached(`credential ${hash.toString('base64')}`, () => withEnd(() => findCredential(db, hash))),
    session: (hash) =>
      cached(`session ${hash.toString('base64')}`, () =>
        withEnd(async () => (await findSession(db, hash, idleMinutes)) ?? findSupportSession(db, hash)),
      ),
    tokenSession: (hash) =>
      cached(`token session ${hash.toString('base64')}`, () => withEnd(() => findTokenSession(db, hash, idleMinutes))),
    chain: async (chainId) => (isUuid(chainId) ? cached(`chain ${chainId}`, () => findChain(db, chainId)) : undefined),
    async chainsEndingIn(end) {
      const chainIds = (await cached(`end ${end}`, () => listChainsEndingIn(db, end))) ?? [];
      if (chainIds.length === 1) rejectAway(String(chainIds[0]));
      return chainIds;
    },
    async vendor(chainId, id) {
      if (!isVendorId(id)) return undefined;
      rejectAway(chainId);
      return cached(`vendor ${chainId} ${id}`, () => findVendor(db, chainId, id));
    },
    clear,
  };
}

async function withEnd<Row extends { seconds_left: number | null }>(
  find: () => Promise<Row | undefined>,
): Promise<(Row & Expiring) | undefined> {
  const askedAt = performance.now();
  const row = await find();
  return row && { ...row, endsAt: askedAt + (row.seconds_left ?? Number.POSITIVE_INFINITY) * 1000 };
}

/** Text that cannot be a vendor id is not looked up, because PostgreSQL rejects U+0000 and unpaired surrogates. */
function isVendorId(id: string): boolean {
  return [...id].length <= 64 && /^[^\s/?#%\0]+$/.test(id) && id.isWellFormed();
}
