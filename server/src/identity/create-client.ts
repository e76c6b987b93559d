import { defaultScopes } from '@aisle/contract/route';
import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { randomBase62 } from '../kernel/values/ids.ts';
import { hashClientSecret } from './client-secret.ts';
import { type ClientRow, countClients, insertClient } from './credential-queries.ts';
import { lockChain } from './queries.ts';
import { getVendorIds } from './resolve-vendors.ts';
import { newToken } from './secrets.ts';

export type ClientInput = { name: string; scopes?: readonly string[]; vendor_ids?: readonly string[] };

export async function createClient(
  tx: Tx,
  chainId: string,
  input: ClientInput,
  maxClients: number,
): Promise<ClientRow & { client_secret: string }> {
  // The chain is locked, so that concurrent requests cannot exceed the limit together.
  await lockChain(tx, chainId);
  if ((await countClients(tx, chainId)) >= maxClients) {
    throw new Failure('client_limit_reached', `A chain can have at most ${maxClients} clients.`);
  }
  const secret = newToken('secret');
  const row = await insertClient(tx, chainId, {
    client_id: `client_${randomBase62(20)}`,
    secret_hash: hashClientSecret(secret),
    name: input.name,
    scopes: [...new Set(input.scopes ?? defaultScopes)],
    vendor_ids: input.vendor_ids ? await getVendorIds(tx, chainId, input.vendor_ids) : null,
  });
  return { ...row, client_secret: secret };
}
