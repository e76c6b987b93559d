import { Failure } from '../failures/failure.ts';
import { type Database, limitStatements, type Tx } from './db.ts';
import { isTimeout } from './errors.ts';

/**
 * Runs a search in a transaction and limits its time, because some words are part of almost every text, and the number
 * of searches that the chain runs at the same time.
 */
export function searchInTime<Result>(
  db: Database,
  chainId: string,
  search: (tx: Tx) => Promise<Result>,
  advice = 'Use fewer words, with at least 3 characters each, which is faster.',
): Promise<Result> {
  const run = async (tx: Tx) => {
    limitStatements(tx, maxSearchSeconds);
    try {
      return await search(tx);
    } catch (error) {
      throw isTimeout(error) ? tooSlow(advice) : error;
    }
  };
  return db.runSlow(chainId, () => db.transaction(run));
}

const maxSearchSeconds = 2;

function tooSlow(advice: string): Failure {
  const detail = `The search took longer than ${maxSearchSeconds} s. ${advice}`;
  return new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
}
