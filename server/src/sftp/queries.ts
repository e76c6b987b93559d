import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { PublicKey } from './rules/public-key.ts';

/** Notified when an SFTP user is changed or deleted, so that every process closes its outdated sessions. */
export const sftpChannel = 'aisle_sftp';

export type KeyRow = { key_id: string; type: string; fingerprint: string; comment: string; created_at: string };

export type SftpUserRow = {
  chain_id: string;
  sftp_user_id: string;
  name: string;
  username: string;
  has_password: boolean;
  scopes: string[];
  vendor_ids: string[] | null;
  revision: number;
  created_at: Date;
  last_login_at: Date | null;
  public_keys: KeyRow[];
};

/** The columns that are needed to check a login. */
export type LoginRow = {
  chain_id: string;
  sftp_user_id: string;
  username: string;
  password_hash: string | null;
  scopes: string[];
  vendor_ids: string[] | null;
  revision: number;
};

const userFields = `u.chain_id, u.sftp_user_id, u.name, u.username, u.password_hash is not null as has_password, u.scopes,
  u.vendor_ids, u.revision, u.created_at, u.last_login_at,
  coalesce((
    select json_agg(json_build_object('key_id', k.key_id, 'type', k.type, 'fingerprint', k.fingerprint,
      'comment', k.comment, 'created_at', k.created_at) order by k.created_at, k.key_id)
    from sftp_public_keys k where k.chain_id = u.chain_id and k.sftp_user_id = u.sftp_user_id
  ), '[]') as public_keys`;
/** Restricts a statement to users that are limited to vendors in $2. Null means all users. */
const isWithin = '($2::text[] is null or u.vendor_ids <@ $2)';

export function listUsers(
  db: Db,
  chainId: string,
  only: readonly string[] | null,
  page: PageRequest,
): Promise<(SftpUserRow & { total: number })[]> {
  return db.query(
    `select ${userFields}, count(*) over ()::int as total from sftp_users u where u.chain_id = $1 and ${isWithin}
     order by u.created_at desc, u.sftp_user_id desc limit $3 offset $4`,
    [chainId, only, page.pageSize, page.offset],
  );
}

export async function findUser(
  db: Db,
  chainId: string,
  only: readonly string[] | null,
  userId: string,
): Promise<SftpUserRow | undefined> {
  const rows = await db.query<SftpUserRow>(
    `select ${userFields} from sftp_users u where u.chain_id = $1 and ${isWithin} and u.sftp_user_id = $3`,
    [chainId, only, userId],
  );
  return rows[0];
}

export async function lockUser(tx: Tx, chainId: string, userId: string): Promise<void> {
  await tx.query('select 1 from sftp_users where chain_id = $1 and sftp_user_id = $2 for update', [chainId, userId]);
}

export async function countUsers(tx: Tx, chainId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>('select count(*)::int as count from sftp_users where chain_id = $1', [
    chainId,
  ]);
  return rows[0]?.count ?? 0;
}

