import { describeValue } from '@aisle/contract/value-faults';
import { getVendorIds, lockChain, type NewSecret } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId, randomBase36 } from '../kernel/values/ids.ts';
import { countUsers, findUser, insertUser, type SftpUserRow, upsertKey } from './queries.ts';
import { parsePublicKey, type PublicKey } from './rules/public-key.ts';

export type SftpUserInput = {
  name: string;
  scopes: readonly string[];
  public_keys?: readonly string[];
  vendor_ids?: readonly string[];
};

export type NewSftpUser = SftpUserRow & { password?: string };

/** Without a secret, the user can only log in with a key. */
export async function createUser(
  tx: Tx,
  chainId: string,
  input: SftpUserInput,
  { maxUsers, secret }: { maxUsers: number; secret: NewSecret | undefined },
): Promise<NewSftpUser> {
  const keys = (input.public_keys ?? []).map((text, index) => readPublicKey(text, `/public_keys/${index}`));
  if (!secret && keys.length === 0) throw noLogin();
  // The chain is locked, so that concurrent requests together cannot exceed the limit.
  await lockChain(tx, chainId);
  if ((await countUsers(tx, chainId)) >= maxUsers) {
    throw new Failure('sftp_user_limit_reached', `A chain can have at most ${maxUsers} SFTP users.`);
  }
  const user = {
    sftp_user_id: newId(),
    name: input.name,
    password_hash: secret?.hash ?? null,
    scopes: [...new Set(input.scopes)],
    vendor_ids: input.vendor_ids ? await getVendorIds(tx, chainId, input.vendor_ids) : null,
  };
  while (!(await insertUser(tx, chainId, { ...user, username: newUsername(input.name) })));
  for (const key of keys) await upsertKey(tx, chainId, user.sftp_user_id, newId(), key);
  const row = (await findUser(tx, chainId, null, user.sftp_user_id)) as SftpUserRow;
  return { ...row, ...(secret?.password !== undefined && { password: secret.password }) };
}

/** `pointer` points to the key in the request. */
export function readPublicKey(text: string, pointer: string): PublicKey {
  const parsed = parsePublicKey(text);
  if ('key' in parsed) return parsed.key;
  throw invalid([{ pointer, code: 'bad_format', message: parsed.problem }]);
}

function noLogin(): Failure {
  const message = describeValue('key_required');
  return invalid([{ pointer: '/public_keys', code: 'missing', message }]);
}

/** Login names are unique across chains. The suffix avoids revealing whether another chain uses the same name. */
function newUsername(name: string): string {
  return `${name}-${randomBase36(6)}`;
}
