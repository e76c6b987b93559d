import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';
import { insertSupportSession } from './support-queries.ts';

/**
 * Opens a session in the portal of the chain for a user of the console, whose own session has the hash `from`. Returns
 * the value of its cookie.
 */
export async function actForChain(
  tx: Tx,
  chainId: string,
  { userId, reason, from }: { userId: string; reason: string; from: Buffer },
): Promise<{ session: string; session_id: string; expiresAt: Date }> {
  const session = newToken('session');
  const sessionId = newId();
  const row = { hash: tokenHash(session), session_id: sessionId, user_id: userId, reason, from };
  const expiresAt = await insertSupportSession(tx, chainId, row);
  if (!expiresAt) throw new Failure('invalid_token', 'The session has ended; sign in again.');
  return { session, session_id: sessionId, expiresAt };
}
