import type { Db } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { type CredentialRow, recordUse } from './credential-queries.ts';

/** Records in memory when each credential was last used, and writes the times to the database every few seconds. */
export type LastUsed = { note(credential: CredentialRow): void; close(): Promise<void> };

export function createLastUsed(db: Db, log: Log, everyMs = 2000): LastUsed {
  const uses = new Map<string, { chain_id: string; id: string; at: Date }>();
  const flush = async () => {
    const noted = [...uses.values()];
    uses.clear();
    if (noted.length === 0) return;
    await recordUse(db, noted).catch((error) => log.warn({ event: 'last_used.not_recorded', error: String(error) }));
  };
  const timer = setInterval(flush, everyMs);
  return {
    note(credential) {
      if (credential.chain_id === null) return;
      const seen = uses.get(credential.id);
      if (seen) seen.at = new Date();
      else uses.set(credential.id, { chain_id: credential.chain_id, id: credential.id, at: new Date() });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
