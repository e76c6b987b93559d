import type { Database, Db, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { type AttemptGuard, allNetworks, codeAccount } from './guard-attempts.ts';
import { deleteInvitation, deleteTemporaryPassword } from './invitation-queries.ts';
import type { Site } from './rules/platform.ts';
import { tokenHash } from './rules/token.ts';
import { findMatching, hashPassword, isOutdated, saltOf, verifyPassword } from './passwords.ts';
import { spendCode } from './second-factor.ts';
import { newToken } from './secrets.ts';
import { deleteSessions, insertSession } from './session-queries.ts';
import {
  type Account,
  findPasswordHash,
  listAccounts,
  lockPasswordHash,
  recordSignIn,
  updatePassword,
  type UserRow,
} from './user-queries.ts';

/** Where people sign in, how long a session lasts, the cost of hashing a password, and how codes are checked. */
export type SignInTerms = { site: Site; hours: number; cost: number; secrets: FactorSecrets; guard: AttemptGuard };
/** `transaction` is for the last step, which opens the session. */
export type Store = { db: Database; transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> };
/** Where the user signs in, to be shown in the list of sessions. */
export type Origin = { address: string; device: string | null };
/** `session` is the value of the cookie. */
export type NewSignIn = { session: string; user: UserRow; expiresAt: Date };
export type Credentials = { email: string; password: string; chain_id?: string; code?: string };

/** Calls `recognize` with the user before the password is checked, so that the log can include the user. */
export async function signIn(
  { db, transaction }: Store,
  input: Credentials,
  terms: SignInTerms,
  origin: Origin,
  recognize: (user: UserRow) => void,
): Promise<NewSignIn> {
  const { hours, cost } = terms;
  const user = await findUserWithPassword(db, input, terms, recognize);
  if (user.has_second_factor) await checkCode(db, user, input.code, terms);
  const { chain_id: chainId, user_id: userId, password_hash: stored } = user;
  const rehashed = isOutdated(stored, cost)
    ? await hashPassword(input.password, cost, { salt: saltOf(stored) })
    : undefined;
  return transaction(async (tx) => {
    // Checking a password takes a while. It may have been changed, or the user deleted. Another sign-in can have stored
    // the new hash already; with the same salt, it is the same.
    const locked = await lockPasswordHash(tx, chainId, userId);
    if (locked === undefined || ![stored, rehashed].includes(locked)) throw new Failure('invalid_credentials');
    if (rehashed !== undefined) await updatePassword(tx, chainId, userId, rehashed, stored);
    return openSession(tx, user, hours, origin);
  });
}

async function findUserWithPassword(
  db: Database,
  { email, password, chain_id }: Credentials,
  { cost, site }: SignInTerms,
  recognize: (user: UserRow) => void,
): Promise<Account> {
  const accounts = await listAccounts(db, email.trim(), site === 'console');
  if (accounts[0]) recognize(accounts[0]);
  const user = chooseAccount(await findMatching(password, accounts, cost), chain_id);
  recognize(user);
  return user;
}

/** The caller has locked the user. `checked` is the user as it was when the second factor was checked. */
export async function openSession(tx: Tx, checked: UserRow, hours: number, origin: Origin): Promise<NewSignIn> {
  const { chain_id: chainId, user_id: userId, has_second_factor: hadSecondFactor } = checked;
  const user = await recordSignIn(tx, chainId, userId);
  if (user.has_second_factor && !hadSecondFactor) throw codeRequired();
  // The code may be from a lost device, for which the second factor has been reset.
  if (hadSecondFactor && !user.has_second_factor) throw factorGone();
  const session = newToken('session');
  const row = { hash: tokenHash(session), session_id: newId(), hours, ...origin };
  return { session, user, expiresAt: await insertSession(tx, chainId, userId, row) };
}

function factorGone(): Failure {
  const detail = 'The second factor was turned off during the sign-in; sign in again without a code.';
  return new Failure('invalid_credentials', detail);
}

/** `accounts` are those with the right password. A person with the same password in several chains chooses one. */
function chooseAccount(accounts: Account[], chainId: string | undefined): Account {
  const chosen = chainId === undefined ? accounts : accounts.filter((account) => account.chain_id === chainId);
  const [account, ...others] = chosen;
  if (!account) throw new Failure('invalid_credentials');
  if (others.length === 0) return account;
  const chains = chosen.map(({ chain_id, chain_name }) => ({ chain_id, name: chain_name }));
  const detail = 'The email address and password belong to users of several chains; send chain_id to choose one.';
  throw new Failure('several_accounts', detail, { extra: { chains } });
}

/** Only someone who knows the password gets here, so wrong codes are counted for all networks together. */
export async function checkCode(
  db: Database,
  { chain_id: chainId, user_id: userId }: UserRow,
  code: string | undefined,
  { guard, secrets }: SignInTerms,
): Promise<void> {
  if (code === undefined) throw codeRequired();
  await guard.count(db, codeAccount(userId), allNetworks, () =>
    db
      .transaction((tx) => spendCode(tx, secrets, { chainId, userId }, code))
      .catch((error: unknown) => {
        throw error instanceof Failure && error.code === 'second_factor_disabled' ? factorGone() : error;
      }),
  );
}

function codeRequired(): Failure {
  return new Failure('second_factor_required', 'The password is correct; send code from the authenticator app too.');
}

/** Returns the hash of the user's password, or fails if the password is wrong. `label` names it in the message. */
export async function checkPassword(
  db: Db,
  chainId: string,
  userId: string,
  password: string,
  label = 'password',
): Promise<string> {
  const stored = await findPasswordHash(db, chainId, userId);
  if (stored && (await verifyPassword(password, stored, chainId))) return stored;
  throw new Failure('invalid_credentials', `The ${label} is wrong.`);
}

/**
 * Replaces the hash of the password that was checked before. Ends all of the user's sessions except the one that is
 * changing the password.
 */
export async function changePassword(
  tx: Tx,
  chainId: string,
  userId: string,
  { checked, hash }: { checked: string; hash: string },
  session: Buffer,
): Promise<UserRow> {
  const user = await updatePassword(tx, chainId, userId, hash, checked);
  if (!user) throw new Failure('invalid_credentials', 'The password has been changed by another request.');
  await deleteTemporaryPassword(tx, chainId, userId);
  await deleteInvitation(tx, chainId, userId);
  await deleteSessions(tx, chainId, userId, session);
  return { ...user, must_change_password: false };
}
