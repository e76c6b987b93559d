import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { addProducts } from '../server/test/support/catalog.ts';
import { assertEventsMatchContract } from '../server/test/support/recorded-events.ts';
import { clientOf } from './support/client.ts';
import { fillDataFolder } from './support/data-folder.ts';
import { makeFolder } from './support/folder.ts';
import { produceOrders, soakProducts } from './support/order-source.ts';
import { launchProgram, type Program, type Run, startProgram } from './support/program.ts';
import {
  assertFeedComplete,
  assertInOrder,
  assertOnlyCommitted,
  assertNothingLost,
  listCommitted,
} from './support/soak-check.ts';
import { type Arrival, recoverableBehaviors, startReceivers } from '../cli/src/simulate/world/receivers.ts';
import { waitFor } from './support/wait.ts';

/**
 * Places many orders in many chains while receivers fail, hang, reset connections, redirect, or respond late or
 * endlessly. Workers are killed at random, and the database is restarted once. AISLE_SOAK_SECONDS sets the duration.
 */
const seconds = Number(process.env['AISLE_SOAK_SECONDS'] ?? 12);
const chainCount = 24;
const minOrders = 1000;
const minKills = 2;

const { folder, remove } = makeFolder();
let postgres: EmbeddedPostgres | undefined;
let db: Database | undefined;
after(async () => {
  await db?.close();
  await postgres?.stop();
  remove();
});

test('under random failures, every committed event is delivered in order, nothing else is sent, and the feed is complete', async (t) => {
  fillDataFolder(folder);
  postgres = await startEmbeddedPostgres({ dataDir: folder });
  const { url } = postgres;
  db = openDatabase({ url, connections: 16, preparedStatements: true, name: 'soak', onError: () => {} });
  await migrate(db, readMigrations(new URL('../server/migrations/', import.meta.url)));
  const chains: TestChain[] = [];
  for (let count = 0; count < chainCount; count++) chains.push(await makeChain({ db }));
  for (const chain of chains) await addProducts({ db }, chain, soakProducts);
  const arrivals: Arrival[] = [];
  const receivers = await startReceivers({
    behaviors: new Map(chains.map(({ chainId }, index) => [chainId, behaviorOf(index)])),
    onArrival: (arrival) => void arrivals.push(arrival),
  });
  t.after(receivers.close);
  const environment = environmentFor(url);
  const api = await startProgram({ role: 'api', environment });
  for (const chain of chains) {
    const body = { environment: 'production', production_url: receivers.urlOf(chain.chainId) } as const;
    await clientOf(api, chain).putWebhook({ body });
  }

  let isOver = false;
  let isDrained = false;
  const tally = { kills: 0 };
  const workers = keepWorkers(environment, tally, { mayKill: () => !isOver, isOver: () => isDrained });
  const readers = readFeeds(api, chains, () => isDrained);
  t.after(() => {
    isDrained = true;
  });
  const restart = sleep(seconds * 500).then(async () => {
    await postgres?.stop();
    postgres = await startEmbeddedPostgres({ dataDir: folder });
    assert.equal(postgres.url, url, 'the database has the same address after the restart');
  });
  const orders = produceOrders(db, chains, { writers: 16, pauseMs: 4, isOver: () => isOver });
  await sleep(seconds * 1000);
  // A busy machine needs more time to reach these numbers.
  const hasEnough = async () => (tally.kills >= minKills && (await countOrders()) >= minOrders) || undefined;
  await waitFor(200, `${minOrders} orders and ${minKills} kills`, hasEnough, 500);
  isOver = true;
  const source = await orders;
  await restart;
  receivers.revive();
  await drain(db);
  const committed = await listCommitted(db);
  isDrained = true;
  const [feeds] = await Promise.all([readers, workers]);

  t.diagnostic(
    `${source.orders} orders, ${committed.length} events, ${arrivals.length} arrivals, ${source.rolledBack.size} rolled back, ${tally.kills} workers killed`,
  );
  const open = await assertNothingLost(db, committed, arrivals);
  assert.equal(open, 0, 'once every receiver is healthy, nothing stays undelivered');
  assertOnlyCommitted(committed, arrivals, source.rolledBack);
  assertInOrder(committed, arrivals);
  assertFeedComplete(committed, feeds);
  await assertEventsMatchContract(db);
});

function environmentFor(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'warn',
    AISLE_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
  };
}

/** Keeps two workers running. While `mayKill` is true, the older one is killed and replaced every few seconds. */
async function keepWorkers(
  environment: Record<string, string>,
  tally: { kills: number },
  { mayKill, isOver }: { mayKill(): boolean; isOver(): boolean },
): Promise<void> {
  const ended = new Set<Run>();
  const start = () => {
    const run = launchProgram(['worker'], { ...environment, PORT: '0' });
    void run.ended.then(() => ended.add(run));
    return run;
  };
  const isUp = (run: Run) => run.stdout().includes('Aisle worker is running.');
  let running: Run[] = [start(), start()];
  for (let aliveMs = 0; !isOver(); aliveMs += 100) {
    await sleep(100);
    // A worker that was started while the database was down has exited, so it is replaced.
    running = running.map((run) => (ended.has(run) ? start() : run));
    if (!running.every(isUp)) aliveMs = 0;
    if (aliveMs < 2000 + Math.random() * 3000 || !mayKill()) continue;
    running.shift()?.kill('SIGKILL');
    running.push(start());
    tally.kills += 1;
  }
  for (const worker of running) worker.kill('SIGKILL');
}

/** Reads every chain's feed. Each reader keeps its cursor while the database fails and recovers. */
async function readFeeds(api: Program, chains: TestChain[], isOver: () => boolean): Promise<Map<string, string[]>> {
  const read = async (chain: TestChain): Promise<[string, string[]]> => {
    const client = clientOf(api, chain);
    const ids: string[] = [];
    let cursor = '0';
    for (let isLast = false; ; ) {
      const page = await client.listEvents({ query: { after: cursor, wait: 2, limit: 50 } }).catch(() => undefined);
      if (!page) {
        await sleep(200);
        continue;
      }
      cursor = page.next_cursor;
      ids.push(...page.events.map(({ event_id }) => event_id));
      if (isLast && page.events.length === 0) return [chain.chainId, ids];
      isLast = isOver();
    }
  };
  return new Map(await Promise.all(chains.map(read)));
}

/** Returns 0 while the database restarts. */
async function countOrders(): Promise<number> {
  const rows = await db?.query<{ count: number }>('select count(*)::int as count from orders').catch(() => []);
  return rows?.[0]?.count ?? 0;
}

/** Waits until nothing is pending. Scheduled retries are made due now, because the test runs for only a few minutes. */
async function drain(db: Database): Promise<void> {
  await waitFor(
    120,
    'every delivery to finish',
    async () => {
      await db.query('update delivery_lanes set due_at = now() where not is_leased and due_at > now()');
      const rows = await db.query<{ open: number }>(
        `select (select count(*) from events where position is null)::int
           + (select count(*) from deliveries where status in ('PENDING', 'FAILED'))::int as open`,
      );
      return rows[0]?.open === 0 || undefined;
    },
    500,
  );
}

/** The behaviors are assigned to the chains in rotation. */
function behaviorOf(index: number) {
  return recoverableBehaviors[index % recoverableBehaviors.length] ?? 'healthy';
}
