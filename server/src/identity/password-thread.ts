import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** A password and words that an attacker who knows the user would try. */
export type StrengthJob = { password: string; words: string[] };

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** The entry point of a thread that estimates how hard passwords are to guess. Returns a score from 0 to 4. */
parentPort?.on('message', ({ password, words }: StrengthJob) => {
  parentPort?.postMessage(estimator.check(password, words).score, []);
});
