import { defaultScopes } from '@aisle/contract/route';
import { describeValue } from '@aisle/contract/value-faults';
import { isFuture } from '../kernel/database/clock.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { parseTime } from '../kernel/values/time.ts';
import { countLiveTokens, insertToken, type TokenRow } from './credential-queries.ts';
import { areAllTestVendors, lockChain } from './queries.ts';
import { tokenHash, tokenPrefix } from './rules/token.ts';
import { newToken } from './secrets.ts';
import { getVendorIds } from './resolve-vendors.ts';

export type TokenInput = {
  name: string;
  scopes?: readonly string[];
  vendor_ids?: readonly string[];
  expires_at?: string;
};

export async function createToken(
  tx: Tx,
  chainId: string,
  input: TokenInput,
  maxTokens: number,
): Promise<TokenRow & { token: string }> {
  const expiresAt = input.expires_at === undefined ? null : await getFutureTime(tx, input.expires_at);
  // The chain is locked, so that concurrent requests together cannot exceed the limit.
  await lockChain(tx, chainId);
  if ((await countLiveTokens(tx, chainId)) >= maxTokens) {
    throw new Failure('token_limit_reached', `A chain can have at most ${maxTokens} live API tokens.`);
  }
  const vendorIds = input.vendor_ids ? await getVendorIds(tx, chainId, input.vendor_ids) : null;
  const token = newToken((await areAllTestVendors(tx, chainId, vendorIds)) ? 'test' : 'live');
  const row = await insertToken(tx, chainId, {
    token_id: newId(),
    hash: tokenHash(token),
    prefix: tokenPrefix(token),
    name: input.name,
    scopes: [...new Set(input.scopes ?? defaultScopes)],
    vendor_ids: vendorIds,
    expires_at: expiresAt,
  });
  return { ...row, token };
}

async function getFutureTime(tx: Tx, text: string): Promise<Date> {
  const time = parseTime(text);
  if (time && (await isFuture(tx, time))) return time;
  throw invalid([{ pointer: '/expires_at', code: 'out_of_range', message: describeValue('past') }]);
}
