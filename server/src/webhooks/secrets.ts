import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Failure } from '../kernel/failures/failure.ts';
import { createSealer } from '../kernel/secrets/seal.ts';
import type { SealedSecrets, WebhookRow } from './queries.ts';

type SecretRow = SealedSecrets & Pick<WebhookRow, 'webhook_id' | 'previous_signing_until'>;

/**
 * Encrypts webhook secrets, and decrypts them only for sending. An encrypted secret is valid only for its own webhook.
 */
export type Secrets = {
  /**
   * Whether a key is configured. Without one, webhooks can be read, but they cannot be saved and nothing is sent to
   * them.
   */
  hasKey: boolean;
  sealAuthorization(webhookId: string, text: string): Buffer;
  sealSigning(webhookId: string, text: string): Buffer;
  openAuthorization(row: SecretRow): string | undefined;
  /** Returns the current signing key, followed by the previous one if that has not expired. */
  openSigning(row: SecretRow, now: Date): KeyObject[];
  /** The same secrets, encrypted with the first key. A secret that no key can decrypt stays as it is. */
  renew(row: SealedSecrets & Pick<WebhookRow, 'webhook_id'>): SealedSecrets;
};

export function createSecrets(secretKeys: readonly Buffer[]): Secrets {
  const sealer = secretKeys.length > 0 ? createSealer([...secretKeys]) : undefined;
  const getSealer = () => {
    if (!sealer) throw new Failure('secret_key_missing');
    return sealer;
  };
  // Cached, because decrypting an endpoint's secrets for every message would cost more than signing.
  const texts = new Map<string, string>();
  const keys = new Map<string, KeyObject>();
  const openText = (sealed: Buffer, context: string) => cached(texts, sealed, () => getSealer().open(sealed, context));
  const openKey = (sealed: Buffer, context: string) =>
    cached(keys, sealed, () => signingKey(getSealer().open(sealed, context)));
  return {
    hasKey: sealer !== undefined,
    sealAuthorization: (webhookId, text) => getSealer().seal(text, `${webhookId} authorization`),
    sealSigning: (webhookId, text) => getSealer().seal(text, `${webhookId} signing`),
    openAuthorization: (row) =>
      row.secret_sealed === null ? undefined : openText(row.secret_sealed, `${row.webhook_id} authorization`),
    openSigning(row, now) {
      const isPreviousLive = row.previous_signing_until !== null && row.previous_signing_until > now;
      const sealed = [row.signing_sealed, isPreviousLive ? row.previous_signing_sealed : null];
      return sealed.flatMap((key) => (key === null ? [] : [openKey(key, `${row.webhook_id} signing`)]));
    },
    renew({ webhook_id, secret_sealed, signing_sealed, previous_signing_sealed }) {
      const reseal = (sealed: Buffer, use: string) => sealer?.renew(sealed, `${webhook_id} ${use}`) ?? sealed;
      return {
        secret_sealed: secret_sealed && reseal(secret_sealed, 'authorization'),
        signing_sealed: reseal(signing_sealed, 'signing'),
        previous_signing_sealed: previous_signing_sealed && reseal(previous_signing_sealed, 'signing'),
      };
    },
  };
}

/** Standard Webhooks 1.0: a secret is a prefix followed by 24 to 64 random bytes in base64. */
export function newSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

/** Creates the signing key for a secret. This takes six times as long as signing, so the caller caches the key. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
}

const prefix = 'whsec_';
const maxCached = 10_000;

function cached<Value>(known: Map<string, Value>, sealed: Buffer, open: () => Value): Value {
  const name = sealed.toString('latin1');
  const found = known.get(name);
  if (found !== undefined) return found;
  const value = open();
  if (known.size >= maxCached) known.clear();
  known.set(name, value);
  return value;
}
