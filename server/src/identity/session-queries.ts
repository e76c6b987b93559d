import type { Role } from '@aisle/contract/route';
import { secondsLeft } from '../kernel/database/clock.ts';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { nilId } from '../kernel/values/ids.ts';
import { changeRows } from './queries.ts';

/** What the gate has to know about a session and its user. */
export type SessionRow = {
  session_hash: Buffer;
  chain_id: string;
  user_id: string;
  role: Role;
  /** Null means every vendor in the chain. */
  vendor_ids: string[] | null;
  has_second_factor: boolean;
  require_second_factor_for_owners: boolean;
  must_change_password: boolean;
  expires_at: Date;
  /** The time until the session expires, or until it has not been used for too long. */
  seconds_left: number;
  seconds_unused: number;
  /** The name of the operator's user who acts on behalf of the chain. Absent in a user's own session. */
  on_behalf?: string;
};

/** The session of a short-lived token. `expires_at` and `seconds_left` are those of the token. */
export type TokenSessionRow = SessionRow & { token_hash: Buffer };

export type ListedSession = {
  session_id: string;
  session_hash: Buffer;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  address: string | null;
  device: string | null;
};

export type NewSession = { hash: Buffer; session_id: string; hours: number; address: string; device: string | null };

const idleEnd = 's.last_used_at + make_interval(mins => $2)';
const tokenEnd = `least(k.expires_at, s.expires_at, ${idleEnd})`;
const gateFields = `s.session_hash, s.chain_id, s.user_id, u.role, v.vendor_ids,
  f.confirmed_at is not null as has_second_factor, r.chain_id is not null as require_second_factor_for_owners,
  t.user_id is not null as must_change_password, -${secondsLeft('s.last_used_at')} as seconds_unused`;
const gateJoins = `
  join users u on u.chain_id = s.chain_id and u.user_id = s.user_id
  left join user_vendors v on v.chain_id = s.chain_id and v.user_id = s.user_id
  left join required_second_factors r on r.chain_id = s.chain_id
  left join temporary_passwords t on t.chain_id = s.chain_id and t.user_id = s.user_id
  left join second_factors f on f.chain_id = s.chain_id and f.user_id = s.user_id`;
const listedFields = 'session_id, session_hash, created_at, last_used_at, expires_at, address, device';

/** The session with its user's current role. The chain is not known yet, because the cookie contains only a token. */
export async function findSession(db: Db, hash: Buffer, idleMinutes: number): Promise<SessionRow | undefined> {
  const rows = await db.query<SessionRow>(
    `select ${gateFields}, s.expires_at,
       ${secondsLeft(`least(s.expires_at, ${idleEnd})`)} as seconds_left
     from sessions s ${gateJoins}
     where s.session_hash = $1`,
    [hash, idleMinutes],
  );
  return rows[0];
}

/** The session that a short-lived token belongs to, with its user's current role. */
export async function findTokenSession(
  db: Db,
  hash: Buffer,
  idleMinutes: number,
): Promise<TokenSessionRow | undefined> {
  const rows = await db.query<TokenSessionRow>(
    `select ${gateFields}, k.token_hash, ${tokenEnd} as expires_at, ${secondsLeft(tokenEnd)} as seconds_left
     from session_tokens k join sessions s on s.chain_id = k.chain_id and s.session_id = k.session_id ${gateJoins}
     where k.token_hash = $1`,
    [hash, idleMinutes],
  );
  return rows[0];
}

/** Returns when the token expires, or undefined if the session has ended. */
export async function insertSessionToken(
  tx: Tx,
  chainId: string,
  sessionHash: Buffer,
  token: { hash: Buffer; minutes: number },
): Promise<Date | undefined> {
  const rows = await tx.query<{ expires_at: Date }>(
    `insert into session_tokens as t (chain_id, token_hash, session_id, expires_at)
     select s.chain_id, $3, s.session_id, least(s.expires_at, now() + make_interval(mins => $4))
     from sessions s where s.chain_id = $1 and s.session_hash = $2 returning t.expires_at`,
    [chainId, sessionHash, token.hash, token.minutes],
  );
  return rows[0]?.expires_at;
}

