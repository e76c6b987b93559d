import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { changeRows } from './queries.ts';

export type InvitationRow = { chain_id: string; user_id: string; expires_at: Date };

/** How long an invitation link works. */
const invitationDays = 7;

/** Replaces the user's earlier invitation. Returns when the new one expires. */
export async function saveInvitation(tx: Tx, chainId: string, userId: string, hash: Buffer): Promise<Date> {
  const rows = await tx.query<{ expires_at: Date }>(
    `insert into invitations (chain_id, user_id, token_hash, expires_at)
     values ($1, $2, $3, now() + make_interval(days => $4))
     on conflict (chain_id, user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
       expires_at = excluded.expires_at
     returning expires_at`,
    [chainId, userId, hash, invitationDays],
  );
  return rows[0]?.expires_at as Date;
}

/** The chain is not known yet, because the link contains only a token. */
export async function findInvitation(db: Db, hash: Buffer): Promise<InvitationRow | undefined> {
  const rows = await db.query<InvitationRow>(
    'select chain_id, user_id, expires_at from invitations where token_hash = $1 and expires_at > now()',
    [hash],
  );
  return rows[0];
}

/** Deletes the invitation if it can still be used. Of concurrent transactions, only one gets true. */
export async function spendInvitation(tx: Tx, chainId: string, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `delete from invitations where chain_id = $1 and user_id = $2 and token_hash = $3 and expires_at > now() returning 1`,
    [chainId, userId, hash],
  );
  return rows.length > 0;
}

export async function deleteInvitation(tx: Tx, chainId: string, userId: string): Promise<boolean> {
  const rows = await tx.query('delete from invitations where chain_id = $1 and user_id = $2 returning 1', [
    chainId,
    userId,
  ]);
  return rows.length > 0;
}

/** Expired invitations are shown to owners for a while. */
export function deleteOldInvitations(tx: Tx): Promise<number> {
  return countAffected(tx, "delete from invitations where expires_at < now() - interval '30 days'", []);
}

/** The user has to change the password after signing in. */
export async function insertTemporaryPassword(tx: Tx, chainId: string, userId: string): Promise<void> {
  await changeRows(tx, 'insert into temporary_passwords (chain_id, user_id) values ($1, $2) on conflict do nothing', [
    chainId,
    userId,
  ]);
}

export async function deleteTemporaryPassword(tx: Tx, chainId: string, userId: string): Promise<void> {
  await changeRows(tx, 'delete from temporary_passwords where chain_id = $1 and user_id = $2', [chainId, userId]);
}
