import type { Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';
import { insertSupportSession } from './support-queries.ts';

/** Opens a session in the portal of the chain for a user of the console. Returns the value of its cookie. */
export async function actForChain(
  tx: Tx,
  chainId: string,
  { userId, reason }: { userId: string; reason: string },
): Promise<{ session: string; session_id: string; expiresAt: Date }> {
  const session = newToken('session');
  const sessionId = newId();
  const row = { hash: tokenHash(session), session_id: sessionId, user_id: userId, reason };
  return { session, session_id: sessionId, expiresAt: await insertSupportSession(tx, chainId, row) };
}
