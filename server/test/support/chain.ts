import { scopes } from '@aisle/contract/route';
import { createClient, createToken, createVendor, insertChain } from '../../src/identity/index.ts';
import type { Database } from '../../src/kernel/database/db.ts';
import { newId } from '../../src/kernel/values/ids.ts';

/**
 * A chain with stores and a token that has all scopes. This file loads little of the server, because the tests of a
 * server in its own process do not need the rest.
 */
export type TestChain = { chainId: string; token: string; base: string; vendors: string[] };

export async function makeChain(
  { db }: { db: Database },
  options: { vendors?: number; profile?: 'strict' | 'tolerant'; currency?: string; isSandbox?: boolean } = {},
): Promise<TestChain> {
  const chainId = newId();
  return db.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Test chain', profile: options.profile ?? 'strict', country_code: 'AE' });
    const vendors: string[] = [];
    for (let index = 0; index < (options.vendors ?? 2); index++) {
      const vendor = await createVendor(tx, chainId, {
        name: `Store ${index + 1}`,
        external_id: `ext-${index + 1}`,
        currency: options.currency ?? 'AED',
        country_code: 'AE',
        locale: 'en_AE',
        timezone: 'Asia/Dubai',
        transport_type: 'LOGISTICS_DELIVERY',
        ...(options.isSandbox && { settings: sandboxSettings }),
      });
      vendors.push(vendor.vendor_id);
    }
    const { token } = await createToken(tx, chainId, { name: 'all', scopes }, 1000);
    return { chainId, token, base: `/v2/chains/${chainId}`, vendors };
  });
}

/** Settings that enable test orders and the sandbox. */
const sandboxSettings = { integration_type: 'PICKING', integration_enabled: true, test: true };

export async function makeToken(
  { db }: { db: Database },
  chainId: string,
  options: { scopes?: string[]; vendor_ids?: string[]; expires_at?: string } = {},
): Promise<string> {
  const { token } = await db.transaction((tx) => createToken(tx, chainId, { name: 'limited', ...options }, 1000));
  return token;
}

export async function makeClient({ db }: { db: Database }, chainId: string, scopes?: string[]) {
  return db.transaction((tx) => createClient(tx, chainId, { name: 'client', ...(scopes && { scopes }) }, 1000));
}
