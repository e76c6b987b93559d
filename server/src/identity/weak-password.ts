import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalid } from '../kernel/failures/failure.ts';

/** Fails if the password is easy to guess, even if only for an attacker who knows the user's email address and name. */
export async function rejectWeakPassword(
  password: string,
  user: { email: string; name: string },
  pointer: string,
): Promise<void> {
  estimator ??= loadEstimator();
  const words = [user.email, ...user.email.split(/[@._+-]/), user.name, ...user.name.split(/\s+/)];
  // Longer passwords take too long to analyze.
  const { score } = (await estimator).check(password.slice(0, maxAnalyzed), words);
  if (score >= minScore) return;
  const message =
    'is too easy to guess: avoid common passwords, repeated characters, sequences, and your name or email address; several unrelated words make a good password';
  throw invalid([{ pointer, code: 'weak_password', message }]);
}

const maxAnalyzed = 100;
/** 3 of 4 means that at least 10^8 guesses are needed. */
const minScore = 3;

let estimator: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries take 25 MB of memory, so they are loaded when a password is checked for the first time. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
}
