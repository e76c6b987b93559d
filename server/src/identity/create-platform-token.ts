import type { Database } from '../kernel/database/db.ts';
import { insertPlatformToken } from './credential-queries.ts';
import { newToken } from './new-token.ts';
import { tokenHash } from './rules/token.ts';

/** The only way to the first platform token: whoever can start the program may make one. */
export async function createPlatformToken(db: Database, name: string): Promise<string> {
  const token = newToken('platform');
  await db.transaction((tx) => insertPlatformToken(tx, tokenHash(token), name));
  return token;
}
