import { exec, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scopes } from '@aisle/contract/route';
import { makeFolder } from '../e2e/support/folder.ts';
import { freePort, launchProgram, welcomed } from '../e2e/support/launch.ts';
import { waitFor } from '../e2e/support/wait.ts';
import { createProductsNow } from '../server/src/catalog/index.ts';
import { listChainNodes } from '../server/src/cluster/queries.ts';
import { createPlatformToken, createToken, createVendor, insertChain } from '../server/src/identity/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { newId } from '../server/src/kernel/values/ids.ts';

/**
 * npm run lose-node -- [options of aisle simulate]: runs `aisle simulate` on a distributed database, and stops one of
 * its nodes for a minute. Meanwhile, eight chains of its own read and update their products, which shows what chains on
 * the lost node and on other nodes notice. See docs/how-to/simulate.md.
 *
 * DATABASE_URL is a distributed database on the coordinator. LOST_NODE is the address of the node as `cluster-status`
 * shows it, and STOP_NODE and START_NODE are the commands that stop and start it.
 */
const settings = readSettings('DATABASE_URL', 'LOST_NODE', 'STOP_NODE', 'START_NODE');
const quietMs = 30_000;
const awayMs = 60_000;

const { folder, remove } = makeFolder();
const db = openDatabase({
  url: settings.DATABASE_URL,
  connections: 4,
  preparedStatements: true,
  name: 'lose-node',
  onError() {},
});
const port = await freePort();
const runs = ['api', 'worker'].map((role) => launchProgram([role], environment(role === 'api' ? port : 0), folder));
await waitFor(120, 'the processes to run', () => runs.every((run) => welcomed.test(run.stdout())) || undefined, 50);
const url = `http://127.0.0.1:${port}`;
const probes = await startProbes(db);
const simulation = simulate(await createPlatformToken(db, 'lose-node'));
await waitFor(300, 'the first orders', async () => (await hasOrders(db)) || undefined, 1000);
await sleep(quietMs);
const run = promisify(exec);
const phase = { stopped: performance.now(), started: 0 };
await run(settings.STOP_NODE);
console.error(`${settings.LOST_NODE} is stopped.`);
await sleep(awayMs);
await run(settings.START_NODE);
phase.started = performance.now();
console.error(`${settings.LOST_NODE} is running again.`);
const code = await simulation;
await sleep(2000);
report(await probes.stop());
for (const process of runs) process.kill('SIGTERM');
await Promise.all(runs.map(({ ended }) => ended));
await db.close();
if (code === 0) remove();
process.exit(code);

async function hasOrders(database: Database): Promise<boolean> {
  return (await database.query('select 1 from orders limit 1')).length > 0;
}

function readSettings<Name extends string>(...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    console.error(`Set ${missing.join(', ')}; see the comment in simulate/lost-node.ts.`);
    process.exit(1);
  }
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ''])) as Record<Name, string>;
}

function environment(httpPort: number): Record<string, string> {
  return {
    DATABASE_URL: settings.DATABASE_URL,
    PORT: String(httpPort),
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'warn',
    AISLE_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
  };
}

function simulate(platformToken: string): Promise<number> {
  const command = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url));
  const env = { ...process.env, AISLE_URL: url, AISLE_PLATFORM_TOKEN: platformToken };
  const child = spawn(process.execPath, [command, 'simulate', ...process.argv.slice(2)], { stdio: 'inherit', env });
  return new Promise((resolve) => child.once('close', (ended) => resolve(ended ?? 1)));
}

type Probe = { at: number; ms: number; status: number; retryAfter: string | null; isLost: boolean };

/** Reads and changes the catalog of a store in each of eight chains, again and again. */
async function startProbes(database: Database) {
  const chains = await Promise.all(Array.from({ length: 8 }, () => makeChain(database)));
  const nodes = new Map((await listChainNodes(database)).map((row) => [row.chain_id, row.address]));
  const results: Probe[] = [];
  let isStopping = false;
  const loops = chains.map(async ({ chainId, vendorId, token }) => {
    const isLost = nodes.get(chainId) === settings.LOST_NODE;
    for (let round = 0; !isStopping; round++) {
      const at = performance.now();
      const products = [{ sku: 'A', quantity: round }];
      const response = await fetch(`${url}/v2/chains/${chainId}/vendors/${vendorId}/catalog`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(round % 2 === 1 && { method: 'PUT', body: JSON.stringify({ products }) }),
      });
      await response.arrayBuffer();
      const retryAfter = response.headers.get('retry-after');
      results.push({ at, ms: performance.now() - at, status: response.status, retryAfter, isLost });
      await sleep(100);
    }
  });
  return {
    async stop() {
      isStopping = true;
      await Promise.all(loops);
      return results;
    },
  };
}

function makeChain(database: Database) {
  const chainId = newId();
  return database.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Probe', profile: 'strict', country_code: 'AE' });
    const vendor = await createVendor(tx, chainId, {
      name: 'Store',
      external_id: 'store',
      currency: 'AED',
      country_code: 'AE',
      locale: 'en_AE',
      timezone: 'Asia/Dubai',
      transport_type: 'LOGISTICS_DELIVERY',
    });
    await createProductsNow(tx, chainId, vendor, [{ sku: 'A', title: 'A', price: 1, quantity: 5 }]);
    const { token } = await createToken(tx, chainId, { name: 'probe', scopes }, 10);
    return { chainId, vendorId: vendor.vendor_id, token };
  });
}

function report(results: Probe[]): void {
  const when = (at: number) => (at < phase.stopped ? 'before' : at < phase.started ? 'away' : 'after');
  for (const isLost of [false, true]) {
    for (const time of ['before', 'away', 'after']) {
      const found = results.filter((one) => one.isLost === isLost && when(one.at) === time);
      const sorted = found.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`;
      const statuses = Map.groupBy(found, ({ status }) => status);
      const counts = [...statuses].map(([status, of]) => `${of.length} × ${status}`).join(', ');
      const without = found.filter(({ status, retryAfter }) => status === 503 && retryAfter === null).length;
      const place = isLost ? 'on the lost node' : 'on other nodes';
      const texts = [`p50 ${at(0.5)}`, `p99 ${at(0.99)}`, `max ${at(1)}`, counts];
      if (without > 0) texts.push(`${without} without Retry-After`);
      console.log(`${place.padEnd(17)} ${time.padEnd(7)} ${texts.join(', ')}`);
    }
  }
  const back = results.find(({ isLost, at, status }) => isLost && at > phase.started && status === 200);
  if (back) console.log(`Served again ${((back.at - phase.started) / 1000).toFixed(1)} s after the node.`);
}
