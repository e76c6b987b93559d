import type { Database } from '../server/src/kernel/database/db.ts';
import { bareBulk, bodyOf, aisleBulk } from './catalog/bulk.ts';
import { bareExport, download, aisleExport } from './catalog/export.ts';
import { type Fixture, items, makeChain, skuOf } from './catalog/fixture.ts';
import { describe, longestStall, measureOthers, peakMemory } from './catalog/latency.ts';
import { measureSearch } from './catalog/search.ts';
import { loadWrites } from './support/load.ts';
import { type Running, startAisle, startDatabase, startProcess } from './support/processes.ts';
import { putPrepared } from './support/put-prepared.ts';
import { median, ms, printTable, ratio, type Row, summarize, thousands } from './support/report.ts';

const bareModule = new URL('./catalog/bulk-bare.ts', import.meta.url);

/** npm run bench catalog: compares the catalog with bare SQL, on a separate server and database. */
export async function run(): Promise<void> {
  console.log('Benchmark catalog (takes several minutes) …');
  const database = await startDatabase();
  const aisle = await startAisle(database.url);
  const bare = await startProcess(bareModule, [], { DATABASE_URL: database.url });
  try {
    const fixture = await makeChain(database.db, 3, 100_000);
    await benchBulk(database.db, aisle, bare, fixture);
    // A database that has been in use for longer reuses its WAL files. A commit that creates one takes 10 to 30 ms more.
    await database.db.query('checkpoint');
    await benchOthers(database.db, aisle, fixture);
    await benchSingles(database.db, aisle, fixture);
    await benchExport(database.db, aisle);
    await benchSearch(database.db, aisle);
    await benchLargeBody(aisle, fixture);
  } finally {
    await Promise.all([aisle.stop(), bare.stop()]);
    await database.stop();
  }
}

async function benchBulk(db: Database, { url }: Running, bare: Running, fixture: Fixture): Promise<void> {
  const [bareVendor = '', aisleVendor = ''] = fixture.vendors;
  const rows: Row[] = [];
  for (const [what, changedEvery] of [
    ['all changed', 1],
    ['90% unchanged', 10],
  ] as const) {
    const bareTimes: number[] = [];
    const aisleTimes: number[] = [];
    for (let round = 0; round < 6; round++) {
      const sent = bodyOf(items(100_000, round + changedEvery * 10, changedEvery));
      const one = {
        bare: await bareBulk(bare.url, fixture, bareVendor, sent),
        aisle: await aisleBulk(db, url, fixture, aisleVendor, sent),
      };
      // The first two rounds are a warm-up. They also set the price that unchanged items keep.
      if (round < 2) continue;
      bareTimes.push(one.bare);
      aisleTimes.push(one.aisle);
    }
    const target = changedEvery === 1 ? '≥ 0.8' : '≥ 0.7';
    summarize(
      `100,000 items, ${what}, from request to COMPLETED`,
      `${(median(aisleTimes) / 1000).toFixed(2)} s`,
      `bare server that stores the body, COPY + UPDATE: ${(median(bareTimes) / 1000).toFixed(2)} s`,
      ratio(median(bareTimes), median(aisleTimes)),
      target,
    );
    rows.push({
      '100,000 items': what,
      'Aisle, request to COMPLETED (ms)': ms(median(aisleTimes)),
      'Baseline, bare server, COPY + UPDATE (ms)': ms(median(bareTimes)),
      'Aisle (items/s)': thousands(100_000_000 / median(aisleTimes)),
      Ratio: ratio(median(bareTimes), median(aisleTimes)),
      Target: target,
    });
  }
  printTable('Bulk update, median of 4 alternating rounds', rows);
}

