import type { Database } from '../server/src/kernel/database/db.ts';
import { type Fixture, makeChain } from './catalog/fixture.ts';
import { longestStall } from './catalog/latency.ts';
import { measureSearch } from './catalog/search.ts';
import { bareInserts, aisleJob, promotionBody } from './promotions/job.ts';
import { measurePlacement } from './promotions/placement.ts';
import { type Running, startAisle, startDatabase } from './support/processes.ts';
import { median, ms, printTable, ratio, type Row, summarize, thousands } from './support/report.ts';

/** The promotion covers every combination of vendor and SKU. Set BENCH_SKUS for a smaller run. */
const vendors = 10;
const skus = Number(process.env['BENCH_SKUS'] ?? 100_000);
const pairs = thousands(vendors * skus);
/** BENCH_ONLY=reads skips the job, which takes most of the time. */
const isReadsOnly = process.env['BENCH_ONLY'] === 'reads';

/** npm run bench promotions: compares the job with bare inserts, and compares reads with and without a large promotion. */
export async function run(): Promise<void> {
  console.log('Benchmark promotions (takes several minutes) …');
  const database = await startDatabase();
  const aisle = await startAisle(database.url);
  try {
    const without = await makeChain(database.db, vendors, skus);
    const withPromotions = await makeChain(database.db, vendors, skus);
    if (!isReadsOnly) await benchJob(database.db, aisle, withPromotions);
    await database.db.query('truncate promotions, promotion_offers, promotion_changes cascade');
    await aisleJob(aisle.url, withPromotions, promotionBody(withPromotions.vendors, skus, 0));
    await database.db.query('vacuum analyze promotion_offers');
    await benchList(database.db, aisle, without, withPromotions);
    await benchPlacement(database.db, aisle, without, withPromotions);
  } finally {
    await aisle.stop();
    await database.stop();
  }
}

async function benchJob(db: Database, { url }: Running, fixture: Fixture): Promise<void> {
  const bare: number[] = [];
  const listed: number[] = [];
  await longestStall(url);
  for (let round = 0; round < 3; round++) {
    const one = {
      bare: await bareInserts(db, fixture, skus),
      listed: await aisleJob(url, fixture, promotionBody(fixture.vendors, skus, round)),
    };
    // The first round is a warm-up.
    if (round === 0) continue;
    bare.push(one.bare);
    listed.push(one.listed);
  }
  const all = [await aisleJob(url, fixture, promotionBody('*', skus, 2))];
  const row = (what: string, times: number[]): Row => ({
    [`${pairs} pairs`]: what,
    'Aisle, request to COMPLETED (ms)': ms(median(times)),
    'Baseline, bare inserts (ms)': ms(median(bare)),
    'Aisle (pairs/s)': thousands((1000 * vendors * skus) / median(times)),
    Ratio: ratio(median(bare), median(times)),
    Target: '≥ 0.5',
  });
  summarize(
    `promotion with ${pairs} SKU × store pairs, from request to COMPLETED`,
    `${(median(listed) / 1000).toFixed(1)} s`,
    `bare inserts: ${(median(bare) / 1000).toFixed(1)} s`,
    ratio(median(bare), median(listed)),
    '≥ 0.5',
  );
  printTable('Promotion job, median of 2 alternating rounds (all stores: 1 round)', [
    row('listed stores', listed),
    row('all stores (*)', all),
  ]);
  console.log(`\nLongest event-loop stall during the jobs: ${ms(await longestStall(url))} ms (target: ≤ 100).`);
}

async function benchList(db: Database, { url }: Running, without: Fixture, withPromotions: Fixture): Promise<void> {
  const [bare, busy] = [await measureSearch(db, url, without, 300), await measureSearch(db, url, withPromotions, 300)];
  const row = (request: string, key: 'list' | 'search'): Row => ({
    Request: request,
    [`Aisle, ${pairs} pairs on promotion, p50/p99 (ms)`]: `${ms(busy[key].p50)} / ${ms(busy[key].p99)}`,
    'Baseline, no promotions, p50/p99 (ms)': `${ms(bare[key].p50)} / ${ms(bare[key].p99)}`,
    'Ratio of p50': ratio(busy[key].p50, bare[key].p50),
    Target: '≤ 1.3',
  });
  summarize(
    `catalog list / search, with ${pairs} pairs on promotion`,
    `${ms(busy.list.p50)} / ${ms(busy.search.p50)} ms`,
    `without promotions: ${ms(bare.list.p50)} / ${ms(bare.search.p50)} ms`,
    `${ratio(busy.list.p50, bare.list.p50)} / ${ratio(busy.search.p50, bare.search.p50)}`,
    '≤ 1.3',
  );
  printTable('Catalog of one store, 20 products per page', [row('list', 'list'), row('search', 'search')]);
}

async function benchPlacement(
  db: Database,
  { url }: Running,
  without: Fixture,
  withPromotions: Fixture,
): Promise<void> {
  const [bare, busy] = await measurePlacement(db, url, [without, withPromotions], skus);
  summarize(
    `placing an order, with ${pairs} pairs on promotion`,
    `${ms(busy.p50)} ms`,
    `without promotions: ${ms(bare.p50)} ms`,
    ratio(busy.p50, bare.p50),
    '≤ 1.3',
  );
  printTable('Placing an order with four items, sequentially', [
    {
      [`Aisle, ${pairs} pairs on promotion, p50/p99 (ms)`]: `${ms(busy.p50)} / ${ms(busy.p99)}`,
      'Baseline, no promotions, p50/p99 (ms)': `${ms(bare.p50)} / ${ms(bare.p99)}`,
      'Ratio of p50': ratio(busy.p50, bare.p50),
      Target: '≤ 1.3',
    },
  ]);
}
