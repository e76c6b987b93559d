import { createHash } from 'node:crypto';
import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { lowerLikePostgres } from '../kernel/values/text.ts';
import type { Site } from './rules/platform.ts';
import { deleteFailures, findBlock, insertFailure, reserveAttempt, subtractFailure } from './attempt-queries.ts';
import { createVerificationQueue } from './verification-queue.ts';
import { createWaitingRoom } from './waiting-room.ts';

/**
 * Protects accounts against guessing without locking their owners out. Failures are counted by account and network
 * address together, so failures elsewhere never block an account's owner. In return, the number of guesses is limited
 * only per network; passwords are strong enough for that, and client secrets cannot be guessed at all.
 *
 * After five failures, the password is checked only after a delay, which grows to a few seconds. So the right password
 * still works at the address of an attacker, and a guess takes as long as the delay: 10,800 guesses a day, while the
 * weakest password that is accepted needs 10^8. Attempts wait one after the other, and one that would wait longer than
 * the maximum delay is rejected.
 *
 * A sign-in that succeeds does not reset the count. Users of several chains can have the same email address, so an
 * attacker with an account in one chain could otherwise guess the password in another chain without delays. Counting by
 * user instead would show the attacker whether there is another account. The user hardly notices: only an attempt within
 * seconds of the previous one is delayed.
 *
 * A password check is slow by design, so only a few run at the same time (see `verification-queue.ts`).
 */
export type AttemptGuard = {
  /**
   * Counts the attempt as failed until `work` succeeds, so that concurrent guesses are counted too. Success resets the
   * count, so `account` must belong to one user only.
   */
  count<Result>(db: Db, account: string, network: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Counts in the same way, but for `work` that checks a password. After failures, `work` starts with a delay. Success
   * takes back only the attempt itself.
   */
  run<Result>(db: Db, account: string, source: AttemptSource, work: () => Promise<Result>): Promise<Result>;
  /** Counts a failure. Fails with `rate_limited` if the account was already blocked for this network. */
  recordFailure(db: Db, account: string, network: string): Promise<void>;
};

/** Where an attempt comes from. `signal` is aborted when the client disconnects; then the attempt stops waiting. */
export type AttemptSource = { network: string; signal?: AbortSignal };

export function createAttemptGuard(enforced: boolean): AttemptGuard {
  const queue = createVerificationQueue();
  const delayed = createWaitingRoom({ total: maxDelayed, perNetwork: maxDelayed });
  const reject = async (db: Db, account: string, network: string): Promise<never> => {
    const block = await findBlock(db, account, network);
    const seconds = String(block?.seconds ?? 1);
    const failures = block ? `${block.failures} attempts` : 'Too many attempts';
    const where = network === allNetworks ? '' : ' from this address';
    const detail = `${failures} have failed${where}; try again in ${seconds} s.`;
    throw new Failure('rate_limited', detail, { headers: { 'retry-after': seconds } });
  };
  const waitForTurn = async (db: Db, account: string, source: AttemptSource): Promise<void> => {
    const seconds = await reserveAttempt(db, account, source.network, maxDelaySeconds);
    if (seconds === undefined) await reject(db, account, source.network);
    else if (seconds > 0) await delay(seconds, source);
  };
  const delay = async (seconds: number, { network, signal }: AttemptSource) => {
    const { started, start } = delayed.enter(network, signal);
    const timer = setTimeout(start, seconds * 1000);
    await started.finally(() => clearTimeout(timer));
  };
  const recordFailure: AttemptGuard['recordFailure'] = async (db, account, network) => {
    if (enforced && !(await insertFailure(db, account, network))) await reject(db, account, network);
  };
  return {
    recordFailure,
    async count(db, account, network, work) {
      await recordFailure(db, account, network);
      const result = await work();
      if (enforced) await deleteFailures(db, account, network);
      return result;
    },
    async run(db, account, source, work) {
      if (enforced) await waitForTurn(db, account, source);
      const result = await queue.run(source.network, work, source.signal);
      if (enforced) await subtractFailure(db, account, source.network);
      return result;
    },
  };
}

const maxDelaySeconds = 8;
/** How many attempts can be delayed at the same time in this process. */
const maxDelayed = 200;

/** Stands for every network, if failures are counted for all of them together. */
export const allNetworks = '*';

/**
 * The account for codes of a second factor. They have only six digits, so failures are counted for all networks
 * together. Only someone who knows the password or has a session can cause a delay.
 */
export function codeAccount(userId: string): string {
  return `code ${userId}`;
}

/**
 * Email addresses are stored only with their user, so failures are counted by a hash. All spellings that find the same
 * user have the same hash.
 */
export function emailAccount(email: string, site: Site = 'portal'): string {
  const hash = createHash('sha256').update(lowerLikePostgres(email.trim())).digest('hex').slice(0, 32);
  return `${site === 'console' ? 'console email' : 'email'} ${hash}`;
}
