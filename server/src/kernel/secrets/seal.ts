import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { OperatorError } from '../failures/operator-error.ts';

/**
 * Secrets that must be sent again later, and so cannot be hashed, are encrypted at rest with keys from the
 * configuration. The first key encrypts and all keys can decrypt, so that a key can be replaced. A secret encrypted for
 * one `context` cannot be decrypted in another.
 */
export type Sealer = {
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** Encrypts a secret with the first key. Undefined if no key can decrypt it. */
  renew(sealed: Buffer, context: string): Buffer | undefined;
};

export const keyBytes = 32;

/** The key is missing or cannot decrypt the secret. */
export class SealError extends OperatorError {}

export function createSealer(bytes: readonly Buffer[]): Sealer {
  const keys = bytes.map((key) => createSecretKey(key));
  const [first] = keys;
  if (!first) throw new SealError('At least one encryption key is required.');
  const find = (sealed: Buffer, context: string) => {
    for (const key of keys) {
      const text = tryOpen(key, sealed, context);
      if (text !== undefined) return text;
    }
    return undefined;
  };
  return {
    seal: (text, context) => seal(first, text, context),
    open(sealed, context) {
      const text = find(sealed, context);
      if (text === undefined) throw new SealError('No configured key can decrypt this secret.');
      return text;
    },
    renew(sealed, context) {
      const text = find(sealed, context);
      return text === undefined ? undefined : seal(first, text, context);
    },
  };
}

/** AES-256-GCM. The layout (nonce, tag, encrypted text) must not change, because stored secrets use it. */
export function seal(key: KeyObject | Buffer, text: string, context = ''): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encrypt = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
  const bytes = Buffer.concat([encrypt.update(text, 'utf8'), encrypt.final()]);
  return Buffer.concat([nonce, encrypt.getAuthTag(), bytes]);
}

/** Undefined if the text was encrypted with another key or for another context, or was modified. */
export function tryOpen(key: KeyObject | Buffer, sealed: Buffer, context = ''): string | undefined {
  try {
    const nonce = sealed.subarray(0, nonceBytes);
    const decrypt = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
    decrypt.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const bytes = [decrypt.update(sealed.subarray(nonceBytes + tagBytes)), decrypt.final()];
    return Buffer.concat(bytes).toString('utf8');
  } catch {
    return undefined;
  }
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
