import type { sessionRoutes } from '@aisle/contract/sessions';
import type { Config } from '../config.ts';
import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { pageOf, paged, type PageRequest } from '../kernel/http/page.ts';
import { existingUser } from './change-user.ts';
import { createSessionToken } from './create-session-token.ts';
import { type Access, admitVendors, sessionOf } from './gate.ts';
import { isSameHash } from './rules/token.ts';
import { countSessions, deleteSession, deleteSessions, type ListedSession, listSessions } from './session-queries.ts';
import { findUser } from './user-queries.ts';

export function sessionHandlers(config: Config): Handlers<typeof sessionRoutes, Access> {
  const idleMinutes = config.limits.sessionIdleMinutes;
  const listPage = async (db: Db, access: Access, userId: string, page: PageRequest) => {
    const rows = await listSessions(db, access.chainId, userId, idleMinutes, page);
    const total = rows[0]?.total ?? (await countSessions(db, access.chainId, userId, idleMinutes));
    const sessions = rows.map((row) => sessionSummary(row, access));
    return { status: 200, body: paged('sessions', sessions, total, page) } as const;
  };
  const getUserId = async (db: Db, access: Access, userId: string) => {
    admitVendors(access.actor, '*');
    return existingUser(userId, await findUser(db, access.chainId, userId)).user_id;
  };
  return {
    listOwnSessions: ({ db, access, query }) => listPage(db, access, access.actor.id, pageOf(query)),

    async endOwnSession({ transaction, access, params }) {
      const row = await transaction((tx) => deleteSession(tx, access.chainId, access.actor.id, params.session_id));
      return { status: 200, body: sessionSummary(existingSession(params.session_id, row), access) };
    },

    async endOtherSessions({ transaction, access }) {
      const { hash } = sessionOf(access);
      const count = await transaction((tx) => deleteSessions(tx, access.chainId, access.actor.id, hash));
      return { status: 200, body: { ended_sessions: count } };
    },

    async createSessionToken({ transaction, access }) {
      const { hash } = sessionOf(access);
      const { token, expiresAt } = await transaction((tx) => createSessionToken(tx, access.chainId, hash));
      const body = { token, expires_at: expiresAt.toISOString() };
      return { status: 201, body, headers: { 'cache-control': 'no-store' } };
    },

    async listUserSessions({ db, access, params, query }) {
      return listPage(db, access, await getUserId(db, access, params.user_id), pageOf(query));
    },

    async endUserSession({ db, transaction, access, params }) {
      const userId = await getUserId(db, access, params.user_id);
      const row = await transaction((tx) => deleteSession(tx, access.chainId, userId, params.session_id));
      return { status: 200, body: sessionSummary(existingSession(params.session_id, row), access) };
    },

    async endUserSessions({ db, transaction, access, params }) {
      const userId = await getUserId(db, access, params.user_id);
      const count = await transaction((tx) => deleteSessions(tx, access.chainId, userId, null));
      return { status: 200, body: { ended_sessions: count } };
    },
  };
}

function existingSession(sessionId: string, row: ListedSession | undefined): ListedSession {
  if (!row) throw notFound('session_not_found', sessionId);
  return row;
}

function sessionSummary(row: ListedSession, { actor }: Access) {
  return {
    session_id: row.session_id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    address: row.address,
    device: row.device,
    is_current: actor.session !== undefined && isSameHash(actor.session.hash, row.session_hash),
  };
}
