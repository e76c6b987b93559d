import { findOrder } from '../server/src/orders/queries.ts';
import { type Template, writeCycle } from './orders/bare.ts';
import { runCycle } from './orders/cycle.ts';
import { type Fixture, makeFixture } from './orders/fixture.ts';
import { fillOrders, measureReads, type Reads } from './orders/growth.ts';
import { createClient, repeat } from './support/client.ts';
import { aisleModule, startDatabase, startProcess } from './support/processes.ts';
import { median, ms, percentile, printTable, ratio, summarize, thousands } from './support/report.ts';

const width = 16;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const [few, many] = (process.env['BENCH_ORDERS'] ?? '10000,1000000').split(',').map(Number) as [number, number];

type Started = Awaited<ReturnType<typeof startDatabase>>;

/**
 * npm run bench orders: compares the full order cycle with the same writes in bare SQL, and measures how reads scale
 * with the number of orders.
 */
export async function run(): Promise<void> {
  const database = await startDatabase();
  const aisle = await startProcess(aisleModule, ['all'], {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'info',
  });
  const client = createClient(aisle.url, width);
  try {
    await benchCycle(database, client);
    await benchGrowth(database, client);
  } finally {
    client.close();
    await aisle.stop();
    await database.stop();
  }
}

async function benchCycle({ db }: Started, client: ReturnType<typeof createClient>): Promise<void> {
  console.log(
    `Benchmark orders: place and fulfil an order with four items, ${width} in parallel, ${rounds} rounds of 4 s each …`,
  );
  const fixture = await makeFixture(db, 10);
  const latencies = { place: [] as number[], fulfil: [] as number[] };
  await repeat(width, 3, () => runCycle(client, fixture, latencies));
  const template = await readTemplate(db, fixture);
  await repeat(width, 2, () => writeCycle(db, fixture, template));
  Object.assign(latencies, { place: [], fulfil: [] });
  const rates = { aisle: [] as number[], bare: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    const aisle = await repeat(width, 4, () => runCycle(client, fixture, latencies));
    const bare = await repeat(width, 4, () => writeCycle(db, fixture, template));
    rates.aisle.push(aisle);
    rates.bare.push(bare);
    console.log(
      `  round ${round}: Aisle ${thousands(aisle)} cycles/s, bare SQL ${thousands(bare)}/s, ratio ${ratio(aisle, bare)}`,
    );
  }
  const [aisle, bare] = [median(rates.aisle), median(rates.bare)];
  const times = (values: number[]) => `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.99))}`;
  summarize(
    `place and fulfil an order with four items, ${width} clients`,
    `${thousands(aisle)} cycles/s`,
    `the same writes as bare SQL in one transaction: ${thousands(bare)}/s`,
    ratio(aisle, bare),
    '≥ 0.7',
  );
  printTable('Place and fulfil an order over HTTP', [
    {
      'Aisle (cycles/s)': thousands(aisle),
      'Baseline, same writes with bare SQL in one transaction (cycles/s)': thousands(bare),
      Ratio: ratio(aisle, bare),
      Target: '≥ 0.7',
      'Place p50/p99 (ms)': times(latencies.place),
      'Fulfil p50/p99 (ms)': times(latencies.fulfil),
    },
  ]);
}

async function readTemplate(db: Started['db'], { chainId }: Fixture): Promise<Template> {
  const [one] = await db.query<{ order_id: string }>(
    'select order_id from orders where chain_id = $1 and revision = 2 limit 1',
    [chainId],
  );
  const fulfilled = await findOrder(db, chainId, one?.order_id ?? '');
  if (!fulfilled) throw new Error('No order was fulfilled.');
  return { fulfilled, placed: { ...fulfilled, status: 'RECEIVED', revision: 1, fulfilment: null } };
}

async function benchGrowth({ db }: Started, client: ReturnType<typeof createClient>): Promise<void> {
  console.log(`\nReads with ${thousands(few)} and ${thousands(many)} orders in 100 stores, spread over 59 days …`);
  const fixture = await makeFixture(db, 100);
  await runCycle(client, fixture, { place: [], fulfil: [] });
  await fillOrders(db, fixture, few);
  const before = await measureReads(client, db, fixture);
  await fillOrders(db, fixture, many);
  const after = await measureReads(client, db, fixture);
  for (const [what, key] of [
    ['GET one order', 'get'],
    ['list 20 orders', 'list'],
  ] as const) {
    summarize(
      `${what}, ${thousands(many)} orders in 100 stores`,
      `${after[key].toFixed(2)} ms`,
      `${thousands(few)} orders: ${before[key].toFixed(2)} ms`,
      ratio(after[key], before[key]),
      '≤ 1.2',
    );
  }
  const row = (request: string, key: keyof Reads) => ({
    Request: request,
    [`Aisle, ${thousands(many)} orders (ms)`]: after[key].toFixed(2),
    [`Baseline, ${thousands(few)} orders (ms)`]: before[key].toFixed(2),
    Ratio: ratio(after[key], before[key]),
    Target: '≤ 1.2',
  });
  printTable('Sequential requests, median of 350', [row('GET one order', 'get'), row('list 20 orders', 'list')]);
}
