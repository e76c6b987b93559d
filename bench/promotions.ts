import type { Database } from '../server/src/kernel/database/db.ts';
import { type Fixture, makeChain } from './catalog/fixture.ts';
import { longestStall } from './catalog/latency.ts';
import { measureSearch } from './catalog/search.ts';
import { bareInserts, ourJob, promotionBody } from './promotions/job.ts';
import { measurePlacement } from './promotions/placement.ts';
import { aisleModule, type Running, startDatabase, startProcess } from './support/processes.ts';
import { median, ms, printTable, ratio, type Row, thousands } from './support/report.ts';

/** Stores and SKUs; their product is the number of pairs. BENCH_SKUS makes a small run of it. */
const vendors = 10;
const skus = Number(process.env['BENCH_SKUS'] ?? 100_000);
const pairs = thousands(vendors * skus);
/** BENCH_ONLY=reads leaves the job out, which takes most of the time. */
const isReadsOnly = process.env['BENCH_ONLY'] === 'reads';

/** npm run bench promotions: the job against bare inserts, and reading with and without a million running pairs. */
export async function run(): Promise<void> {
  console.log('Bench promotions: some minutes; everything below comes from this one run.');
  const database = await startDatabase();
  const aisle = await startProcess(aisleModule, ['all'], {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_DEMO: 'off',
  });
  try {
    if (!isReadsOnly) await benchJob(database.db, aisle, await makeChain(database.db, vendors, skus));
    const without = await makeChain(database.db, vendors, skus);
    const within = await makeChain(database.db, vendors, skus);
    await ourJob(aisle.url, within, promotionBody(within.vendors, skus, 0));
    await database.db.query('vacuum analyze promotion_offers');
    await benchList(database.db, aisle, without, within);
    await benchPlacement(database.db, aisle, without, within);
  } finally {
    await aisle.stop();
    await database.stop();
  }
}

async function benchJob(db: Database, { url }: Running, fixture: Fixture): Promise<void> {
  const bare: number[] = [];
  const named: number[] = [];
  const all: number[] = [];
  await longestStall(url);
  for (let round = 0; round < 3; round++) {
    const one = {
      bare: await bareInserts(db, fixture, skus),
      named: await ourJob(url, fixture, promotionBody(fixture.vendors, skus, round)),
      all: await ourJob(url, fixture, promotionBody('*', skus, round)),
    };
    // The first round warms up.
    if (round === 0) continue;
    bare.push(one.bare);
    named.push(one.named);
    all.push(one.all);
  }
  const row = (what: string, ours: number[]): Row => ({
    [`${pairs} pairs`]: what,
    'ours, HTTP to COMPLETED (ms)': ms(median(ours)),
    'bare inserts (ms)': ms(median(bare)),
    'ours (pairs/s)': thousands((1000 * vendors * skus) / median(ours)),
    'of the limit': ratio(median(bare), median(ours)),
    wanted: '≥ 0.5',
  });
  printTable('Promotion job, median of 2 rounds in turn', [
    row('stores named one by one', named),
    row('all stores (*)', all),
  ]);
  console.log(`\nLongest event-loop stall meanwhile: ${ms(await longestStall(url))} ms (wanted ≤ 100).`);
}

async function benchList(db: Database, { url }: Running, without: Fixture, within: Fixture): Promise<void> {
  const [bare, busy] = [await measureSearch(db, url, without, 300), await measureSearch(db, url, within, 300)];
  const row = (request: string, key: 'list' | 'search'): Row => ({
    request,
    'without promotions p50/p99 (ms)': `${ms(bare[key].p50)} / ${ms(bare[key].p99)}`,
    [`${pairs} running pairs p50/p99 (ms)`]: `${ms(busy[key].p50)} / ${ms(busy[key].p99)}`,
    'p50 ratio': ratio(busy[key].p50, bare[key].p50),
    wanted: '≤ 1.3',
  });
  printTable('Catalog of one store, page of 20', [row('list', 'list'), row('search', 'search')]);
}

async function benchPlacement(db: Database, { url }: Running, without: Fixture, within: Fixture): Promise<void> {
  const [bare, busy] = await measurePlacement(db, url, [without, within], skus);
  printTable('An order of four lines placed, one after the other', [
    {
      'without promotions p50/p99 (ms)': `${ms(bare.p50)} / ${ms(bare.p99)}`,
      [`${pairs} running pairs p50/p99 (ms)`]: `${ms(busy.p50)} / ${ms(busy.p99)}`,
      'p50 ratio': ratio(busy.p50, bare.p50),
      wanted: '≤ 1.3',
    },
  ]);
}
