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

/** Calls `recognize` with the user before the password is checked, so that the log can include the user. */
export async function signIn(
  db: Database,
  input: { email: string; password: string },
  hours: number,
  recognize: (user: UserRow) => void,
): Promise<{ session: string; user: UserRow; expiresAt: Date }> {
  const user = await findUserByEmail(db, input.email.trim());
  if (user) recognize(user);
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
