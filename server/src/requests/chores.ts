import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import type { Tx } from '../kernel/database/db.ts';
import {
  deleteExcessBodies,
  deleteExcessFailures,
  deleteExcessSuccesses,
  deleteOldDropped,
  deleteOldRequests,
  listLoggedChains,
} from './queries.ts';

/**
 * The number of requests per chain whose bodies are kept. At 32 KiB per body, that is a few hundred megabytes at most.
 */
const maxBodies = 10_000;

export function requestChores({ limits, requestLog }: Config): Chore[] {
  return [
    {
      name: 'delete old requests',
      everySeconds: 300,
      isByChain: true,
      async run(tx, scope) {
        let deleted = 0;
        for (const chainId of scope === null ? await listLoggedChains(tx) : [scope]) {
          deleted += await trimChain(tx, chainId, limits.requestDays, requestLog.rows);
        }
        return `${deleted} deleted`;
      },
    },
    {
      name: 'delete old numbers of dropped requests',
      everySeconds: 3600,
      run: async (tx) => `${await deleteOldDropped(tx, limits.requestDays)} hours`,
    },
  ];
}

/** Trims one chain at a time, so that each statement reads only part of an index. */
async function trimChain(tx: Tx, chainId: string, days: number, rows: number): Promise<number> {
  const old = await deleteOldRequests(tx, chainId, days);
  const successes = await deleteExcessSuccesses(tx, chainId, rows);
  const failures = await deleteExcessFailures(tx, chainId, rows);
  await deleteExcessBodies(tx, chainId, maxBodies);
  return old + successes + failures;
}
