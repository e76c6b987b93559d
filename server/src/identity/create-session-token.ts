import type { Tx } from '../kernel/database/db.ts';
import { isReferenceViolation } from '../kernel/database/errors.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';
import { deleteExpiredSessionTokens, insertSessionToken } from './session-queries.ts';

const validMinutes = 15;

/** A token for requests that the user sends outside the portal. It stops working when the session ends. */
export async function createSessionToken(
  tx: Tx,
  chainId: string,
  sessionHash: Buffer,
): Promise<{ token: string; expiresAt: Date }> {
  await deleteExpiredSessionTokens(tx, chainId, sessionHash);
  const token = newToken('user');
  const row = { hash: tokenHash(token), minutes: validMinutes };
  const expiresAt = await insertSessionToken(tx, chainId, sessionHash, row).catch((error: unknown) => {
    // The session has been deleted since it was found.
    if (!isReferenceViolation(error, 'session_tokens_chain_id_session_id_fkey')) throw error;
    return undefined;
  });
  if (!expiresAt) throw new Failure('invalid_token', 'The session has ended; sign in again.');
  return { token, expiresAt };
}
