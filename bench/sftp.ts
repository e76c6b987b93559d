import { generateKeyPairSync } from 'node:crypto';
import { scopes } from '@aisle/contract/route';
import type { AisleClient } from '@aisle/sdk';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { clientOf } from '../e2e/support/client.ts';
import type { Database } from '../server/src/kernel/database/db.ts';
import { bodyOf } from './catalog/bulk.ts';
import { type Fixture, type Item, items, makeChain } from './catalog/fixture.ts';
import { peakMemory } from './catalog/latency.ts';
import { aisleModule, freePort, type Running, startDatabase, startProcess } from './support/processes.ts';
import { putPrepared } from './support/put-prepared.ts';
import { printTable, ratio, summarize, thousands } from './support/report.ts';

const rowCount = Number(process.env['BENCH_SFTP_ROWS'] ?? 400_000);
/** The maximum number of items in one request. */
const requestItems = 200_000;

/**
 * npm run bench sftp: compares uploading rows by SFTP with sending them through the API. Both are measured until the
 * job is COMPLETED. BENCH_SFTP_ROWS sets the number of rows.
 */
export async function run(): Promise<void> {
  console.log(`Benchmark sftp with ${thousands(rowCount)} rows (takes several minutes) …`);
  const database = await startDatabase();
  const sftpPort = await freePort();
  const aisle = await startProcess(aisleModule, ['all'], {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_DEMO: 'off',
    AISLE_SFTP_PORT: String(sftpPort),
    AISLE_SFTP_HOST_KEY: hostKey(),
  });
  try {
    const fixture = await makeChain(database.db, 2, rowCount, scopes);
    // A warm-up with a tenth of the rows, so that both are measured with compiled code and warm caches.
    const warmUp = items(Math.ceil(rowCount / 10), 1);
    await sendByApi(aisle, fixture, warmUp);
    await sendBySftp(aisle, fixture, sftpPort, 'warm-up.csv', warmUp);
    const idle = await peakMemory(aisle.url, async () => {});
    // In the order API, SFTP, SFTP, API, so that what slows down later measurements affects both alike.
    const times = { api: 0, sftp: 0 };
    let peak = 0;
    for (const [round, way] of (['api', 'sftp', 'sftp', 'api'] as const).entries()) {
      await cleanUp(database.db);
      const rows = items(rowCount, round + 2);
      const send = () =>
        way === 'api'
          ? sendByApi(aisle, fixture, rows)
          : sendBySftp(aisle, fixture, sftpPort, `bench-${round}.csv`, rows);
      const memory = await peakMemory(aisle.url, async () => void (times[way] += await send()));
      if (way === 'sftp') peak = Math.max(peak, memory);
    }
    summarize(
      `file of ${thousands(rowCount)} rows by SFTP, from the first byte to COMPLETED`,
      `${thousands((2 * rowCount * 1000) / times.sftp)} rows/s, ${Math.round(peak - idle)} MB more memory`,
      `the same rows through the API: ${thousands((2 * rowCount * 1000) / times.api)}/s`,
      ratio(times.api, times.sftp),
      '≥ 0.8',
    );
    printTable('Upload until COMPLETED', [
      {
        rows: thousands(rowCount),
        'SFTP (rows/s)': thousands((2 * rowCount * 1000) / times.sftp),
        'Baseline, the same rows through the API (rows/s)': thousands((2 * rowCount * 1000) / times.api),
        Ratio: ratio(times.api, times.sftp),
        Target: '≥ 0.8',
        'Peak memory above idle (MB)': Math.round(peak - idle),
        'Target (MB)': '< 300',
      },
    ]);
  } finally {
    await aisle.stop();
    await database.stop();
  }
}

/** Otherwise a measurement would pay for the dead rows and the unwritten pages of the previous one. */
async function cleanUp(db: Database): Promise<void> {
  await db.query('vacuum');
  await db.query('checkpoint');
}

function hostKey(): string {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' });
  return String(key).trim().replaceAll('\n', '\\n');
}

async function sendByApi({ url }: Running, fixture: Fixture, rows: Item[]): Promise<number> {
  const bodies: Buffer[] = [];
  for (let at = 0; at < rows.length; at += requestItems) {
    bodies.push(bodyOf(rows.slice(at, at + requestItems)));
  }
  const started = performance.now();
  const jobs: string[] = [];
  const path = `${url}${fixture.base}/vendors/${fixture.vendors[0]}/catalog`;
  for (const body of bodies) jobs.push(await putPrepared(path, fixture.token, body));
  const client = clientOf({ url }, fixture);
  for (const job of jobs) await client.waitForCatalogJob(job, { pollMs: 20 });
  return performance.now() - started;
}

async function sendBySftp(aisle: Running, fixture: Fixture, port: number, name: string, rows: Item[]): Promise<number> {
  const lines = rows.map(({ sku, price, quantity, active }) => `${sku},${price},${quantity},${active}\n`);
  const content = Buffer.from(`sku,price,quantity,active\n${lines.join('')}`);
  const api = clientOf(aisle, fixture);
  const { client, sftp } = await logIn(api, port);
  const started = performance.now();
  await upload(sftp, `/catalog/${fixture.vendors[1]}/${name}`, content);
  await api.waitForCatalogJob(await findJob(api, name), { pollMs: 20 });
  const elapsed = performance.now() - started;
  client.end();
  return elapsed;
}

async function logIn(api: AisleClient, port: number) {
  const { username, password } = await api.createSftpUser({ body: { name: 'bench' } });
  const client = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve).once('error', reject);
    client.connect({ host: '127.0.0.1', port, username, password: password ?? '' });
  });
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
  );
  return { client, sftp };
}

/** Keeps 64 writes in flight, as OpenSSH's client does. */
async function upload(sftp: SFTPWrapper, path: string, content: Buffer): Promise<void> {
  const handle = await new Promise<Buffer>((resolve, reject) =>
    sftp.open(path, 'w', (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  const piece = 31_000;
  const inFlight: Promise<void>[] = [];
  for (let at = 0; at < content.length; at += piece) {
    const bytes = content.subarray(at, at + piece);
    inFlight.push(
      new Promise((resolve, reject) =>
        sftp.write(handle, bytes, 0, bytes.length, at, (error) => (error ? reject(error) : resolve())),
      ),
    );
    if (inFlight.length >= 64) await inFlight.shift();
  }
  await Promise.all(inFlight);
  await new Promise<void>((resolve, reject) => sftp.close(handle, (error) => (error ? reject(error) : resolve())));
}

async function findJob(api: AisleClient, name: string): Promise<string> {
  const { files } = await api.listFiles({ query: { state: 'ACCEPTED' } });
  const job = files.find((file) => file.name === name)?.jobs[0];
  if (!job) throw new Error(`${name} has no job.`);
  return job.job_id;
}
