import type { Database, Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { createSealer, SealError } from '../kernel/secrets/seal.ts';
import { deleteSecondFactor, type FactorRow, listSealedFactors } from './second-factor-queries.ts';

type SealedFactor = Pick<FactorRow, 'chain_id' | 'user_id' | 'secret_sealed'>;

/** Encrypts the secrets of second factors. An encrypted secret is valid only for its own user. */
export type FactorSecrets = {
  seal(chainId: string, userId: string, secret: string): Buffer;
  open(row: SealedFactor): string;
};

/** Without a key, both functions fail with `secret_key_missing`. The password alone is never enough then. */
export function createFactorSecrets(keys: readonly Buffer[]): FactorSecrets {
  const sealer = keys.length > 0 ? createSealer(keys) : undefined;
  return {
    seal(chainId, userId, secret) {
      if (!sealer) throw new Failure('secret_key_missing');
      return sealer.seal(secret, contextOf(chainId, userId));
    },
    open({ chain_id, user_id, secret_sealed }) {
      if (!sealer) throw new Failure('secret_key_missing');
      try {
        return sealer.open(secret_sealed, contextOf(chain_id, user_id));
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        throw new Failure('secret_key_missing', 'The configured key cannot decrypt your second factor.');
      }
    },
  };
}

/** The number of second factors, and how many of them the keys cannot decrypt. */
export async function countFactors(db: Db, keys: readonly Buffer[]): Promise<{ total: number; unreadable: number }> {
  const factors = await listSealedFactors(db);
  return { total: factors.length, unreadable: factors.filter((factor) => !isReadable(keys, factor)).length };
}

/** Turns off the second factors that no key can decrypt. Returns how many there were. */
export function discardFactors(db: Database, keys: readonly Buffer[]): Promise<number> {
  return db.transaction(async (tx) => {
    const unreadable = (await listSealedFactors(tx)).filter((factor) => !isReadable(keys, factor));
    for (const { chain_id, user_id } of unreadable) await deleteSecondFactor(tx, chain_id, user_id);
    return unreadable.length;
  });
}

function contextOf(chainId: string, userId: string): string {
  return `${chainId} ${userId} second factor`;
}

function isReadable(keys: readonly Buffer[], factor: SealedFactor): boolean {
  try {
    createFactorSecrets(keys).open(factor);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
