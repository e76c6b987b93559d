import { secondsLeft } from '../kernel/database/clock.ts';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { nilId } from '../kernel/values/ids.ts';
import { changeRows } from './queries.ts';
import type { SessionRow } from './session-queries.ts';

/** How long a user of the console can act on behalf of a chain. */
const supportMinutes = 60;

/**
 * A session in which a user of the console acts on behalf of a chain, with the current role of the user. It ends with the
 * user, and when the user may no longer act for chains.
 */
export async function findSupportSession(db: Db, hash: Buffer): Promise<SessionRow | undefined> {
  const rows = await db.query<SessionRow>(
    `select s.session_hash, s.chain_id, s.user_id, u.role, null as vendor_ids, false as has_second_factor,
       false as require_second_factor_for_owners, false as must_change_password, s.expires_at,
       ${secondsLeft('s.expires_at')} as seconds_left, 0 as seconds_unused, u.name as on_behalf
     from support_sessions s join users u on u.chain_id = $2 and u.user_id = s.user_id and u.role in ('OWNER', 'MANAGER')
     where s.session_hash = $1`,
    [hash, nilId],
  );
  return rows[0];
}

/**
 * Returns when the session expires, or undefined if the user's own session `from` has ended. The lock makes
 * `deleteSessions` wait, so that it deletes this session too.
 */
export async function insertSupportSession(
  tx: Tx,
  chainId: string,
  session: { hash: Buffer; session_id: string; user_id: string; reason: string; from: Buffer },
): Promise<Date | undefined> {
  const rows = await tx.query<{ expires_at: Date }>(
    `insert into support_sessions as i (chain_id, session_hash, session_id, user_id, reason, expires_at)
     select $1, $2, $3, $4, $5, now() + make_interval(mins => $6)
     from sessions s where s.chain_id = $7 and s.user_id = $4 and s.session_hash = $8 for key share
     returning i.expires_at`,
    [chainId, session.hash, session.session_id, session.user_id, session.reason, supportMinutes, nilId, session.from],
  );
  return rows[0]?.expires_at;
}

export async function deleteSupportSession(tx: Tx, chainId: string, hash: Buffer): Promise<void> {
  await changeRows(tx, 'delete from support_sessions where chain_id = $1 and session_hash = $2', [chainId, hash]);
}

export function deleteEndedSupportSessions(tx: Tx): Promise<number> {
  return countAffected(tx, 'delete from support_sessions where expires_at <= now()', []);
}
