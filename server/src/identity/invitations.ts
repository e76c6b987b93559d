import type { Db, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { existingUser } from './change-user.ts';
import {
  deleteInvitation,
  deleteTemporaryPassword,
  findInvitation,
  type InvitationRow,
  saveInvitation,
  spendInvitation,
} from './invitation-queries.ts';
import { hashPassword, saltOf } from './passwords.ts';
import { lockChain } from './queries.ts';
import { type Site, siteOf } from './rules/platform.ts';
import { isToken, tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';
import { deleteSessions } from './session-queries.ts';
import { checkCode, type NewSignIn, type Origin, openSession, type SignInTerms, type Store } from './sign-in.ts';
import { findPasswordHash, findUser, lockPasswordHash, updatePassword, type UserRow } from './user-queries.ts';

/** Returns the token of a new invitation, to be shown once. The user's earlier invitation stops working. */
export async function inviteUser(
  tx: Tx,
  chainId: string,
  userId: string,
): Promise<{ user: UserRow; token: string; expiresAt: Date }> {
  // So that the user cannot be deleted at the same time.
  await lockChain(tx, chainId);
  existingUser(userId, await findUser(tx, chainId, userId));
  const token = newToken('invite');
  const expiresAt = await saveInvitation(tx, chainId, userId, tokenHash(token));
  return { user: existingUser(userId, await findUser(tx, chainId, userId)), token, expiresAt };
}

export async function revokeInvitation(tx: Tx, chainId: string, userId: string): Promise<UserRow> {
  existingUser(userId, await findUser(tx, chainId, userId));
  if (!(await deleteInvitation(tx, chainId, userId))) {
    throw new Failure('invitation_not_found', 'The user does not have an invitation.');
  }
  return existingUser(userId, await findUser(tx, chainId, userId));
}

export async function getInvitation(db: Db, token: string, site: Site): Promise<InvitationRow & { user: UserRow }> {
  const row = isToken(token) ? await findInvitation(db, tokenHash(token)) : undefined;
  const user = row && (await findUser(db, row.chain_id, row.user_id));
  if (!row || !user || siteOf(row.chain_id) !== site) throw unusable();
  return { ...row, user };
}

/** Sets the password of the invited user and signs the user in. Ends the user's other sessions. */
export async function acceptInvitation(
  { db, transaction }: Store,
  input: { token: string; password: string; code?: string },
  terms: SignInTerms,
  origin: Origin,
  rejectWeak: (user: UserRow) => Promise<void>,
): Promise<NewSignIn> {
  const { chain_id: chainId, user_id: userId, user } = await getInvitation(db, input.token, terms.site);
  await rejectWeak(user);
  // The link replaces only the password. A person who has the link but not the device does not get in.
  if (user.has_second_factor) await checkCode(db, user, input.code, terms);
  const stored = await findPasswordHash(db, chainId, userId);
  const salt = stored === undefined ? undefined : saltOf(stored);
  const hash = await hashPassword(input.password, terms.cost, { salt, turn: chainId });
  return transaction(async (tx) => {
    // Locked first, as by other changes of the password, so that they cannot deadlock.
    await lockPasswordHash(tx, chainId, userId);
    if (!(await spendInvitation(tx, chainId, userId, tokenHash(input.token)))) throw unusable();
    await updatePassword(tx, chainId, userId, hash);
    await deleteTemporaryPassword(tx, chainId, userId);
    await deleteSessions(tx, chainId, userId, null);
    return openSession(tx, user, terms.hours, origin);
  });
}

function unusable(): Failure {
  return new Failure('invitation_not_found', 'The invitation has expired, was used or was replaced by a newer one.');
}
