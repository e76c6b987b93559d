import type { Role } from '@aisle/contract/route';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, notFound } from '../kernel/failures/failure.ts';
import { deleteInvitation, insertTemporaryPassword } from './invitation-queries.ts';
import type { NewSecret } from './new-secret.ts';
import { lockChain } from './queries.ts';
import { getVendorIds } from './resolve-vendors.ts';
import { deleteSecondFactor } from './second-factor-queries.ts';
import { deleteSessions } from './session-queries.ts';
import {
  countOtherOwners,
  deleteUser,
  deleteUserVendors,
  findUser,
  insertUserVendors,
  lockPasswordHash,
  updatePassword,
  updateUser,
  type UserRow,
} from './user-queries.ts';

export async function changeUser(
  tx: Tx,
  chainId: string,
  userId: string,
  change: { name?: string; role?: Role; vendor_ids?: string[] | null },
): Promise<UserRow> {
  await lockChain(tx, chainId);
  const isLosingRole = change.role !== undefined && change.role !== 'OWNER';
  if (isLosingRole || change.vendor_ids) await keepAnOwner(tx, chainId, userId);
  else existingUser(userId, await findUser(tx, chainId, userId));
  if (change.vendor_ids) {
    await insertUserVendors(tx, chainId, userId, await getVendorIds(tx, chainId, change.vendor_ids));
  } else if (change.vendor_ids === null) await deleteUserVendors(tx, chainId, userId);
  return existingUser(userId, await updateUser(tx, chainId, userId, change));
}

/** Also deletes the user's sessions. */
export async function removeUser(tx: Tx, chainId: string, userId: string): Promise<UserRow> {
  await lockChain(tx, chainId);
  await keepAnOwner(tx, chainId, userId);
  return existingUser(userId, await deleteUser(tx, chainId, userId));
}

export async function resetPassword(tx: Tx, chainId: string, userId: string, { hash }: NewSecret): Promise<UserRow> {
  const user = existingUser(userId, await updatePassword(tx, chainId, userId, hash));
  await insertTemporaryPassword(tx, chainId, userId);
  await deleteInvitation(tx, chainId, userId);
  await deleteSessions(tx, chainId, userId, null);
  return user;
}

/** For a user who has lost the device. Ends all of the user's sessions. */
export async function resetSecondFactor(tx: Tx, chainId: string, userId: string): Promise<UserRow> {
  await lockPasswordHash(tx, chainId, userId);
  await deleteSecondFactor(tx, chainId, userId);
  await deleteSessions(tx, chainId, userId, null);
  return existingUser(userId, await findUser(tx, chainId, userId));
}

export function existingUser(userId: string, user: UserRow | undefined): UserRow {
  if (!user) throw notFound('user_not_found', userId);
  return user;
}

/** The caller must have locked the chain, so that two owners cannot remove each other at the same time. */
async function keepAnOwner(tx: Tx, chainId: string, userId: string): Promise<void> {
  const user = existingUser(userId, await findUser(tx, chainId, userId));
  const isFullOwner = user.role === 'OWNER' && user.vendor_ids === null;
  if (isFullOwner && (await countOtherOwners(tx, chainId, userId)) === 0) {
    throw new Failure('last_owner', 'The chain needs at least one owner with access to all stores.');
  }
}
