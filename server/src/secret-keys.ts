import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Database } from './kernel/database/db.ts';
import { countFactors } from './identity/index.ts';
import type { Log } from './kernel/monitoring/log.ts';
import { createKeyFile, readKeyFile } from './kernel/secrets/key-file.ts';
import { SealError } from './kernel/secrets/seal.ts';
import { checkSecrets, hasWebhooks, secretsAdvice } from './webhooks/index.ts';

/**
 * The keys that encrypt secrets. Fails if the database contains secrets that no key can decrypt, because webhooks
 * would silently fail and users with a second factor could not sign in. Without `AISLE_SECRET_KEY`, the embedded
 * database has its own key, just as it has its own password.
 */
export async function getSecretKeys(db: Database, config: Config, log: Log): Promise<readonly Buffer[]> {
  const keys = findKeys(config) ?? (await createFirstKey(db, config.dataDir));
  if (keys.length === 0) return keys;
  const webhooks = await checkSecrets(db, keys);
  const factors = await countFactors(db, keys);
  if (factors.total > 0 && factors.unreadable === factors.total) {
    throw new SealError(`The secret key cannot decrypt the second factors in the database; ${secretsAdvice}`);
  }
  if (webhooks + factors.unreadable > 0) {
    log.warn({ event: 'secrets.unreadable', webhooks, second_factors: factors.unreadable });
  }
  return keys;
}

/** Used to discard secrets that were encrypted with a lost key. */
export function getOrCreateKeys(config: Config): readonly Buffer[] {
  return findKeys(config) ?? [createKeyFile(config.dataDir)];
}

/** Undefined if the embedded database has no key yet. */
function findKeys({ secretKeys, databaseUrl, dataDir }: Config): readonly Buffer[] | undefined {
  if (secretKeys.length > 0 || databaseUrl !== null) return secretKeys;
  const key = readKeyFile(dataDir);
  return key && [key];
}

async function createFirstKey(db: Database, dataDir: string): Promise<readonly Buffer[]> {
  const contents = [
    (await hasWebhooks(db)) && 'webhook secrets',
    (await countFactors(db, [])).total > 0 && 'second factors',
  ].filter((content) => content !== false);
  if (contents.length === 0) return [createKeyFile(dataDir)];
  const file = join(dataDir, 'secret.key');
  throw new SealError(`${file} is missing, but the database contains ${contents.join(' and ')}; ${secretsAdvice}`);
}
