import type { PlatformRole } from '@aisle/contract/route';
import type { Db, Tx } from '../kernel/database/db.ts';
import { addUser, type NewUser } from './create-user.ts';
import { inviteUser } from './invitations.ts';
import type { NewSecret } from './new-secret.ts';
import { insertPlatform, lockChain } from './queries.ts';
import { platformId, storedRole } from './rules/platform.ts';
import { findUserByEmail, type UserRow } from './user-queries.ts';

export type PlatformUserInput = { email: string; name: string; role: PlatformRole };

/** Creates a user of the console: invited, or with the password of `secret`, which need not be changed. */
export async function createPlatformUser(
  tx: Tx,
  input: PlatformUserInput & { invite: boolean },
  secret: NewSecret,
): Promise<NewUser> {
  await insertPlatform(tx);
  const user = { ...input, role: storedRole(input.role), must_change_password: false };
  return addUser(tx, platformId, user, secret);
}

/** Invites a user of the console, or invites an existing one again, who has forgotten the password. */
export async function invitePlatformUser(
  tx: Tx,
  email: string,
  secret: NewSecret,
): Promise<{ user: UserRow; isNew: boolean; token: string; expiresAt: Date }> {
  // So that a concurrent invitation of a new user does not create this user at the same time.
  await lockChain(tx, platformId);
  const known = await findPlatformUser(tx, email);
  if (known) return { ...(await inviteUser(tx, platformId, known.user_id)), isNew: false };
  const name = email.slice(0, email.indexOf('@'));
  const { user, invited } = await createPlatformUser(tx, { email, name, role: 'ADMIN', invite: true }, secret);
  if (!invited) throw new Error('The new user has no invitation.');
  return { user, isNew: true, ...invited };
}

export function findPlatformUser(db: Db, email: string): Promise<UserRow | undefined> {
  return findUserByEmail(db, platformId, email);
}
