import { aisleBulk, bodyOf, waitForJob } from './catalog/bulk.ts';
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
      const preview = await measurePreview(aisle, fixture, vendor, body);
      const job = await aisleBulk(aisle.url, fixture, vendor, body);
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

async function measurePreview({ url }: Running, fixture: Fixture, vendor: string, body: Buffer): Promise<number> {
  const started = performance.now();
  await runJob(url, fixture, 'PUT', `/vendors/${vendor}/catalog?dry_run=true`, body);
  return performance.now() - started;
}

/** Reverts the newest job. */
async function measureRevert({ url }: Running, fixture: Fixture): Promise<number> {
  const headers = { authorization: `Bearer ${fixture.token}` };
  const response = await fetch(`${url}${fixture.base}/catalog/jobs?page_size=1`, { headers });
  const { jobs } = (await response.json()) as { jobs: { job_id: string }[] };
  const started = performance.now();
  await runJob(url, fixture, 'POST', `/catalog/jobs/${jobs[0]?.job_id}/revert`, Buffer.from('{}'));
  return performance.now() - started;
}

async function runJob(url: string, fixture: Fixture, method: string, path: string, body: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${fixture.base}${path}`, { method, headers, body });
  if (response.status !== 202)
    throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  const { job_id: jobId } = (await response.json()) as { job_id: string };
  await waitForJob(url, fixture, jobId);
}
