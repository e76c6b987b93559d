import { maxPublicKeys } from '@aisle/contract/sftp';
import { describeValue } from '@aisle/contract/value-faults';
import { getVendorIds, type NewSecret } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid, notFound } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { readPublicKey } from './create-user.ts';
import {
  countKeys,
  deleteKey,
  deleteUser,
  findUser,
  lockUser,
  type SftpUserRow,
  updateUser,
  upsertKey,
} from './queries.ts';

/** The vendors that the caller is limited to. The caller sees only users that are limited to these vendors. */
type Only = readonly string[] | null;

export type SftpUserChange = {
  password_login?: boolean;
  scopes?: readonly string[];
  vendor_ids?: readonly string[] | null;
};

/** `admit` fails if the caller cannot give a user this access. */
export async function changeUser(
  tx: Tx,
  chainId: string,
  only: Only,
  userId: string,
  change: SftpUserChange,
  admit: (user: SftpUserRow) => void,
): Promise<SftpUserRow> {
  const user = await lockExisting(tx, chainId, only, userId);
  if (change.password_login === true && !user.has_password) throw noPassword();
  await updateUser(tx, chainId, userId, {
    ...(change.password_login === false && { password_hash: null }),
    ...(change.scopes && { scopes: [...new Set(change.scopes)] }),
    ...(change.vendor_ids !== undefined && {
      vendor_ids: change.vendor_ids && (await getVendorIds(tx, chainId, change.vendor_ids)),
    }),
  });
  const changed = await getUser(tx, chainId, null, userId);
  admit(changed);
  return changed;
}

export async function removeUser(tx: Tx, chainId: string, only: Only, userId: string): Promise<SftpUserRow> {
  const user = await lockExisting(tx, chainId, only, userId);
  await deleteUser(tx, chainId, userId);
  return user;
}

/** `admit` fails if the user has more access than the caller, who could use the new password to log in. */
export async function resetPassword(
  tx: Tx,
  chainId: string,
  only: Only,
  userId: string,
  { hash }: NewSecret,
  admit: (user: SftpUserRow) => void,
): Promise<SftpUserRow> {
  admit(await lockExisting(tx, chainId, only, userId));
  await updateUser(tx, chainId, userId, { password_hash: hash });
  return getUser(tx, chainId, only, userId);
}

export async function addKey(
  tx: Tx,
  chainId: string,
  only: Only,
  userId: string,
  text: string,
  admit: (user: SftpUserRow) => void,
): Promise<SftpUserRow> {
  const key = readPublicKey(text, '/public_key');
  admit(await lockExisting(tx, chainId, only, userId));
  await upsertKey(tx, chainId, userId, newId(), key);
  if ((await countKeys(tx, chainId, userId)) > maxPublicKeys) {
    throw new Failure('public_key_limit_reached', `An SFTP user can have at most ${maxPublicKeys} public keys.`);
  }
  await updateUser(tx, chainId, userId, {});
  return getUser(tx, chainId, only, userId);
}

export async function removeKey(
  tx: Tx,
  chainId: string,
  only: Only,
  userId: string,
  keyId: string,
): Promise<SftpUserRow> {
  await lockExisting(tx, chainId, only, userId);
  if (!(await deleteKey(tx, chainId, userId, keyId))) throw notFound('public_key_not_found', keyId, 'this SFTP user');
  await updateUser(tx, chainId, userId, {});
  return getUser(tx, chainId, only, userId);
}

export async function getUser(
  tx: Pick<Tx, 'query'>,
  chainId: string,
  only: Only,
  userId: string,
): Promise<SftpUserRow> {
  const user = await findUser(tx, chainId, only, userId);
  if (!user) throw notFound('sftp_user_not_found', userId);
  return user;
}

async function lockExisting(tx: Tx, chainId: string, only: Only, userId: string): Promise<SftpUserRow> {
  await lockUser(tx, chainId, userId);
  return getUser(tx, chainId, only, userId);
}

function noPassword(): Failure {
  const message = describeValue('no_password');
  return invalid([{ pointer: '/password_login', code: 'not_allowed', message }]);
}