/** Deletes the session's expired tokens. The other ones are deleted together with the session. */
export async function deleteExpiredSessionTokens(tx: Tx, chainId: string, sessionHash: Buffer): Promise<void> {
  await tx.query(
    `delete from session_tokens k using sessions s
     where s.chain_id = $1 and s.session_hash = $2 and k.chain_id = s.chain_id and k.session_id = s.session_id
       and k.expires_at <= now()`,
    [chainId, sessionHash],
  );
}

export async function insertSession(tx: Tx, chainId: string, userId: string, session: NewSession): Promise<Date> {
  const rows = await tx.query<{ expires_at: Date }>(
    `insert into sessions (chain_id, session_hash, session_id, user_id, expires_at, address, device)
     values ($1, $2, $3, $4, now() + make_interval(hours => $5), $6, $7) returning expires_at`,
    [chainId, session.hash, session.session_id, userId, session.hours, session.address, session.device],
  );
  return rows[0]?.expires_at as Date;
}

/** Lists the user's sessions that have not ended. */
export function listSessions(
  db: Db,
  chainId: string,
  userId: string,
  idleMinutes: number,
  page: PageRequest,
): Promise<(ListedSession & { total: number })[]> {
  return db.query(
    `select ${listedFields}, count(*) over ()::int as total from sessions
     where chain_id = $1 and user_id = $2 and ${isLive('$3')}
     order by last_used_at desc, session_id desc limit $4 offset $5`,
    [chainId, userId, idleMinutes, page.pageSize, page.offset],
  );
}

export async function countSessions(db: Db, chainId: string, userId: string, idleMinutes: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from sessions where chain_id = $1 and user_id = $2 and ${isLive('$3')}`,
    [chainId, userId, idleMinutes],
  );
  return rows[0]?.count ?? 0;
}

/** Stores that these sessions were used. Writes each session at most once a minute, whatever the number of processes. */
export async function recordSessionUse(db: Db, uses: { chain_id: string; session_hash: Buffer }[]): Promise<void> {
  await db.query(
    `update sessions s set last_used_at = now() from unnest($1::uuid[], $2::bytea[]) as used (chain_id, session_hash)
     where s.chain_id = used.chain_id and s.session_hash = used.session_hash
       and s.last_used_at < now() - interval '1 minute'`,
    [uses.map((use) => use.chain_id), uses.map((use) => use.session_hash)],
  );
}

export async function deleteSession(
  tx: Tx,
  chainId: string,
  userId: string,
  sessionId: string,
): Promise<ListedSession | undefined> {
  const rows = await changeRows<ListedSession>(
    tx,
    `delete from sessions where chain_id = $1 and user_id = $2 and session_id = $3 returning ${listedFields}`,
    [chainId, userId, sessionId],
  );
  return rows[0];
}

export async function deleteSessionByHash(tx: Tx, chainId: string, hash: Buffer): Promise<void> {
  await changeRows(tx, 'delete from sessions where chain_id = $1 and session_hash = $2', [chainId, hash]);
}

/**
 * Deletes all of the user's sessions except `except`, and those of a console user on behalf of chains. Returns how many
 * there were, without the latter.
 */
export async function deleteSessions(tx: Tx, chainId: string, userId: string, except: Buffer | null): Promise<number> {
  const rows = await changeRows(
    tx,
    `delete from sessions where chain_id = $1 and user_id = $2 and ($3::bytea is null or session_hash <> $3)
     returning 1`,
    [chainId, userId, except],
  );
  // Afterwards, so that a session on behalf of a chain that was being opened is deleted too.
  if (chainId === nilId) await changeRows(tx, 'delete from support_sessions where user_id = $1', [userId]);
  return rows.length;
}

export function deleteEndedSessions(tx: Tx, idleMinutes: number): Promise<number> {
  return countAffected(tx, `delete from sessions where not (${isLive('$1')})`, [idleMinutes]);
}

function isLive(idleMinutes: string): string {
  return `expires_at > now() and last_used_at > now() - make_interval(mins => ${idleMinutes})`;
}