async function benchOthers(db: Database, { url }: Running, fixture: Fixture): Promise<void> {
  const [, bulkVendor = '', otherVendor = ''] = fixture.vendors;
  // Created in advance, so that creating them does not affect the measurement.
  const bodies = [0, 1, 2, 3, 4, 5].map((round) => bodyOf(items(100_000, round + 500)));
  const idleUntil = performance.now() + 8000;
  await longestStall(url);
  const idle = await measureOthers(url, fixture, otherVendor, () => performance.now() > idleUntil);
  const idleStall = await longestStall(url);
  let isOver = false;
  const bulk = (async () => {
    for (const body of bodies) await aisleBulk(db, url, fixture, bulkVendor, body);
    isOver = true;
  })();
  const busy = await measureOthers(url, fixture, otherVendor, () => isOver);
  await bulk;
  const busyStall = await longestStall(url);
  const p99 = (values: number[]) => describe(values).p99;
  summarize(
    'p99 of a read / a single update during bulk updates',
    `${ms(p99(busy.read))} / ${ms(p99(busy.single))} ms`,
    `idle: ${ms(p99(idle.read))} / ${ms(p99(idle.single))} ms`,
    `${ratio(p99(busy.read), p99(idle.read))} / ${ratio(p99(busy.single), p99(idle.single))}`,
    '≤ 2',
  );
  const row = (what: string, a: number[], b: number[]): Row => ({
    Request: what,
    'Baseline, idle p50/p99 (ms)': `${ms(describe(a).p50)} / ${ms(describe(a).p99)}`,
    'Aisle, during bulk p50/p99 (ms)': `${ms(describe(b).p50)} / ${ms(describe(b).p99)}`,
    'p99 ratio': ratio(describe(b).p99, describe(a).p99),
    Target: '≤ 2',
  });
  printTable('Other requests during back-to-back bulk updates', [
    row('GET jobs', idle.read, busy.read),
    row('single update', idle.single, busy.single),
    {
      Request: 'longest event-loop stall (ms)',
      'Baseline, idle p50/p99 (ms)': ms(idleStall),
      'Aisle, during bulk p50/p99 (ms)': ms(busyStall),
      'p99 ratio': '',
      Target: '≤ 100',
    },
  ]);
}

async function benchSingles(db: Database, { url }: Running, fixture: Fixture): Promise<void> {
  const rows: Row[] = [];
  for (const [width, target] of [
    [16, '≥ 0.5'],
    [64, '≥ 0.8'],
  ] as const) {
    const rates = { bare: [] as number[], aisle: [] as number[] };
    for (let round = 0; round < 4; round++) {
      const bare = await rateOfBareUpdates(db, fixture, width);
      const aisle = await rateOfUpdates(url, fixture, width);
      // The first round is a warm-up.
      if (round === 0) continue;
      rates.bare.push(bare);
      rates.aisle.push(aisle);
    }
    const [bare, aisle] = [median(rates.bare), median(rates.aisle)];
    summarize(
      `single updates over HTTP, ${width} clients`,
      `${thousands(aisle)}/s`,
      `bare one-row UPDATE: ${thousands(bare)}/s`,
      ratio(aisle, bare),
      target,
    );
    rows.push({
      Clients: String(width),
      'Aisle, over HTTP (updates/s)': thousands(aisle),
      'Baseline, bare one-row UPDATE with the same driver (updates/s)': thousands(bare),
      Ratio: ratio(aisle, bare),
      Target: target,
    });
  }
  printTable('Single updates, median of 3 alternating rounds', rows);
}

const secondsPerRate = 3;

async function rateOfBareUpdates(db: Database, { chainId, vendors }: Fixture, width: number): Promise<number> {
  const until = performance.now() + secondsPerRate * 1000;
  let count = 0;
  const update = async (start: number) => {
    for (let index = start; performance.now() < until; index += width) {
      await db.query(
        'update offers set price = $4, updated_at = now() where chain_id = $1 and vendor_id = $2 and sku = $3',
        [chainId, vendors[0], skuOf(index % 100_000), 2 + (count % 100) / 100],
      );
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, (_, start) => update(start)));
  return count / secondsPerRate;
}

function rateOfUpdates(url: string, { base, token, vendors }: Fixture, width: number): Promise<number> {
  let index = 0;
  const next = () => {
    index += 1;
    return { products: [{ sku: skuOf(index % 100_000), price: 2 + (index % 100) / 100 }] };
  };
  return loadWrites(`${url}${base}/vendors/${vendors[1]}/catalog`, token, secondsPerRate, next, width);
}

