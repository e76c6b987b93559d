import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/**
 * Secrets that must be sent again later, and so cannot be hashed, are encrypted at rest: AES-256-GCM with keys from the
 * configuration. The first key seals, every key opens, so that a key can be replaced. What is sealed for one place
 * (`context`) cannot be moved to another.
 */
export type Sealer = {
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
};

export const keyBytes = 32;

/** No key can open this. */
export class SealError extends Error {}

export function createSealer(bytes: readonly Buffer[]): Sealer {
  const keys = bytes.map((one) => createSecretKey(one));
  const [first] = keys;
  if (!first) throw new SealError('There is no key.');
  return {
    seal: (text, context) => sealWith(first, text, context),
    open(sealed, context) {
      for (const key of keys) {
        const text = tryOpen(key, sealed, context);
        if (text !== undefined) return text;
      }
      throw new SealError('None of the keys opens it.');
    },
  };
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

function sealWith(key: KeyObject, text: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encrypt = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
  const bytes = Buffer.concat([encrypt.update(text, 'utf8'), encrypt.final()]);
  return Buffer.concat([nonce, encrypt.getAuthTag(), bytes]);
}

function tryOpen(key: KeyObject, sealed: Buffer, context: string): string | undefined {
  try {
    const decrypt = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes)).setAAD(Buffer.from(context));
    decrypt.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const bytes = [decrypt.update(sealed.subarray(nonceBytes + tagBytes)), decrypt.final()];
    return Buffer.concat(bytes).toString('utf8');
  } catch {
    return undefined;
  }
}
