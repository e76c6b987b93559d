import type { Chore } from '../../src/kernel/background/schedule.ts';
import type { Database } from '../../src/kernel/database/db.ts';
import { isCluster } from './database.ts';

/** Runs a chore as the scheduler does: chain by chain if the database is distributed and the chore allows it. */
export async function runChore({ db }: { db: Database }, chore: Chore | undefined): Promise<string> {
  if (!chore) throw new Error('There is no such chore.');
  if (!isCluster || !chore.isByChain) return db.transaction((tx) => chore.run(tx, null));
  const results: string[] = [];
  for (const { chain_id } of await db.query<{ chain_id: string }>('select chain_id from chains')) {
    results.push(await db.transaction((tx) => chore.run(tx, chain_id)));
  }
  return results.join(', ');
}

export async function runChores(aisle: { db: Database }, chores: Chore[]): Promise<void> {
  for (const chore of chores) await runChore(aisle, chore);
}
