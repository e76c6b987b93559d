import { clientOf } from '../e2e/support/client.ts';
import { aisleBulk, bodyOf } from './catalog/bulk.ts';
import { type Fixture, items, makeChain } from './catalog/fixture.ts';
import { type Running, startAisle, startDatabase } from './support/processes.ts';
import { median, ms, printTable, ratio, type Row, summarize } from './support/report.ts';

const rowCount = 100_000;
const rounds = 5;

/** npm run bench preview: compares a preview and a revert with the job itself, each from request to COMPLETED. */
export async function run(): Promise<void> {
  console.log('Benchmark preview (takes a minute) …');
  const database = await startDatabase();
  const aisle = await startAisle(database.url);
  try {
    const fixture = await makeChain(database.db, 1, rowCount);
    const times: Record<'preview' | 'job' | 'revert', number[]> = { preview: [], job: [], revert: [] };
    for (let round = 0; round < rounds; round++) {
      const body = bodyOf(items(rowCount, round));
      const [vendor = ''] = fixture.vendors;
      const preview = await aisleBulk(database.db, aisle.url, fixture, vendor, body, { query: '?dry_run=true' });
      const job = await aisleBulk(database.db, aisle.url, fixture, vendor, body);
      const revert = await measureRevert(aisle, fixture);
      // The first round is a warm-up.
      if (round === 0) continue;
      times.preview.push(preview);
      times.job.push(job);
      times.revert.push(revert);
    }
    const row = (what: string, of: number[], target: string): Row => ({
      '100,000 rows, all changed': what,
      'Aisle, request to COMPLETED (ms)': ms(median(of)),
      'Baseline, the job itself (ms)': ms(median(times.job)),
      'Times the job': ratio(median(of), median(times.job)),
      Target: target,
    });
    for (const [what, of, target] of [
      ['preview', times.preview, '≤ 1.5'],
      ['revert', times.revert, ''],
    ] as const) {
      summarize(
        `${what} of 100,000 rows`,
        `${(median(of) / 1000).toFixed(2)} s`,
        `the job itself: ${(median(times.job) / 1000).toFixed(2)} s`,
        ratio(median(of), median(times.job)),
        target,
      );
    }
    printTable(`Preview and revert, median of ${rounds - 1} alternating rounds`, [
      row('preview', times.preview, '≤ 1.5'),
      row('revert', times.revert, '–'),
    ]);
  } finally {
    await aisle.stop();
    await database.stop();
  }
}

/** Reverts the newest job. */
async function measureRevert(aisle: Running, fixture: Fixture): Promise<number> {
  const client = clientOf(aisle, fixture);
  const { jobs } = await client.listCatalogJobs({ query: { page_size: 1 } });
  const started = performance.now();
  await client.revertCatalogJob({ params: { job_id: String(jobs[0]?.job_id) } }).finished({ pollMs: 20 });
  return performance.now() - started;
}
