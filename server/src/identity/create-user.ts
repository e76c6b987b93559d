import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { insertTemporaryPassword } from './invitation-queries.ts';
import { inviteUser } from './invitations.ts';
import type { NewSecret } from './new-secret.ts';
import { getVendorIds } from './resolve-vendors.ts';
import { insertUser, insertUserVendors, type UserRow } from './user-queries.ts';

export type UserInput = { email: string; name: string; role: string; vendor_ids?: string[] | null; password?: string };

/** What is shown once about a new user. */
export type NewUser = { user: UserRow; password?: string; invited?: { token: string; expiresAt: Date } };

/** Creates a user with an invitation, or with a password that the user has to change because another person knows it. */
export async function addUser(
  tx: Tx,
  chainId: string,
  input: UserInput & { invite?: boolean; must_change_password?: boolean },
  secret: NewSecret,
): Promise<NewUser> {
  const { password, ...user } = await createUser(tx, chainId, input, secret);
  if (input.invite) {
    const { user: invitedUser, ...invited } = await inviteUser(tx, chainId, user.user_id);
    return { user: invitedUser, invited };
  }
  if (input.must_change_password ?? true) await insertTemporaryPassword(tx, chainId, user.user_id);
  return { user, ...(password !== undefined && { password }) };
}

export async function createUser(
  tx: Tx,
  chainId: string,
  input: UserInput,
  secret: NewSecret,
): Promise<UserRow & { password?: string }> {
  const { email, name, role } = input;
  const row = await insertUser(tx, chainId, { user_id: newId(), email, name, role, password_hash: secret.hash });
  if (!row) throw new Failure('email_taken');
  const vendorIds = input.vendor_ids ? await getVendorIds(tx, chainId, input.vendor_ids) : null;
  if (vendorIds) await insertUserVendors(tx, chainId, row.user_id, vendorIds);
  return { ...row, vendor_ids: vendorIds, ...(secret.password !== undefined && { password: secret.password }) };
}
