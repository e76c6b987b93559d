import assert from 'node:assert/strict';
import { createPlatformToken } from '../../server/src/identity/index.ts';
import { type Database, openDatabase } from '../../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../../server/src/kernel/database/migrate.ts';
import { makeChain } from '../../server/test/support/chain.ts';
import { addProducts, plainProducts } from '../../server/test/support/catalog.ts';
import { assertNoneLost, startOrderLoad } from './acknowledged.ts';
import { makeFolder } from './folder.ts';
import { startProgram } from './program.ts';
import { startPair } from './replicas.ts';
import { waitFor } from './wait.ts';

export type FailoverResult = { orders: number; acknowledged: number; failed: number; secondsToWrite: number[] };

/**
 * Runs two API processes and a worker on a replicated pair, and kills or freezes the primary under load as often as
 * asked. Each time, the standby is promoted, and a new standby is built.
 */
export async function runFailovers(
  how: 'killed' | 'frozen',
  count: number,
  print: (line: string) => void,
): Promise<FailoverResult> {
  const { folder, remove } = makeFolder();
  const pair = await startPair(folder);
  const db = open(pair.url);
  try {
    await migrate(db, readMigrations(new URL('../../server/migrations/', import.meta.url)));
    const chain = await makeChain({ db });
    await addProducts(
      { db },
      chain,
      plainProducts(1).map((product) => ({ ...product, quantity: 1_000_000 })),
    );
    const platformToken = await createPlatformToken(db, 'test');
    await pair.setSynchronous(true);
    const environment = { DATABASE_URL: pair.url, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'silent' };
    const start = (role: string) => startProgram({ role, environment });
    const [one, other, worker] = await Promise.all([start('api'), start('api'), start('worker')]);
    const load = startOrderLoad([one, other], { chain, platformToken, writers: 6 });
    const secondsToWrite: number[] = [];
    for (let round = 1; round <= count; round++) {
      const [before, failedBefore] = [load.writes(), load.failed()];
      await waitFor(30, 'some orders', () => load.writes() > before + 50 || undefined);
      if (how === 'frozen') pair.freezePrimary();
      else {
        pair.killPrimary();
        await waitFor(30, 'requests to fail', () => load.failed() > failedBefore || undefined, 5);
      }
      const killed = load.writes();
      await pair.promote();
      const promotedAt = performance.now();
      await waitFor(30, 'a write after the promotion', () => load.writes() > killed + 6 || undefined, 5);
      const seconds = (performance.now() - promotedAt) / 1000;
      secondsToWrite.push(seconds);
      print(`failover ${round}: ${killed} changes acknowledged before it, writes again after ${seconds.toFixed(2)} s`);
      if (round === count) continue;
      if (how === 'frozen') pair.killStandby();
      await pair.rebuild();
      await pair.setSynchronous(true);
    }
    const after = load.writes();
    await waitFor(30, 'more orders', () => load.writes() > after + 50 || undefined);
    await load.stop();
    await waitFor(30, 'all events to be published', () => isPublished(db));
    const orders = await assertNoneLost(db, one, chain, load);
    const unexpected = [...load.failures.keys()].filter((status) => status !== 503);
    assert.deepEqual(unexpected, [], `failures by status: ${JSON.stringify([...load.failures])}`);
    for (const program of [one, other, worker]) await program.stop();
    if (how === 'frozen') pair.killStandby();
    return { orders, acknowledged: load.writes(), failed: load.failed(), secondsToWrite };
  } finally {
    await db.close();
    await pair.stop();
    remove();
  }
}

function open(url: string): Database {
  return openDatabase({ url, connections: 4, preparedStatements: true, name: 'failover', onError() {} });
}

async function isPublished(db: Database): Promise<true | undefined> {
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from events where position is null');
  return row?.count === 0 || undefined;
}
