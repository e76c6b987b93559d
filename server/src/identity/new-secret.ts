import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { hashPassword, saltOf } from './passwords.ts';
import { newPassword } from './secrets.ts';
import { findPasswordHash, listAccounts } from './user-queries.ts';

/** The hash of a new password, computed before the transaction that stores it. `password` was generated. */
export type NewSecret = { hash: string; password?: string };

/** If no password is given, one is generated, to be shown once. */
export async function makeSecret(
  chainId: string,
  cost: number,
  { given, salt }: { given?: string | undefined; salt?: Buffer | undefined } = {},
): Promise<NewSecret> {
  const password = given ?? newPassword();
  const hash = await hashPassword(password, cost, { salt, turn: chainId });
  return given === undefined ? { hash, password } : { hash };
}

/** A person can be a user of several chains. See `findMatching` for why their accounts share a salt. */
export async function makeSecretForEmail(
  db: Db,
  chainId: string,
  { email, password }: { email: string; password?: string },
  cost: number,
): Promise<NewSecret> {
  const [account] = await listAccounts(db, email, false);
  return makeSecret(chainId, cost, { given: password, salt: account && saltOf(account.password_hash) });
}

export async function makeSecretForUser(db: Db, chainId: string, userId: string, cost: number): Promise<NewSecret> {
  const stored = await findPasswordHash(db, chainId, userId);
  if (stored === undefined) throw notFound('user_not_found', userId);
  return makeSecret(chainId, cost, { salt: saltOf(stored) });
}
