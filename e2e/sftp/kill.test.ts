import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeChain, type TestChain } from '../../server/test/support/chain.ts';
import { cloneDatabase, type TestDatabase } from '../../server/test/support/database.ts';
import { connectSftp, hostKey, type SftpClient, type SftpLogin } from '../../server/test/support/sftp.ts';
import { clientOf } from '../support/client.ts';
import { freePort, type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';

/**
 * The SFTP server, or the process that applies the files, is killed at ten points during an upload. Afterwards, every
 * file whose close or rename was acknowledged has been applied exactly once, and no file that was never closed or
 * renamed has been applied.
 */
type Outcome = 'accepted' | 'unfinished' | 'either';
type Point = {
  name: string;
  /** Kills the worker instead of the SFTP server. */
  killsWorker?: true;
  expected: Outcome;
  upload(sftp: SftpClient, path: string, csv: Buffer): Promise<unknown>;
};

const rows = 20_000;
const piece = 30_000;

const points: Point[] = [
  { name: 'after the file was opened', expected: 'unfinished', upload: (sftp, path) => sftp.open(path, 'w') },
  {
    name: 'while the file is written',
    expected: 'unfinished',
    upload: (sftp, path, csv) => write(sftp, path, csv.subarray(0, csv.length / 2)),
  },
  { name: 'before the file is closed', expected: 'unfinished', upload: write },
  {
    name: 'while the file is closed',
    expected: 'either',
    upload: async (sftp, path, csv) => void sftp.close(await write(sftp, path, csv)).catch(() => {}),
  },
  { name: 'after the close was acknowledged', expected: 'accepted', upload: (sftp, path, csv) => put(sftp, path, csv) },
  {
    name: 'before a temporary name is changed',
    expected: 'unfinished',
    upload: (sftp, path, csv) => put(sftp, `${path}.part`, csv),
  },
  {
    name: 'during the rename',
    expected: 'either',
    upload: async (sftp, path, csv) => {
      await put(sftp, `${path}.tmp`, csv);
      void sftp.rename(`${path}.tmp`, path).catch(() => {});
    },
  },
  {
    name: 'after the rename was acknowledged',
    expected: 'accepted',
    upload: async (sftp, path, csv) => {
      await put(sftp, `${path}.filepart`, csv);
      await sftp.rename(`${path}.filepart`, path);
    },
  },
  {
    name: 'while the file is processed',
    killsWorker: true,
    expected: 'accepted',
    upload: async (sftp, path, csv) => {
      await put(sftp, path, csv);
      await waitForProgress();
    },
  },
  {
    name: 'while an upload is resumed',
    expected: 'unfinished',
    upload: async (sftp, path, csv) => {
      await write(sftp, path, csv.subarray(0, 300_000));
      const handle = await sftp.open(path, 'r+');
      const { size } = await sftp.fstat(handle);
      await sftp.write(handle, csv.subarray(size, size + piece), size);
    },
  },
];

let database: TestDatabase;
let chain: TestChain;
let login: SftpLogin;
let server: Program;
let worker: Program;
let sftpPort: string;

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database, { vendors: 1 });
  await database.db.query(
    `with p as (insert into products (chain_id, sku, titles, search_text)
       select $1, 'SKU-' || n, '{"en_AE": "x"}', 'x' from generate_series(1, $3::int) n returning sku)
     insert into offers (chain_id, vendor_id, sku, price, active) select $1, $2, sku, 1, true from p`,
    [chain.chainId, chain.vendors[0], points.length],
  );
  sftpPort = String(await freePort());
  [worker, server] = await Promise.all([startWorker(), startServer()]);
  login = (await clientOf(worker, chain).createSftpUser({ body: { name: 'kill' } })) as SftpLogin;
});
after(() => database?.drop());

