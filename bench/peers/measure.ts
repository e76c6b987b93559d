import { repeat } from '../support/client.ts';
import { median, percentile, thousands } from '../support/report.ts';
import { analyze } from './database.ts';
import { linesOf, minPrice, products, searchTerm, type Shop, updates } from './shop.ts';

export type Sizes = { products: number; requests: number; orderSeconds: number; orderClients: number };

export type Measured = {
  /** Variants per second until the response or, in Aisle, until the job is completed. */
  bulk: number;
  /** Seconds that it takes to bring the search index up to date after that. */
  settled: number;
  list: Latency;
  search: Latency;
  /** Orders per second. */
  order: number;
  orderLatency: Latency;
};

export type Latency = { p50: number; p99: number };

/** Rounds are repeated for this long, so that a fast program is not judged by a single short one. */
const bulkSeconds = 20;
const maxBulkRounds = 5;

/** Fills a shop and measures each operation. Nothing else runs at the same time. */
export async function measure(shop: Shop, sizes: Sizes): Promise<Measured> {
  console.log(`  creating ${thousands(sizes.products)} products …`);
  const seeding = await seconds(() => shop.seed(products(sizes.products)));
  console.log(`  created them in ${seeding.toFixed(1)} s; setting prices and stock …`);
  const { bulk, settled, lastRound } = await measureBulk(shop, sizes.products);
  const expect = (count: number) => ({ count: Math.min(20, count), minPrice: minPrice(lastRound) });
  const list = await measureReads(() => shop.list(), sizes.requests, expect(sizes.products));
  const milk = expect(Math.ceil(sizes.products / 100));
  const search = await measureReads(() => shop.search(searchTerm), sizes.requests, milk);
  console.log(`  list ${list.p50.toFixed(1)} ms, search ${search.p50.toFixed(1)} ms; placing orders …`);
  const { order, orderLatency } = await measureOrders(shop, sizes);
  console.log(`  ${order.toFixed(1)} orders/s.`);
  return { bulk, settled, list, search, order, orderLatency };
}

async function measureBulk(shop: Shop, count: number) {
  // The warm-up has a tenth of the products.
  await shop.setPricesAndStock(updates(count, 0).slice(0, Math.ceil(count / 10)));
  const times: number[] = [];
  const started = performance.now();
  for (let round = 1; round <= maxBulkRounds && performance.now() - started < bulkSeconds * 1000; round++) {
    const changes = updates(count, round);
    times.push(await seconds(() => shop.setPricesAndStock(changes)));
  }
  const bulk = count / median(times);
  const settled = await seconds(() => shop.settle());
  await analyze(shop.databaseUrl);
  console.log(
    `  price and stock: ${thousands(bulk)} variants/s in ${times.length} rounds; the search index took another ${settled.toFixed(1)} s; reading …`,
  );
  return { bulk, settled, lastRound: times.length };
}

/** One request after the other. Checks that the prices are those of the last bulk update. */
async function measureReads(
  read: () => Promise<number[]>,
  times: number,
  expected: { count: number; minPrice: number },
): Promise<Latency> {
  const values: number[] = [];
  for (let index = -10; index < times; index++) {
    const started = performance.now();
    const prices = await read();
    if (index >= 0) values.push(performance.now() - started);
    if (prices.length !== expected.count || prices.some((price) => !(price >= expected.minPrice))) {
      throw new Error(`Expected ${expected.count} prices from ${expected.minPrice}, got ${prices.join(', ')}.`);
    }
  }
  return latencyOf(values);
}

async function measureOrders(shop: Shop, sizes: Sizes): Promise<{ order: number; orderLatency: Latency }> {
  let number = 0;
  let latencies: number[] = [];
  const place = async (client: number) => {
    const started = performance.now();
    await shop.placeOrder(linesOf(number++, sizes.products), client);
    latencies.push(performance.now() - started);
  };
  await repeat(sizes.orderClients, sizes.orderSeconds / 4, place);
  latencies = [];
  const order = await repeat(sizes.orderClients, sizes.orderSeconds, place);
  return { order, orderLatency: latencyOf(latencies) };
}

function latencyOf(values: number[]): Latency {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99) };
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
