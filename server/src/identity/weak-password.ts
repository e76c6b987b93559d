import { invalid } from '../kernel/failures/failure.ts';
import { createThreadPool } from '../kernel/bodies/thread-pool.ts';
import type { StrengthJob } from './password-thread.ts';
import { listUserWords } from './rules/user-words.ts';

/**
 * Rejects passwords that are easy to guess, even if only for an attacker who knows the user's email address and name. A
 * check can take 100 ms of CPU time, so it runs in a thread. The thread also ends when it is idle, which releases the
 * 25 MB of memory that the dictionaries take.
 */
export type PasswordCheck = {
  /** `pointer` is the field with the password. */
  rejectWeak(chainId: string, password: string, user: { email: string; name: string }, pointer: string): Promise<void>;
  close(): Promise<void>;
};

export function createPasswordCheck(): PasswordCheck {
  const module = new URL('./password-thread.ts', import.meta.url);
  const threads = createThreadPool<StrengthJob, number>(module, { count: 2, memoryMb: 256 });
  return {
    async rejectWeak(chainId, password, user, pointer) {
      const job = { password: password.slice(0, maxAnalyzed), words: listUserWords(user) };
      if ((await threads.run(chainId, job, [])) >= minScore) return;
      const message =
        'is too easy to guess: avoid common passwords, repeated characters, sequences, and your name or email address; several unrelated words make a good password';
      throw invalid([{ pointer, code: 'weak_password', message }]);
    },
    close: () => threads.close(),
  };
}

/** The time for a check grows faster than the length of the password. */
const maxAnalyzed = 40;
/** 3 of 4 means that at least 10^8 guesses are needed. */
const minScore = 3;