test('if a process is killed, every acknowledged file is applied exactly once, and no others', async () => {
  for (const [index, point] of points.entries()) {
    const sftp = await connectSftp(Number(sftpPort), login);
    sftp.raw.on('error', () => {});
    await point.upload(sftp, `/catalog/all/${fileName(index)}`, csvFor(index));
    const killed = point.killsWorker ? worker : server;
    killed.kill('SIGKILL');
    await killed.ended;
    if (!point.killsWorker) server = await startServer();
    else worker = await startWorker();
    await sftp.destroy();
  }
  const { files } = await clientOf(worker, chain).listFiles({ query: { page_size: 100 } });
  await waitFor(120, 'all jobs to end', async () => ((await hasOpenJobs()) ? undefined : true));
  for (const [index, { name, expected }] of points.entries()) {
    const accepted = files.filter((file) => file.name === fileName(index) && file.state === 'ACCEPTED');
    if (expected === 'accepted') assert.equal(accepted.length, 1, name);
    if (expected === 'unfinished') assert.equal(accepted.length, 0, name);
    assert.ok(accepted.length <= 1, name);
    assert.equal(await priceOf(index), accepted.length === 1 ? priceIn(index) : 1, name);
    assert.equal(await countEvents(fileName(index)), accepted.length, name);
  }
});

function fileName(index: number): string {
  return `point-${index + 1}.csv`;
}

function priceIn(index: number): number {
  return 10 + index;
}

/** One row changes a product, and the others fail, so that processing the file takes a while. */
function csvFor(index: number): Buffer {
  const others = Array.from({ length: rows }, (_, row) => `MISSING-${index}-${row},1`);
  return Buffer.from(['sku,price', `SKU-${index + 1},${priceIn(index)}`, ...others, ''].join('\n'));
}

/** Runs everything except SFTP. */
function startWorker(): Promise<Program> {
  return startProgram({ role: 'all', environment: environment() });
}

function startServer(): Promise<Program> {
  const key = hostKey.replaceAll('\n', '\\n');
  const sftp = { AISLE_SFTP_PORT: sftpPort, AISLE_SFTP_HOST_KEY: key };
  return startProgram({ role: 'sftp', environment: { ...environment(), ...sftp } });
}

function environment(): Record<string, string> {
  const quiet = { AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn', AISLE_PASSWORD_COST: '10' };
  return { DATABASE_URL: database.url, ...quiet };
}

async function write(sftp: SftpClient, path: string, content: Buffer): Promise<Buffer> {
  const handle = await sftp.open(path, 'w');
  const writes: Promise<void>[] = [];
  for (let at = 0; at < content.length; at += piece) {
    writes.push(sftp.write(handle, content.subarray(at, at + piece), at));
  }
  await Promise.all(writes);
  return handle;
}

async function put(sftp: SftpClient, path: string, content: Buffer): Promise<void> {
  await sftp.close(await write(sftp, path, content));
}

async function waitForProgress(): Promise<void> {
  await waitFor(60, 'a running job', async () => {
    const states = await database.db.query<{ status: string }>('select status from jobs where chain_id = $1', [
      chain.chainId,
    ]);
    return states.some(({ status }) => status !== 'QUEUED') || undefined;
  });
}

async function hasOpenJobs(): Promise<boolean> {
  const open = await database.db.query(
    "select 1 from jobs where chain_id = $1 and status not in ('COMPLETED', 'FAILED')",
    [chain.chainId],
  );
  return open.length > 0;
}

async function priceOf(index: number): Promise<number> {
  const [row] = await database.db.query<{ price: string }>(
    'select price from offers where chain_id = $1 and sku = $2',
    [chain.chainId, `SKU-${index + 1}`],
  );
  return Number(row?.price);
}

async function countEvents(name: string): Promise<number> {
  const rowsFound = await database.db.query('select 1 from events where chain_id = $1 and body::text like $2', [
    chain.chainId,
    `%"${name}"%`,
  ]);
  return rowsFound.length;
}
