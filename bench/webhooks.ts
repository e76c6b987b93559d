import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordEvent } from '../server/src/events/index.ts';
import type { Database } from '../server/src/kernel/database/db.ts';
import { newId } from '../server/src/kernel/values/ids.ts';
import { aisleModule, type Running, startDatabase, startProcess } from './support/processes.ts';
import { median, ms, percentile, printTable, thousands } from './support/report.ts';
import { sendBare } from './webhooks/bare.ts';
import { body, type Chain, makeChain, writeEvents } from './webhooks/fixture.ts';

const total = Number(process.env['BENCH_EVENTS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const endpoints = 50;
const receiverModule = new URL('./webhooks/receiver.ts', import.meta.url);

type Bench = { db: Database; environment: Record<string, string>; receiver: Running; api: Running };

/** npm run bench webhooks: from commit to the receiver, and how many a second, against a bare HTTP client. */
export async function run(): Promise<void> {
  console.log(`Bench webhooks: ${thousands(total)} deliveries a round, ${rounds} rounds …`);
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

/** One event at a time on an idle system: from the end of COMMIT to the first byte at the receiver. */
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
  printTable('From COMMIT to the first byte at the receiver, idle, 200 events', [
    { p50: `${ms(percentile(times, 0.5))} ms`, p99: `${ms(percentile(times, 0.99))} ms`, wanted: 'p50 ≤ 30 ms' },
  ]);
}

async function recordOne(db: Database, { chainId, vendorId }: Chain): Promise<void> {
  await db.transaction((tx) =>
    recordEvent(tx, chainId, {
      type: 'order.received',
      vendorId,
      about: { orderId: newId() },
      body: JSON.parse(body) as unknown,
    }),
  );
}

async function benchThroughput(bench: Bench): Promise<void> {
  const hook = `${bench.receiver.url}/hook`;
  const living: Chain[] = [];
  for (let count = 0; count < endpoints; count++) living.push(await makeChain(bench.db, bench.api.url, hook));
  const dead: Chain[] = [];
  const deadUrls = [`${bench.receiver.url}/hang`, 'http://127.0.0.1:9/'];
  for (let count = 0; count < endpoints / 4; count++) {
    dead.push(await makeChain(bench.db, bench.api.url, String(deadUrls[count % 2])));
  }
  const each = Math.round(total / endpoints);
  const figures = { bare: [] as number[], ours: [] as number[], besideDead: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const one = {
      bare: await measure(bench, each * endpoints, () => sendBare(hook, body, each * endpoints)),
      ours: await measure(bench, each * endpoints, () => deliver(bench, living, [], each)),
      besideDead: await measure(bench, each * endpoints, () => deliver(bench, living, dead, each)),
    };
    if (round === 0) continue; // warm-up
    for (const key of ['bare', 'ours', 'besideDead'] as const) figures[key].push(one[key]);
    console.log(
      `  round ${round}: ${thousands(one.ours)}/s, bare client ${thousands(one.bare)}/s, beside dead ones ${thousands(one.besideDead)}/s`,
    );
  }
  const [bare, ours, besideDead] = [median(figures.bare), median(figures.ours), median(figures.besideDead)];
  printTable(`Deliveries a second to ${endpoints} endpoints on one receiver, one worker, median of ${rounds} rounds`, [
    {
      what: 'Aisle',
      'deliveries/s': thousands(ours),
      ratio: (ours / bare).toFixed(2),
      of: 'the bare client',
      wanted: '≥ 0.4',
    },
    { what: 'bare HTTP client, same bodies', 'deliveries/s': thousands(bare), ratio: '1.00', of: '', wanted: '' },
    {
      what: 'Aisle, one endpoint in five dead',
      'deliveries/s': thousands(besideDead),
      ratio: (besideDead / ours).toFixed(2),
      of: 'Aisle without dead ones',
      wanted: '≥ 0.9',
    },
  ]);
}

/** Messages a second, from the first that arrived to the last. */
async function measure({ receiver }: Bench, count: number, work: () => Promise<unknown>): Promise<number> {
  await fetch(`${receiver.url}/reset`, { method: 'POST' });
  const working = work();
  for (;;) {
    const stats = (await (await fetch(`${receiver.url}/stats`)).json()) as {
      count: number;
      first: number;
      last: number;
    };
    if (stats.count >= count) {
      await working;
      return (1000 * count) / (stats.last - stats.first);
    }
    await sleep(100);
  }
}

/** Everything is written before the worker starts; what the dead leave behind goes with the round. */
async function deliver(
  { db, environment, receiver }: Bench,
  living: Chain[],
  dead: Chain[],
  each: number,
): Promise<void> {
  await writeEvents(db, [...living, ...dead], each);
  const worker = await startProcess(aisleModule, ['worker'], environment);
  for (let count = 0; count < each * living.length; await sleep(100)) {
    ({ count } = (await (await fetch(`${receiver.url}/stats`)).json()) as { count: number });
  }
  worker.process.kill('SIGKILL');
  await db.query('truncate delivery_lanes, delivery_attempts, deliveries, events');
}
