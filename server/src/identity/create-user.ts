import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { insertTemporaryPassword } from './invitation-queries.ts';
import { inviteUser } from './invitations.ts';
import { hashPassword, saltOf } from './passwords.ts';
import { getVendorIds } from './resolve-vendors.ts';
import { newPassword } from './secrets.ts';
import { insertUser, insertUserVendors, listAccounts, type UserRow } from './user-queries.ts';

export type UserInput = { email: string; name: string; role: string; vendor_ids?: string[] | null; password?: string };

/** What is shown once about a new user. */
export type NewUser = { user: UserRow; password?: string; invited?: { token: string; expiresAt: Date } };

/** Creates a user with an invitation, or with a password that the user has to change because another person knows it. */
export async function addUser(
  tx: Tx,
  chainId: string,
  input: UserInput & { invite?: boolean; must_change_password?: boolean },
  cost: number,
): Promise<NewUser> {
  const { password, ...user } = await createUser(tx, chainId, input, cost);
  if (input.invite) {
    const { user: invitedUser, ...invited } = await inviteUser(tx, chainId, user.user_id);
    return { user: invitedUser, invited };
  }
  if (input.must_change_password ?? true) await insertTemporaryPassword(tx, chainId, user.user_id);
  return { user, ...(password !== undefined && { password }) };
}

/** If no password is given, one is generated and returned, to be shown once. */
export async function createUser(
  tx: Tx,
  chainId: string,
  input: UserInput,
  cost: number,
): Promise<UserRow & { password?: string }> {
  // A person can be a user of several chains. See `findMatching` for why their accounts share a salt.
  const [account] = await listAccounts(tx, input.email);
  const generated = input.password === undefined ? newPassword() : undefined;
  const user = {
    user_id: newId(),
    email: input.email,
    name: input.name,
    role: input.role,
    password_hash: await hashPassword(
      generated ?? input.password ?? '',
      cost,
      account && saltOf(account.password_hash),
    ),
  };
  const row = await insertUser(tx, chainId, user);
  if (!row) throw new Failure('email_taken');
  const vendorIds = input.vendor_ids ? await getVendorIds(tx, chainId, input.vendor_ids) : null;
  if (vendorIds) await insertUserVendors(tx, chainId, row.user_id, vendorIds);
  return { ...row, vendor_ids: vendorIds, ...(generated !== undefined && { password: generated }) };
}
