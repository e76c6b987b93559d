import { createHash } from 'node:crypto';
import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { deleteFailures, findBlock, insertFailure } from './attempt-queries.ts';
import { createVerificationQueue } from './verification-queue.ts';

/**
 * Protects accounts against guessing without locking their owners out. Failures are counted by account and network
 * address together, so failures elsewhere never block an account's owner. In return, the number of guesses is limited
 * only per network; passwords are strong enough for that, and client secrets cannot be guessed at all.
 *
 * A password check is slow by design, so only a few run at the same time (see `verification-queue.ts`).
 */
export type AttemptGuard = {
  /** Counts the attempt as failed until `work` succeeds, so that concurrent guesses are counted too. */
  count<Result>(db: Db, account: string, network: string, work: () => Promise<Result>): Promise<Result>;
  /** The same for work that checks a password, which waits for its turn. */
  run<Result>(db: Db, account: string, network: string, work: () => Promise<Result>): Promise<Result>;
  /** Counts a failure. Fails with `rate_limited` if the account was already blocked for this network. */
  recordFailure(db: Db, account: string, network: string): Promise<void>;
};

export function createAttemptGuard(enforced: boolean): AttemptGuard {
  const queue = createVerificationQueue();
  const recordFailure: AttemptGuard['recordFailure'] = async (db, account, network) => {
    if (!enforced || (await insertFailure(db, account, network))) return;
    const block = await findBlock(db, account, network);
    const seconds = String(block?.seconds ?? 1);
    const failures = block ? `${block.failures} attempts` : 'Too many attempts';
    const where = network === allNetworks ? '' : ' from this address';
    const detail = `${failures} have failed${where}; try again in ${seconds} s.`;
    throw new Failure('rate_limited', detail, { headers: { 'retry-after': seconds } });
  };
  const count: AttemptGuard['count'] = async (db, account, network, work) => {
    await recordFailure(db, account, network);
    const result = await work();
    if (enforced) await deleteFailures(db, account, network);
    return result;
  };
  return {
    recordFailure,
    count,
    run: (db, account, network, work) => count(db, account, network, () => queue.run(network, work)),
  };
}

/** Stands for every network, if failures are counted for all of them together. */
export const allNetworks = '*';

/**
 * The account for codes of a second factor. They have only six digits, so failures are counted for all networks
 * together. Only someone who knows the password or has a session can cause a delay.
 */
export function codeAccount(userId: string): string {
  return `code ${userId}`;
}

/** Email addresses are stored only with their user, so failures are counted by a hash. */
export function emailAccount(email: string): string {
  return `email ${createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 32)}`;
}
