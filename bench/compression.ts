import { get } from 'node:http';
import { makeChain, type Fixture } from './catalog/fixture.ts';
import { aisleExport } from './catalog/export.ts';
import { load } from './support/load.ts';
import { startAisle, startDatabase } from './support/processes.ts';
import { median, printTable, ratio, type Row, summarize, thousands } from './support/report.ts';

/**
 * npm run bench compression: measures the throughput and size of responses with each encoding. The baseline is the same
 * request without compression, in the same round. The client does not decompress the responses and runs on the same
 * machine. On a real network, compression costs less than shown, because fewer bytes also arrive sooner.
 */
export async function run(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 1);
  console.log(`Benchmark compression: ${rounds} alternating rounds of ${seconds} s per encoding …`);
  const database = await startDatabase();
  const aisle = await startAisle(database.url);
  try {
    const fixture = await makeChain(database.db, 1, 20_000);
    const { jobId } = await aisleExport(aisle.url, fixture, fixture.vendors[0] ?? '');
    const catalog = `${aisle.url}${fixture.base}/vendors/${fixture.vendors[0]}/catalog`;
    const file = `${aisle.url}${fixture.base}/catalog/jobs/${jobId}/download`;
    await compare('a page of 20 products', `${catalog}?page_size=20`, fixture, seconds);
    await compare('a page of 500 products', `${catalog}?page_size=500`, fixture, seconds);
    await compare('an export of 20,000 rows as CSV, stored as gzip', file, fixture, seconds);
  } finally {
    await aisle.stop();
    await database.stop();
  }
}

const rounds = 3;
const encodings = ['identity', 'gzip', 'br', 'zstd'];

async function compare(what: string, url: string, { token }: Fixture, seconds: number): Promise<void> {
  const headersFor = (encoding: string) => ({ authorization: `Bearer ${token}`, 'accept-encoding': encoding });
  const rates = new Map(encodings.map((encoding) => [encoding, [] as number[]]));
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const encoding of encodings) {
      const rate = await load(url, headersFor(encoding), round === 0 ? 1 : seconds);
      if (round > 0) rates.get(encoding)?.push(rate);
    }
  }
  const baseline = { rate: median(rates.get('identity') ?? []), bytes: await bytesOf(url, headersFor('identity')) };
  const rows: Row[] = [];
  for (const encoding of encodings.slice(1)) {
    const rate = median(rates.get(encoding) ?? []);
    const bytes = await bytesOf(url, headersFor(encoding));
    rows.push({
      Encoding: encoding,
      'Aisle (requests/s)': thousands(rate),
      'Baseline, not compressed (requests/s)': thousands(baseline.rate),
      Ratio: ratio(rate, baseline.rate),
      Bytes: thousands(bytes),
      'Baseline (bytes)': thousands(baseline.bytes),
      'Size ratio': ratio(bytes, baseline.bytes),
    });
  }
  if (what === 'a page of 500 products') {
    summarize(
      `page of 500 products, compressed with ${encodings.slice(1).join(' / ')}`,
      `${rows.map((row) => row['Aisle (requests/s)']).join(' / ')} requests/s`,
      `not compressed: ${thousands(baseline.rate)}/s`,
      rows.map((row) => row['Ratio']).join(' / '),
    );
  }
  printTable(`GET ${what}, 16 connections, median of ${rounds} rounds`, rows);
}

/** Returns the size of the response body as sent. */
function bytesOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
    });
    request.on('error', reject);
  });
}
