import { aisleBulk, bodyOf } from './catalog/bulk.ts';
import { items, makeChain as makeCatalog } from './catalog/fixture.ts';
import { type BenchDatabase, createDatabase } from './cluster/databases.ts';
import { runCycle } from './orders/cycle.ts';
import { makeFixture } from './orders/fixture.ts';
import { createClient, repeat } from './support/client.ts';
import { aisleModule, type Running, startProcess } from './support/processes.ts';
import { median, printTable, ratio, type Row, thousands } from './support/report.ts';
import { measureArrivals } from './webhooks/arrivals.ts';
import { makeChain, writeEvents } from './webhooks/fixture.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const bulkItems = Number(process.env['BENCH_ITEMS'] ?? 100_000);
const events = Number(process.env['BENCH_EVENTS'] ?? 8000);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const chains = 8;
const width = 16;

/** Aisle in one process on a database: on the cluster, or on the coordinator's server without distributing it. */
type Side = BenchDatabase & { aisle: Running };
/** Returns operations per second. */
type Measure = () => Promise<number>;
type Prepare = (side: Side) => Promise<Measure>;

/**
 * npm run bench cluster: compares a Citus cluster with a database that is not distributed, on the server of its
 * coordinator. DATABASE_URL is the coordinator, and AISLE_TEST_WORKERS has the URLs of the workers, separated by commas.
 */
export async function run(): Promise<void> {
  const { DATABASE_URL: coordinator, AISLE_TEST_WORKERS: workers } = process.env;
  if (!coordinator || !workers) {
    throw new Error('Set DATABASE_URL to the coordinator and AISLE_TEST_WORKERS to the URLs of the workers.');
  }
  console.log(`Benchmark cluster: ${chains} chains, ${rounds} alternating rounds …`);
  const receiver = await startProcess(new URL('./webhooks/receiver.ts', import.meta.url), [], {});
  const sides: Side[] = [];
  try {
    for (const servers of [[coordinator], [coordinator, ...workers.split(',')]]) sides.push(await startSide(servers));
    const [plain, cluster] = sides as [Side, Side];
    const compareOn = (what: string, target: string, prepare: Prepare) =>
      compare(what, target, prepare, plain, cluster);
    printTable(`Operations per second, median of ${rounds} rounds`, [
      await compareOn('orders, placed and fulfilled', '≥ 0.6', prepareOrders),
      await compareOn('bulk items, all changed', '≥ 0.7', prepareBulk),
      await compareOn('webhook deliveries', '≥ 0.6', (side) => prepareWebhooks(side, receiver)),
    ]);
  } finally {
    for (const { aisle, drop } of sides) {
      await aisle.stop();
      await drop();
    }
    await receiver.stop();
  }
}

async function startSide(servers: string[]): Promise<Side> {
  const database = await createDatabase(servers);
  const aisle = await startProcess(aisleModule, ['all'], {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_DEMO: 'off',
    AISLE_SECRET_KEY: Buffer.alloc(32, 'b').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
  });
  return { ...database, aisle };
}

/** The first round is a warm-up. */
async function compare(what: string, target: string, prepare: Prepare, plain: Side, cluster: Side): Promise<Row> {
  const measure = { plain: await prepare(plain), cluster: await prepare(cluster) };
  const rates = { plain: [] as number[], cluster: [] as number[] };
  for (const { settle } of [plain, cluster]) await settle();
  for (let round = 0; round <= rounds; round++) {
    const one = { plain: await measure.plain(), cluster: await measure.cluster() };
    console.log(`  ${what}, round ${round}: cluster ${thousands(one.cluster)}/s, plain ${thousands(one.plain)}/s`);
    if (round === 0) continue;
    rates.plain.push(one.plain);
    rates.cluster.push(one.cluster);
  }
  return {
    Operation: what,
    'Cluster (per s)': thousands(median(rates.cluster)),
    'Baseline, not distributed (per s)': thousands(median(rates.plain)),
    Ratio: ratio(median(rates.cluster), median(rates.plain)),
    Target: target,
  };
}

async function prepareOrders({ db, aisle }: Side): Promise<Measure> {
  const fixtures = await Promise.all(Array.from({ length: chains }, () => makeFixture(db, 2)));
  return async () => {
    const client = createClient(aisle.url, width);
    const runOne = async (worker: number) => {
      const fixture = fixtures[worker % chains];
      if (fixture) await runCycle(client, fixture, { place: [], fulfil: [] });
    };
    return repeat(width, seconds, runOne).finally(client.close);
  };
}

/** Each chain sends a part of the items, all at the same time. */
async function prepareBulk({ db, aisle }: Side): Promise<Measure> {
  const count = Math.ceil(bulkItems / chains);
  const fixtures = await Promise.all(Array.from({ length: chains }, () => makeCatalog(db, 1, count)));
  let round = 0;
  // Reading the status of eight jobs a hundred times a second would take a tenth of the cluster's time.
  const every = 25;
  let atLeastMs = 0;
  return async () => {
    round += 1;
    const body = bodyOf(items(count, round));
    const started = performance.now();
    await Promise.all(
      fixtures.map((fixture) =>
        aisleBulk(db, aisle.url, fixture, fixture.vendors[0] ?? '', body, { atLeastMs, every }),
      ),
    );
    const elapsed = performance.now() - started;
    atLeastMs = 0.7 * elapsed;
    return (1000 * count * chains) / elapsed;
  };
}

async function prepareWebhooks({ db, aisle }: Side, receiver: Running): Promise<Measure> {
  const each = Math.ceil(events / chains);
  const made = await Promise.all(
    Array.from({ length: chains }, () => makeChain(db, aisle.url, `${receiver.url}/hook`)),
  );
  return () => measureArrivals(receiver, each * chains, () => writeEvents(db, made, each));
}
