import { aisle } from './peers/aisle.ts';
import { isInterrupted, stopAll, stopAllOnSignal } from './peers/cleanup.ts';
import { type Latency, measure, type Measured, type Sizes } from './peers/measure.ts';
import { medusa } from './peers/medusa.ts';
import type { Peer, Work } from './peers/shop.ts';
import { vendure } from './peers/vendure.ts';
import { ms, printTable, type Row, thousands } from './support/report.ts';

const sizes: Sizes = {
  products: Number(process.env['BENCH_PRODUCTS'] ?? 10_000),
  requests: Number(process.env['BENCH_REQUESTS'] ?? 200),
  orderSeconds: Number(process.env['BENCH_SECONDS'] ?? 20),
  orderClients: 8,
};
const peers: Peer[] = [aisle, medusa, vendure];
/** The names to run, separated by commas: BENCH_PEERS=aisle,vendure. */
const chosen = process.env['BENCH_PEERS']?.toLowerCase().split(',');

/**
 * npm run bench peers: the same work in Aisle, Medusa and Vendure over HTTP. Medusa and Vendure are installed in a
 * temporary folder. A program that cannot be installed or started is missing in the table, with the reason.
 */
export async function run(): Promise<void> {
  console.log(`Benchmark peers: ${thousands(sizes.products)} products, one program after the other …`);
  stopAllOnSignal();
  const results: Result[] = [];
  for (const peer of peers.filter(isChosen)) {
    console.log(`\n${peer.name}`);
    try {
      results.push({ peer, measured: await measure(await peer.start(), sizes) });
    } catch (error) {
      if (isInterrupted()) return;
      console.error(`  ${peer.name} is left out: ${messageOf(error)}`);
      process.exitCode = 1;
    } finally {
      await stopAll();
    }
  }
  if (results.length > 0) printTable('The same work over HTTP, a ratio below 1 is slower than Aisle', rowsOf(results));
}

/** With the cause, because the message of a failed request says only that it failed. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

type Result = { peer: Peer; measured: Measured };

function rowsOf(results: Result[]): Row[] {
  const baseline = results.find(({ peer }) => peer === aisle)?.measured;
  return works.flatMap(({ work, title, describe, compare }) =>
    results.map(({ peer, measured }) => ({
      Work: title,
      Program: peer.name,
      Result: describe(measured),
      Ratio: baseline ? compare(measured, baseline) : '',
      'What it does in that time': peer.notes[work],
    })),
  );
}

const isChosen = ({ name }: Peer): boolean => !chosen || chosen.some((one) => name.toLowerCase().startsWith(one));

const times = ({ p50, p99 }: Latency): string => `${ms(p50)} / ${ms(p99)} ms (p50 / p99)`;
const indexTime = (seconds: number): string =>
  seconds < 1 ? '' : `, then ${seconds.toFixed(0)} s for the search index`;

type Measurement = {
  work: Work;
  title: string;
  describe: (measured: Measured) => string;
  compare: (measured: Measured, baseline: Measured) => string;
};

const works: Measurement[] = [
  {
    work: 'bulk',
    title: `set price and stock of ${thousands(sizes.products)} variants`,
    describe: ({ bulk, settled }) => `${thousands(bulk)} variants/s${indexTime(settled)}`,
    compare: (one, baseline) => shareOf(one.bulk, baseline.bulk),
  },
  {
    work: 'list',
    title: 'list 20 products, one client',
    describe: ({ list }) => times(list),
    compare: (one, baseline) => shareOf(baseline.list.p50, one.list.p50),
  },
  {
    work: 'search',
    title: 'search, 20 results, one client',
    describe: ({ search }) => times(search),
    compare: (one, baseline) => shareOf(baseline.search.p50, one.search.p50),
  },
  {
    work: 'order',
    title: `place an order with four line items, ${sizes.orderClients} clients`,
    describe: ({ order, orderLatency }) => `${order.toFixed(1)} orders/s, ${times(orderLatency)}`,
    compare: (one, baseline) => shareOf(one.order, baseline.order),
  },
];

/** Two significant digits, because some ratios are below 0.01. */
function shareOf(value: number, baseline: number): string {
  return String(Number((value / baseline).toPrecision(2)));
}
