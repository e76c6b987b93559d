import type { Database, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { tokenHash } from './rules/token.ts';
import { hashSecret, verifySecret, verifyDummySecret, newToken } from './secrets.ts';
import {
  deleteSessions,
  findPasswordHash,
  findUserByEmail,
  insertSession,
  recordSignIn,
  updatePassword,
  type UserRow,
} from './user-queries.ts';

/**
 * `limit` counts attempts per email address and is called before the slow password check. Attempts per IP address have
 * already been counted.
 */
export async function signIn(
  db: Database,
  input: { email: string; password: string },
  hours: number,
  limit: (subject: string) => Promise<void>,
): Promise<{ session: string; user: UserRow; expiresAt: Date }> {
  const email = input.email.trim();
  await limit(`email ${email.toLowerCase()}`);
  const user = await findUserByEmail(db, email);
  const isCorrect = await (user ? verifySecret(input.password, user.password_hash) : verifyDummySecret(input.password));
  if (!user || !isCorrect) throw new Failure('invalid_credentials');
  const session = newToken('session');
  return db.transaction(async (tx) => ({
    session,
    user: await recordSignIn(tx, user.chain_id, user.user_id),
    expiresAt: await insertSession(tx, user.chain_id, user.user_id, tokenHash(session), hours),
  }));
}

/** Ends all of the user's sessions except the one that is changing the password. */
export async function changePassword(
  tx: Tx,
  chainId: string,
  userId: string,
  input: { current_password: string; new_password: string },
  session: Buffer,
): Promise<UserRow> {
  const stored = await findPasswordHash(tx, chainId, userId);
  if (!stored || !(await verifySecret(input.current_password, stored))) {
    throw new Failure('invalid_credentials', 'The current password is wrong.');
  }
  const user = await updatePassword(tx, chainId, userId, await hashSecret(input.new_password));
  await deleteSessions(tx, chainId, userId, session);
  return user as UserRow;
}
