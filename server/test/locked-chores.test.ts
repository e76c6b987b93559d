import assert from 'node:assert/strict';
import test from 'node:test';
import { catalogChores } from '../src/catalog/chores.ts';
import { readConfig } from '../src/config.ts';
import { deliveryChores } from '../src/deliveries/chores.ts';
import { jobChores } from '../src/jobs/chores.ts';
import { type Chore, runDueChores } from '../src/kernel/background/schedule.ts';
import type { Tx } from '../src/kernel/database/db.ts';
import { createLog } from '../src/kernel/monitoring/log.ts';
import { newId } from '../src/kernel/values/ids.ts';
import { makeChain, type TestChain, useOwnAisle } from './support/aisle.ts';
import { addProducts, plainProducts } from './support/catalog.ts';
import { runChore } from './support/chores.ts';

/** A transaction of one chain that stays open must not stop the chores of all chains. */
const aisle = await useOwnAisle({}, 'api');
const { db } = aisle;
const chains = [await makeChain(aisle), await makeChain(aisle)] as const;
const [locked, other] = chains;

/** Runs `work` while another transaction holds the locked chain's row. */
function whileLocked(lock: (tx: Tx, chain: TestChain) => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  return db.withoutTimeout.transaction(async (tx) => {
    await lock(tx, locked);
    await work();
  });
}

const chore = (chores: Chore[], name: string) => chores.find((one) => one.name === name);

/** The rows of both chains, the locked one first. */
async function readBoth<Row>(sql: string): Promise<(Row | undefined)[]> {
  const read = ({ chainId }: TestChain) => db.query<Row>(sql, [chainId]);
  return [(await read(locked))[0], (await read(other))[0]];
}

test('a chain whose storage row is locked is measured at the next run, and the others now', async () => {
  for (const { chainId } of chains) {
    await db.query('insert into chain_storage (chain_id, job_bytes) values ($1, 5)', [chainId]);
  }
  const measure = chore(jobChores(readConfig({})), 'measure the job data of chains');
  const sizes = () => readBoth('select job_bytes::int as bytes from chain_storage where chain_id = $1');
  const lock = (tx: Tx, { chainId }: TestChain) =>
    tx.query('update chain_storage set changed_at = now() where chain_id = $1', [chainId]);
  await whileLocked(lock, async () => {
    await runChore(aisle, measure);
    assert.deepEqual(await sizes(), [{ bytes: 5 }, { bytes: 0 }]);
  });
  await runChore(aisle, measure);
  assert.deepEqual(await sizes(), [{ bytes: 0 }, { bytes: 0 }]);
});

test('a store whose count is locked is counted at the next run, and the others now', async () => {
  for (const chain of chains) {
    await addProducts(aisle, chain, plainProducts(3));
    const count = 'insert into offer_counts (chain_id, vendor_id, offers) values ($1, $2, 7) on conflict do nothing';
    await db.query(count, [chain.chainId, chain.vendors[0]]);
    await db.query('update offer_counts set offers = 7 where chain_id = $1', [chain.chainId]);
  }
  const recount = chore(catalogChores, 'count the offers of stores');
  const counts = () => readBoth('select max(offers)::int as offers from offer_counts where chain_id = $1');
  const lock = (tx: Tx, { chainId }: TestChain) =>
    tx.query('update offer_counts set offers = offers where chain_id = $1', [chainId]);
  await whileLocked(lock, async () => {
    await runChore(aisle, recount);
    assert.deepEqual(await counts(), [{ offers: 7 }, { offers: 3 }]);
  });
  await runChore(aisle, recount);
  assert.deepEqual(await counts(), [{ offers: 3 }, { offers: 3 }]);
});

test('an empty lane that is locked is deleted at the next run, and the others now', async () => {
  for (const { chainId } of chains) {
    await db.query('insert into delivery_lanes (chain_id, lane_id, endpoint_id) values ($1, $2, $2)', [
      chainId,
      newId(),
    ]);
  }
  const deletion = chore(deliveryChores(readConfig({})), 'delete empty lanes');
  const lanes = () => readBoth('select count(*)::int as lanes from delivery_lanes where chain_id = $1');
  const lock = (tx: Tx, { chainId }: TestChain) =>
    tx.query('select 1 from delivery_lanes where chain_id = $1 for update', [chainId]);
  await whileLocked(lock, async () => {
    await runChore(aisle, deletion);
    assert.deepEqual(await lanes(), [{ lanes: 1 }, { lanes: 0 }]);
  });
  await runChore(aisle, deletion);
  assert.deepEqual(await lanes(), [{ lanes: 0 }, { lanes: 0 }]);
});

test('a chore that waits for a lock gives up, so that the others run, and is tried again', async () => {
  const ran: string[] = [];
  const chores: Chore[] = ['waiting', 'next'].map((name) => ({
    name,
    everySeconds: 60,
    async run(tx) {
      if (name === 'waiting') await tx.query('select 1 from chains where chain_id = $1 for update', [locked.chainId]);
      ran.push(name);
      return 'done';
    },
  }));
  const log = createLog('silent');
  const run = () => runDueChores({ db: db.withoutTimeout, chores, log, chains: undefined, lockSeconds: 0.1 });
  const lock = (tx: Tx, { chainId }: TestChain) =>
    tx.query('select 1 from chains where chain_id = $1 for update', [chainId]);
  await whileLocked(lock, run);
  assert.deepEqual(ran, ['next']);
  await run();
  assert.deepEqual(ran, ['next', 'waiting']);
});
