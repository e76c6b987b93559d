import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordEvent } from '../server/src/events/index.ts';
import type { Database } from '../server/src/kernel/database/db.ts';
import { newId } from '../server/src/kernel/values/ids.ts';
import { aisleModule, type Running, startDatabase, startProcess } from './support/processes.ts';
import { median, ms, percentile, printTable, ratio, summarize, thousands } from './support/report.ts';
import { measureArrivals } from './webhooks/arrivals.ts';
import { sendBare } from './webhooks/bare.ts';
import { body, type Chain, makeChain, order, writeEvents } from './webhooks/fixture.ts';

const total = Number(process.env['BENCH_EVENTS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const endpoints = 50;
const receiverModule = new URL('./webhooks/receiver.ts', import.meta.url);

type Bench = { db: Database; environment: Record<string, string>; receiver: Running; api: Running };

/** npm run bench webhooks: measures latency from commit to receiver, and throughput compared with a bare client. */
export async function run(): Promise<void> {
  console.log(`Benchmark webhooks: ${thousands(total)} deliveries per round, ${rounds} rounds …`);
  const database = await startDatabase();
  const environment = {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_DEMO: 'off',
    AISLE_SECRET_KEY: Buffer.alloc(32, 'b').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
  };
  const receiver = await startProcess(receiverModule, [], environment);
  const api = await startProcess(aisleModule, ['api'], environment);
  const bench = { db: database.db, environment, receiver, api };
  try {
    await benchLatency(bench);
    await benchThroughput(bench);
  } finally {
    await Promise.all([receiver.stop(), api.stop()]);
    await database.stop();
  }
}

/** Measures the time from COMMIT to the first byte at the receiver, for one event at a time on an idle system. */
async function benchLatency({ db, environment, api }: Bench): Promise<void> {
  const arrivals: (() => void)[] = [];
  const server = createServer((request, response) => {
    arrivals.shift()?.();
    request.resume();
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const chain = await makeChain(db, api.url, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const worker = await startProcess(aisleModule, ['worker'], environment);
  const times: number[] = [];
  for (let count = 0; count < 220; count++) {
    const arrived = new Promise<void>((resolve) => void arrivals.push(resolve));
    await recordOne(db, chain);
    const committed = performance.now();
    await arrived;
    if (count >= 20) times.push(performance.now() - committed);
    await sleep(20);
  }
  await worker.stop();
  server.closeAllConnections();
  server.close();
  summarize(
    'from COMMIT to the first byte at the webhook, idle, p50 / p99',
    `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.99))} ms`,
    '',
    '',
    'p50 ≤ 30 ms',
  );
  printTable('Time from COMMIT to the first byte at the receiver, idle system, 200 events', [
    { p50: `${ms(percentile(times, 0.5))} ms`, p99: `${ms(percentile(times, 0.99))} ms`, Target: 'p50 ≤ 30 ms' },
  ]);
}

async function recordOne(db: Database, { chainId, vendorId }: Chain): Promise<void> {
  await db.transaction((tx) =>
    recordEvent(tx, chainId, {
      type: 'order.received',
      vendorId,
      about: { orderId: newId() },
      body: order,
    }),
  );
}

async function benchThroughput(bench: Bench): Promise<void> {
  const hook = `${bench.receiver.url}/hook`;
  const healthy = await makeChains(bench, endpoints, [hook]);
  const down = await makeChains(bench, endpoints / 4, [`${bench.receiver.url}/hang`, 'http://127.0.0.1:9/']);
  const each = Math.round(total / endpoints);
  const rates = { bare: [] as number[], allUp: [] as number[], someDown: [] as number[] };
  const count = each * endpoints;
  const deliverBare = () => measureArrivals(bench.receiver, count, () => sendBare(hook, body, count));
  await deliverBare(); // A warm-up. Each worker has its own.
  for (let round = 1; round <= rounds; round++) {
    const one = {
      bare: await deliverBare(),
      allUp: await deliver(bench, healthy, [], each),
      someDown: await deliver(bench, healthy, down, each),
    };
    for (const key of ['bare', 'allUp', 'someDown'] as const) rates[key].push(one[key]);
    console.log(
      `  round ${round}: ${thousands(one.allUp)}/s, bare loop ${thousands(one.bare)}/s, one in five endpoints down ${thousands(one.someDown)}/s`,
    );
  }
  const [bare, allUp, someDown] = [median(rates.bare), median(rates.allUp), median(rates.someDown)];
  summarize(
    `webhook deliveries, one worker, ${endpoints} endpoints`,
    `${thousands(allUp)}/s`,
    `bare loop on the same HTTP client: ${thousands(bare)}/s`,
    ratio(allUp, bare),
    '≥ 0.5',
  );
  summarize(
    'the same, with one endpoint in five down',
    `${thousands(someDown)}/s`,
    `all endpoints up: ${thousands(allUp)}/s`,
    ratio(someDown, allUp),
    '≥ 0.9',
  );
  printTable(
    `Deliveries per second to ${endpoints} endpoints on one receiver, one worker, median of ${rounds} rounds`,
    [
      {
        Endpoints: 'all up',
        'Aisle (deliveries/s)': thousands(allUp),
        Baseline: 'bare loop on undici, same bodies',
        'Baseline (deliveries/s)': thousands(bare),
        Ratio: ratio(allUp, bare),
        Target: '≥ 0.5',
      },
      {
        Endpoints: 'one in five down',
        'Aisle (deliveries/s)': thousands(someDown),
        Baseline: 'Aisle, all up',
        'Baseline (deliveries/s)': thousands(allUp),
        Ratio: ratio(someDown, allUp),
        Target: '≥ 0.9',
      },
    ],
  );
}

/** Creates chains whose webhooks have these URLs in turn. */
async function makeChains({ db, api }: Bench, count: number, urls: string[]): Promise<Chain[]> {
  const made: Chain[] = [];
  for (let index = 0; index < count; index++)
    made.push(await makeChain(db, api.url, String(urls[index % urls.length])));
  return made;
}

/**
 * Commits all events at once, to a worker that has sent some already: like the baseline, it is compiled and connected.
 * Undelivered events are discarded at the end of the round.
 */
async function deliver(bench: Bench, healthy: Chain[], down: Chain[], each: number): Promise<number> {
  const { db, environment } = bench;
  const write = (chains: Chain[], count: number) => db.transaction((tx) => writeEvents(tx, chains, count));
  const worker = await startProcess(aisleModule, ['worker'], environment);
  const warmUp = Math.ceil(each / 4);
  await measureArrivals(bench.receiver, warmUp * healthy.length, () => write(healthy, warmUp));
  const rate = await measureArrivals(bench.receiver, each * healthy.length, () => write([...healthy, ...down], each));
  const stopped = new Promise((resolve) => worker.process.once('exit', resolve));
  worker.process.kill('SIGKILL');
  await stopped;
  await db.query('truncate delivery_lanes, delivery_attempts, deliveries, events');
  return rate;
}
