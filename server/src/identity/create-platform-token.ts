import type { Database } from '../kernel/database/db.ts';
import { insertPlatformToken } from './credential-queries.ts';
import { tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';

/** The only way to get the first platform token. Any operator who can start the program can create one. */
export async function createPlatformToken(db: Database, name: string): Promise<string> {
  const token = newToken('platform');
  await db.transaction((tx) => insertPlatformToken(tx, tokenHash(token), name));
  return token;
}
