import type { Db } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { type CredentialRow, recordUse } from './credential-queries.ts';
import { recordSessionUse, type SessionRow } from './session-queries.ts';

/** Records in memory when each credential was last used, and writes the times to the database every few seconds. */
export type LastUsed = {
  note(credential: CredentialRow): void;
  /** Does nothing if the use within the last minute is already stored. */
  noteSession(session: SessionRow): void;
  close(): Promise<void>;
};

export function createLastUsed(db: Db, log: Log, everyMs = 2000): LastUsed {
  const uses = new Map<string, { chain_id: string; id: string; at: Date }>();
  const sessions = new Map<string, SessionRow>();
  const warn = (error: unknown) => log.warn({ event: 'last_used.not_recorded', error: String(error) });
  const flush = async () => {
    const noted = [...uses.values()];
    const notedSessions = [...sessions.values()];
    uses.clear();
    sessions.clear();
    if (noted.length > 0) await recordUse(db, noted).catch(warn);
    if (notedSessions.length > 0) await recordSessionUse(db, notedSessions).catch(warn);
  };
  const timer = setInterval(flush, everyMs);
  return {
    note(credential) {
      if (credential.chain_id === null) return;
      const seen = uses.get(credential.id);
      if (seen) seen.at = new Date();
      else uses.set(credential.id, { chain_id: credential.chain_id, id: credential.id, at: new Date() });
    },
    noteSession(session) {
      if (session.seconds_unused >= 60) sessions.set(session.session_hash.toString('base64'), session);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
