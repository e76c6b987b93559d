import type { Role } from '@aisle/contract/route';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { nilId } from '../kernel/values/ids.ts';
import { changeRows } from './queries.ts';

export type UserRow = {
  chain_id: string;
  user_id: string;
  email: string;
  name: string;
  role: Role;
  /** Null means every vendor in the chain. */
  vendor_ids: string[] | null;
  created_at: Date;
  last_sign_in_at: Date | null;
  has_second_factor: boolean;
  /** Null without an invitation. It can be in the past. */
  invitation_expires_at: Date | null;
  /** Whether another person set the password. */
  must_change_password: boolean;
};

const ownFields = 'chain_id, user_id, email, name, role, created_at, last_sign_in_at';
const userFields = `${ownFields},
  (select v.vendor_ids from user_vendors v where v.chain_id = users.chain_id and v.user_id = users.user_id) as vendor_ids,
  exists (select 1 from second_factors f where f.chain_id = users.chain_id and f.user_id = users.user_id
    and f.confirmed_at is not null) as has_second_factor,
  (select i.expires_at from invitations i where i.chain_id = users.chain_id and i.user_id = users.user_id)
    as invitation_expires_at,
  exists (select 1 from temporary_passwords t where t.chain_id = users.chain_id and t.user_id = users.user_id)
    as must_change_password`;

export async function findUser(db: Db, chainId: string, userId: string): Promise<UserRow | undefined> {
  const rows = await db.query<UserRow>(`select ${userFields} from users where chain_id = $1 and user_id = $2`, [
    chainId,
    userId,
  ]);
  return rows[0];
}

export async function findUserByEmail(db: Db, chainId: string, email: string): Promise<UserRow | undefined> {
  const rows = await db.query<UserRow>(`select ${userFields} from users where chain_id = $1 and email = lower($2)`, [
    chainId,
    email,
  ]);
  return rows[0];
}

export type Account = UserRow & { password_hash: string; chain_name: string };

/**
 * The users with this email address in all chains, or in the console. Which of them signs in depends on the password.
 */
export function listAccounts(db: Db, email: string, isConsole: boolean): Promise<Account[]> {
  return db.query<Account>(
    `select u.*, c.name as chain_name
     from (select ${userFields}, password_hash from users
       where email = lower($1) and (chain_id = $2) = $3) u join chains c using (chain_id)
     order by u.last_sign_in_at desc nulls last, u.created_at limit 20`,
    [email, nilId, isConsole],
  );
}

export async function findPasswordHash(db: Db, chainId: string, userId: string): Promise<string | undefined> {
  const rows = await db.query<{ password_hash: string }>(
    'select password_hash from users where chain_id = $1 and user_id = $2',
    [chainId, userId],
  );
  return rows[0]?.password_hash;
}

export function listUsers(db: Db, chainId: string, page: PageRequest): Promise<(UserRow & { total: number })[]> {
  return db.query(
    `select ${userFields}, count(*) over ()::int as total from users where chain_id = $1
     order by email limit $2 offset $3`,
    [chainId, page.pageSize, page.offset],
  );
}

export async function countUsers(db: Db, chainId: string): Promise<number> {
  const rows = await db.query<{ count: number }>('select count(*)::int as count from users where chain_id = $1', [
    chainId,
  ]);
  return rows[0]?.count ?? 0;
}

/** Owners who are limited to some vendors cannot manage users, so they are not counted. */
export async function countOtherOwners(tx: Tx, chainId: string, userId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::int as count from users u where chain_id = $1 and user_id <> $2 and role = 'OWNER'
       and not exists (select 1 from user_vendors v where v.chain_id = $1 and v.user_id = u.user_id)`,
    [chainId, userId],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Returns undefined if the chain already has a user with this email address. The statement does not violate the unique
 * constraint, because PostgreSQL would write the address to its log.
 */
export async function insertUser(
  tx: Tx,
  chainId: string,
  user: { user_id: string; email: string; name: string; role: string; password_hash: string },
): Promise<UserRow | undefined> {
  const rows = await tx.query<UserRow>(
    `insert into users (chain_id, user_id, email, name, role, password_hash) values ($1, $2, lower($3), $4, $5, $6)
     on conflict (chain_id, email) do nothing
     returning ${ownFields}, null as vendor_ids, false as has_second_factor, null as invitation_expires_at,
       false as must_change_password`,
    [chainId, user.user_id, user.email, user.name, user.role, user.password_hash],
  );
  return rows[0];
}

export async function updateUser(
  tx: Tx,
  chainId: string,
  userId: string,
  changes: { name?: string; role?: Role },
): Promise<UserRow | undefined> {
  const rows = await changeRows<UserRow>(
    tx,
    `update users set name = coalesce($3, name), role = coalesce($4, role) where chain_id = $1 and user_id = $2
     returning ${userFields}`,
    [chainId, userId, changes.name, changes.role],
  );
  return rows[0];
}

export async function insertUserVendors(tx: Tx, chainId: string, userId: string, vendorIds: string[]): Promise<void> {
  await changeRows(
    tx,
    `insert into user_vendors (chain_id, user_id, vendor_ids) values ($1, $2, $3)
     on conflict (chain_id, user_id) do update set vendor_ids = excluded.vendor_ids`,
    [chainId, userId, vendorIds],
  );
}

export async function deleteUserVendors(tx: Tx, chainId: string, userId: string): Promise<void> {
  await changeRows(tx, 'delete from user_vendors where chain_id = $1 and user_id = $2', [chainId, userId]);
}

/** With `previous`, updates only a user who still has that hash. */
export async function updatePassword(
  tx: Tx,
  chainId: string,
  userId: string,
  hash: string,
  previous: string | null = null,
): Promise<UserRow | undefined> {
  const rows = await changeRows<UserRow>(
    tx,
    `update users set password_hash = $3
     where chain_id = $1 and user_id = $2 and ($4::text is null or password_hash = $4) returning ${userFields}`,
    [chainId, userId, hash, previous],
  );
  return rows[0];
}

export async function deleteUser(tx: Tx, chainId: string, userId: string): Promise<UserRow | undefined> {
  const rows = await changeRows<UserRow>(
    tx,
    `delete from users where chain_id = $1 and user_id = $2 returning ${userFields}`,
    [chainId, userId],
  );
  return rows[0];
}

/**
 * Returns the user's current hash. The lock keeps sign-ins apart from changes that end the user's sessions, which could
 * not see the session of a sign-in at the same time. The caller reads everything else about the user afterwards.
 */
export async function lockPasswordHash(tx: Tx, chainId: string, userId: string): Promise<string | undefined> {
  const rows = await tx.query<{ password_hash: string }>(
    'select password_hash from users where chain_id = $1 and user_id = $2 for no key update',
    [chainId, userId],
  );
  return rows[0]?.password_hash;
}

/** The caller has locked the user. */
export async function recordSignIn(tx: Tx, chainId: string, userId: string): Promise<UserRow> {
  const rows = await tx.query<UserRow>(
    `update users set last_sign_in_at = now() where chain_id = $1 and user_id = $2 returning ${userFields}`,
    [chainId, userId],
  );
  return rows[0] as UserRow;
}
