import type { Database } from '../kernel/database/db.ts';
import { insertPlatformToken } from './credential-queries.ts';
import { tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';

/** This is the only way to create the first platform token. Anyone who can start the program can do it. */
export async function createPlatformToken(db: Database, name: string): Promise<string> {
  const token = newToken('platform');
  await db.transaction((tx) => insertPlatformToken(tx, tokenHash(token), name));
  return token;
}