async function benchExport(db: Database, { url }: Running): Promise<void> {
  const rows: Row[] = [];
  for (const size of [50_000, 200_000]) {
    const fixture = await makeChain(db, 1, size);
    const [vendor = ''] = fixture.vendors;
    const bareTimes: number[] = [];
    const aisleTimes: number[] = [];
    let bytes = 0;
    const peak = await peakMemory(url, async () => {
      for (let round = 0; round < 4; round++) {
        bareTimes.push(await bareExport(db, fixture, vendor));
        const { ms: took, jobId } = await aisleExport(url, fixture, vendor);
        aisleTimes.push(took);
        bytes = await download(url, fixture, jobId);
      }
    });
    if (size === 200_000) {
      summarize(
        `export of ${thousands(size)} offers`,
        `${(median(aisleTimes) / 1000).toFixed(2)} s`,
        `bare COPY TO: ${(median(bareTimes) / 1000).toFixed(2)} s`,
        ratio(median(bareTimes), median(aisleTimes)),
        '≥ 0.5',
      );
    }
    rows.push({
      Offers: thousands(size),
      'Aisle, POST to COMPLETED (ms)': ms(median(aisleTimes)),
      'Baseline, bare COPY TO (ms)': ms(median(bareTimes)),
      Ratio: ratio(median(bareTimes), median(aisleTimes)),
      Target: '≥ 0.5',
      'File (MB)': (bytes / 1e6).toFixed(1),
      'Peak memory, export and download (MB)': peak.toFixed(0),
    });
  }
  printTable('Export, median of 4 alternating rounds', rows);
}

async function benchSearch(db: Database, { url }: Running): Promise<void> {
  const rows: Row[] = [];
  const sizes = [
    [1, 10_000],
    [30, 10_000],
    [1, 200_000],
  ] as const;
  let first: { list: number; search: number } | undefined;
  for (const [vendors, products] of sizes) {
    console.log(`  creating ${thousands(vendors * products)} offers …`);
    const fixture = await makeChain(db, vendors, products);
    const found = await measureSearch(db, url, fixture, 200);
    first ??= { list: found.list.p50, search: found.search.p50 };
    if (products > 10_000) {
      summarize(
        `list / search in one store of ${thousands(products)} products`,
        `${ms(found.list.p50)} / ${ms(found.search.p50)} ms`,
        `store of 10,000: ${ms(first.list)} / ${ms(first.search)} ms`,
        `${ratio(found.list.p50, first.list)} / ${ratio(found.search.p50, first.search)}`,
        '≤ 2',
      );
    }
    const cell = (one: { p50: number; p99: number }) => `${ms(one.p50)} / ${ms(one.p99)}`;
    rows.push({
      Offers: `${thousands(vendors * products)} (${vendors} × ${thousands(products)})`,
      'List p50/p99 (ms)': cell(found.list),
      'List, bare SQL': cell(found.bareList),
      'Search p50/p99 (ms)': cell(found.search),
      'Search, bare SQL': cell(found.bareSearch),
      'List / search, relative to 10,000 offers': `${ratio(found.list.p50, first.list)} / ${ratio(found.search.p50, first.search)}`,
    });
  }
  printTable(
    'List and search in one store (target: ≤ 2 × the store with 10,000 offers). The last row is a single very large store.',
    rows,
  );
}

async function benchLargeBody({ url }: Running, fixture: Fixture): Promise<void> {
  const [, vendor = ''] = fixture.vendors;
  const padding = 'x'.repeat(230);
  const products = items(200_000, 900).map((item) => ({ ...item, comment: padding }));
  const body = Buffer.from(JSON.stringify({ products }));
  const before = await peakMemory(url, async () => {});
  await longestStall(url);
  const peak = await peakMemory(url, async () => {
    await putPrepared(`${url}${fixture.base}/vendors/${vendor}/catalog`, fixture.token, body);
  });
  printTable('A large PUT', [
    {
      'Body (MiB)': (body.length / 1024 / 1024).toFixed(0),
      Items: thousands(products.length),
      'Memory before (MB)': before.toFixed(0),
      'Peak memory (MB)': peak.toFixed(0),
      'Longest event-loop stall (ms)': ms(await longestStall(url)),
    },
  ]);
}