/** Returns false if the login name is already in use. */
export async function insertUser(
  tx: Tx,
  chainId: string,
  user: {
    sftp_user_id: string;
    name: string;
    username: string;
    password_hash: string | null;
    scopes: readonly string[];
    vendor_ids: readonly string[] | null;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into sftp_users (chain_id, sftp_user_id, name, username, password_hash, scopes, vendor_ids)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (username) do nothing returning 1`,
    [chainId, user.sftp_user_id, user.name, user.username, user.password_hash, user.scopes, user.vendor_ids],
  );
  return rows.length > 0;
}

/** The new revision ends the user's sessions in all processes when the transaction commits. */
export async function updateUser(
  tx: Tx,
  chainId: string,
  userId: string,
  to: { password_hash?: string | null; scopes?: readonly string[]; vendor_ids?: readonly string[] | null },
): Promise<void> {
  await tx.query(
    `update sftp_users set revision = revision + 1,
       password_hash = case when $3 then $4 else password_hash end, scopes = coalesce($5, scopes),
       vendor_ids = case when $6 then $7 else vendor_ids end
     where chain_id = $1 and sftp_user_id = $2`,
    [
      chainId,
      userId,
      to.password_hash !== undefined,
      to.password_hash ?? null,
      to.scopes ?? null,
      to.vendor_ids !== undefined,
      to.vendor_ids ?? null,
    ],
  );
  tx.notify(sftpChannel);
}

export async function deleteUser(tx: Tx, chainId: string, userId: string): Promise<void> {
  await tx.query('delete from sftp_users where chain_id = $1 and sftp_user_id = $2', [chainId, userId]);
  tx.notify(sftpChannel);
}

export async function deleteUsersNamed(tx: Tx, chainId: string, name: string): Promise<void> {
  await tx.query('delete from sftp_users where chain_id = $1 and name = $2', [chainId, name]);
  tx.notify(sftpChannel);
}

export async function upsertKey(
  tx: Tx,
  chainId: string,
  userId: string,
  keyId: string,
  { type, key, fingerprint, comment }: PublicKey,
): Promise<void> {
  await tx.query(
    `insert into sftp_public_keys (chain_id, sftp_user_id, key_id, type, key, fingerprint, comment)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (chain_id, sftp_user_id, fingerprint) do update set comment = excluded.comment`,
    [chainId, userId, keyId, type, key, fingerprint, comment],
  );
}

export async function countKeys(tx: Tx, chainId: string, userId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    'select count(*)::int as count from sftp_public_keys where chain_id = $1 and sftp_user_id = $2',
    [chainId, userId],
  );
  return rows[0]?.count ?? 0;
}

export async function deleteKey(tx: Tx, chainId: string, userId: string, keyId: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from sftp_public_keys where chain_id = $1 and sftp_user_id = $2 and key_id = $3 returning 1',
    [chainId, userId, keyId],
  );
  return rows.length > 0;
}

/** The login name determines the chain. */
export async function findLogin(db: Db, username: string): Promise<LoginRow | undefined> {
  const rows = await db.query<LoginRow>(
    `select chain_id, sftp_user_id, username, password_hash, scopes, vendor_ids, revision
     from sftp_users where username = $1`,
    [username],
  );
  return rows[0];
}

export async function hasKey(db: Db, chainId: string, userId: string, fingerprint: string): Promise<boolean> {
  const rows = await db.query(
    'select 1 from sftp_public_keys where chain_id = $1 and sftp_user_id = $2 and fingerprint = $3',
    [chainId, userId, fingerprint],
  );
  return rows.length > 0;
}

export async function recordLogin(db: Db, chainId: string, userId: string): Promise<void> {
  await db.query('update sftp_users set last_login_at = now() where chain_id = $1 and sftp_user_id = $2', [
    chainId,
    userId,
  ]);
}

/** The current revisions of these users, in any chain. A deleted user has none. */
export async function findRevisions(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ sftp_user_id: string; revision: number }>(
    'select sftp_user_id, revision from sftp_users where sftp_user_id = any ($1::uuid[])',
    [userIds],
  );
  return new Map(rows.map((row) => [row.sftp_user_id, row.revision]));
}

export type HostKeyRow = { fingerprint: string; type: string; host: string; port: number };

/** Renews the row of a running server, and deletes those of servers that have stopped. */
export async function upsertHostKey(db: Db, { fingerprint, type, host, port }: HostKeyRow): Promise<void> {
  await db.query(
    `with stale as (delete from sftp_host_keys where fingerprint <> $1 and not ${isRunning})
     insert into sftp_host_keys (fingerprint, type, host, port) values ($1, $2, $3, $4)
     on conflict (fingerprint) do update set host = excluded.host, port = excluded.port, seen_at = now()`,
    [fingerprint, type, host, port],
  );
}

/** The host keys of running servers, newest first. */
export function listHostKeys(db: Db): Promise<HostKeyRow[]> {
  return db.query(
    `select fingerprint, type, host, port from sftp_host_keys where ${isRunning} order by seen_at desc, fingerprint`,
  );
}

const isRunning = "seen_at > now() - interval '3 minutes'";
