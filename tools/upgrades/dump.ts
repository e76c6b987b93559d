import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { rawClientOf } from '../../e2e/support/raw-client.ts';
import { findRunningPostgres } from '../../server/src/embedded/index.ts';
import { dumpTables, inSnapshot } from '../../server/src/kernel/database/dump.ts';
import { startReceiver } from '../../server/test/support/receiver.ts';
import { waitFor } from '../../server/test/support/wait.ts';
import { buildWorld, readWorld } from '../../server/test/upgrades/world.ts';
import { extractCommit } from './archive.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/**
 * node tools/upgrades/dump.ts COMMIT NAME: starts an older version, fills it with data through its API, and writes its
 * database to server/test/upgrades/NAME.sql.gz and what its API returns to NAME.json.gz. Run this once per released
 * migration level; `upgrades.test.ts` then upgrades the database in every test run.
 */
const [commit = '', name = ''] = process.argv.slice(2);
const target = fileURLToPath(new URL(`../../server/test/upgrades/${name}`, import.meta.url));
const archive = extractCommit(commit);
const dataDir = makeTemporaryFolder('dump');
const receiver = await startReceiver();
const main = archive.program;
const port = await freePort();
const environment = {
  ...process.env,
  PORT: String(port),
  AISLE_DATA_DIR: join(dataDir, 'data'),
  AISLE_DEMO: 'off',
  AISLE_RATE_LIMITS: 'off',
  AISLE_LOG_LEVEL: 'warn',
  AISLE_PUBLIC_URL: 'http://aisle.test',
  // The same key as in the server's own tests.
  AISLE_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
};
mkdirSync(environment.AISLE_DATA_DIR);
try {
  const output = execFileSync(process.execPath, [main, 'platform-token', 'test'], { env: environment });
  const platformToken = output.toString().trim().split('\n').at(-1) ?? '';
  const server = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    await writeDump(platformToken);
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
  }
} finally {
  await receiver.close();
}

async function writeDump(platformToken: string): Promise<void> {
  const aisle = rawClientOf({ url: `http://127.0.0.1:${port}` });
  const isUp = () =>
    aisle.call('GET', '/health/ready').then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitFor('the server', isUp, 60, 100);
  const world = await buildWorld(aisle, platformToken, {
    ...receiver,
    failWebhook: () =>
      receiver.respondWith((response) => {
        response.writeHead(500).end();
      }),
  });
  const undelivered = `${world.chain.base}/deliveries?order_id=${world.orders.undelivered}`;
  await waitFor('a failed delivery', async () => {
    const { body } = await aisle.call('GET', undelivered, { token: world.chain.token });
    return body.deliveries[0]?.status === 'FAILED';
  });
  const responses = await readWorld(aisle, world);
  const dump = await dumpDatabase();
  const revision = execFileSync('git', ['rev-parse', commit], { encoding: 'utf8' }).trim();
  const record = { commit: revision, dumped_at: new Date().toISOString(), world, responses };
  writeFileSync(`${target}.sql.gz`, gzipSync(dump, { level: 9 }));
  writeFileSync(`${target}.json.gz`, gzipSync(JSON.stringify(record), { level: 9 }));
  console.log(`Written: ${target}.sql.gz, ${target}.json.gz.`);
}

/** Returns that version's migrations, unchanged, followed by the data. */
async function dumpDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: findRunningPostgres(environment.AISLE_DATA_DIR) });
  await client.connect();
  try {
    const chunks: string[] = [];
    await inSnapshot(client, async () => {
      for await (const chunk of dumpTables(client, () => {})) chunks.push(chunk.toString());
    });
    const data = chunks.join('');
    const hash = /^copy migrations \(.*\bsha256\b/m.test(data) ? ', sha256 text' : '';
    const own = `create table migrations (version integer primary key, name text not null, applied_at timestamptz not null default now()${hash});`;
    const folder = join(archive.folder, 'server/migrations');
    const migrations = readdirSync(folder).toSorted();
    const schema = migrations.map((file) => `-- ${file}\n${readFileSync(join(folder, file), 'utf8')}`);
    return [own, ...schema, `-- data\n${data}`].join('\n');
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}
