import type { Database, Db } from '../kernel/database/db.ts';
import { SealError } from '../kernel/secrets/seal.ts';
import { listPlatformWebhooks, replacePlatformSecrets } from './platform-queries.ts';
import { listSealed, replaceSecrets, type SealedRow } from './queries.ts';
import { createSecrets, newSigningSecret, type Secrets } from './secrets.ts';

/**
 * Fails if there are webhooks and the keys cannot decrypt the secrets of any of them. Returns the number of webhooks
 * whose secrets they cannot decrypt.
 */
export async function checkSecrets(db: Db, keys: readonly Buffer[]): Promise<number> {
  const secrets = createSecrets(keys);
  const webhooks = [...(await listSealed(db)), ...(await listPlatformWebhooks(db))];
  const unreadable = webhooks.filter((webhook) => !isReadable(secrets, webhook)).length;
  if (unreadable === 0 || unreadable < webhooks.length) return unreadable;
  throw new SealError(`The secret key cannot decrypt the webhook secrets in the database; ${secretsAdvice}`);
}

export const secretsAdvice =
  'restore the key that encrypted them (AISLE_SECRET_KEY, or secret.key in the data folder), or run "npm start -- discard-secrets" to give them up.';

/**
 * Replaces secrets that no key can decrypt: the affected webhooks get a new signing secret, and their authorization is
 * removed. Returns the number of affected webhooks.
 */
export async function discardSecrets(db: Database, keys: readonly Buffer[]): Promise<number> {
  const secrets = createSecrets(keys);
  return db.transaction(async (tx) => {
    const unreadable = (await listSealed(tx)).filter((webhook) => !isReadable(secrets, webhook));
    for (const { chain_id, webhook_id } of unreadable) {
      await replaceSecrets(tx, chain_id, webhook_id, secrets.sealSigning(webhook_id, newSigningSecret()));
    }
    const platform = (await listPlatformWebhooks(tx)).filter((webhook) => !isReadable(secrets, webhook));
    for (const { webhook_id } of platform) {
      await replacePlatformSecrets(tx, webhook_id, secrets.sealSigning(webhook_id, newSigningSecret()));
    }
    return unreadable.length + platform.length;
  });
}

function isReadable(secrets: Secrets, webhook: Omit<SealedRow, 'chain_id'>): boolean {
  try {
    secrets.openAuthorization(webhook);
    secrets.openSigning(webhook, new Date());
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
