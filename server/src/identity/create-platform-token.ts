import type { Database, Tx } from '../kernel/database/db.ts';
import { insertPlatformToken } from './credential-queries.ts';
import { tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';

/**
 * This is the only way to create the first platform token. Anyone who can start the program can do it. `record` runs in
 * the same transaction.
 */
export async function createPlatformToken(
  db: Database,
  name: string,
  record: (tx: Tx) => Promise<void> = async () => {},
): Promise<string> {
  const token = newToken('platform');
  await db.transaction(async (tx) => {
    await insertPlatformToken(tx, tokenHash(token), name);
    await record(tx);
  });
  return token;
}
