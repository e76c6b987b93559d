import { exec, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scopes } from '@aisle/contract/route';
import { makeFolder } from '../e2e/support/folder.ts';
import { freePort, launchProgram, welcomed } from '../e2e/support/launch.ts';
import { waitFor } from '../e2e/support/wait.ts';
import { createProductsNow } from '../server/src/catalog/create-now.ts';
import { listChainNodes } from '../server/src/cluster/queries.ts';
import { createPlatformToken, createToken, createVendor, insertChain } from '../server/src/identity/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { newId } from '../server/src/kernel/values/ids.ts';

/**
 * npm run lose-node -- [options of aisle simulate]: runs `aisle simulate` on a distributed database, and stops one of
 * its nodes for a minute. Meanwhile, eight chains of its own read and update their products, get orders and start jobs,
 * which shows what chains on the lost node and on other nodes notice. See docs/how-to/simulate.md.
 *
 * DATABASE_URL is a distributed database on the coordinator. LOST_NODE is the address of the node as `cluster-status`
 * shows it, and STOP_NODE and START_NODE are the commands that stop and start it.
 */
const settings = readSettings('DATABASE_URL', 'LOST_NODE', 'STOP_NODE', 'START_NODE');
const quietMs = 30_000;
const awayMs = 60_000;
const kinds = ['read', 'update', 'order', 'job'] as const;

const { folder, remove } = makeFolder();
const db = openDatabase({
  url: settings.DATABASE_URL,
  connections: 4,
  preparedStatements: true,
  name: 'lose-node',
  onError() {},
});
const port = await freePort();
const roles = ['api', 'worker'] as const;
const runs = roles.map((role) => launchProgram([role], environment(role === 'api' ? port : 0), folder));
await waitFor(120, 'the processes to run', () => runs.every((run) => welcomed.test(run.stdout())) || undefined, 50);
const url = `http://127.0.0.1:${port}`;
const platformToken = await createPlatformToken(db, 'lose-node');
const probes = await startProbes(db);
const simulation = simulate();
await waitFor(300, 'the first orders', async () => (await hasOrders(db, probes.chainIds)) || undefined, 1000);
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
const lost = await probes.findLost();
for (const process of runs) process.kill('SIGTERM');
await Promise.all(runs.map(({ ended }) => ended));
await db.close();
if (code === 0 && lost === 0) remove();
else keepLogs();
process.exit(lost > 0 ? 1 : code);

function keepLogs(): void {
  roles.forEach((role, index) => writeFileSync(join(folder, `${role}.log`), runs[index]?.stdout() ?? ''));
  console.error(`The logs of the processes are in ${folder}.`);
}

/** Whether the simulation has placed an order. */
async function hasOrders(database: Database, exceptChains: string[]): Promise<boolean> {
  return (await database.query('select 1 from orders where chain_id <> all ($1) limit 1', [exceptChains])).length > 0;
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

function simulate(): Promise<number> {
  const command = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url));
  const env = { ...process.env, AISLE_URL: url, AISLE_PLATFORM_TOKEN: platformToken };
  const child = spawn(process.execPath, [command, 'simulate', ...process.argv.slice(2)], { stdio: 'inherit', env });
  return new Promise((resolve) => child.once('close', (ended) => resolve(ended ?? 1)));
}

type Probe = { at: number; ms: number; status: number; retryAfter: string | null; isLost: boolean };
type ProbeChain = { chainId: string; vendorId: string; token: string };

function requestOf({ chainId, vendorId, token }: ProbeChain, kind: (typeof kinds)[number], quantity: number) {
  const path = `/v2/chains/${chainId}/vendors/${vendorId}/catalog`;
  if (kind === 'read') return { path, method: 'GET', token };
  if (kind === 'update') return { path, method: 'PUT', token, body: { products: [{ sku: 'A', quantity }] } };
  if (kind === 'job')
    return { path, method: 'PUT', token, body: { products: ['A', 'B'].map((sku) => ({ sku, quantity })) } };
  const customer = { first_name: 'Sam', phone_number: '+971500000000' };
  const order = { chain_id: chainId, vendor_id: vendorId, customer, payment: { type: 'PAID' } };
  const body = { ...order, items: [{ sku: 'B', quantity: 1 }] };
  return { path: '/platform/v1/orders', method: 'POST', token: platformToken, body };
}

async function call({ path, method, token, body }: ReturnType<typeof requestOf> & { body?: object }) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
}

/** Makes chains until four are on the node that will be lost and four on other nodes. */
async function makeChains(database: Database): Promise<{ chains: ProbeChain[]; lostChains: Set<ProbeChain> }> {
  const lost: ProbeChain[] = [];
  const others: ProbeChain[] = [];
  for (let made = 0; lost.length < 4 || others.length < 4; made++) {
    if (made === 100) throw new Error(`All of 100 chains are on one side. Is ${settings.LOST_NODE} the right address?`);
    const chain = await makeChain(database);
    const node = (await listChainNodes(database)).find((row) => row.chain_id === chain.chainId);
    const side = node?.address === settings.LOST_NODE ? lost : others;
    if (side.length < 4) side.push(chain);
  }
  return { chains: [...lost, ...others], lostChains: new Set(lost) };
}

/** Reads and updates products, places orders and starts jobs in each of eight chains, again and again. */
async function startProbes(database: Database) {
  const { chains, lostChains } = await makeChains(database);
  const results: Probe[] = [];
  const accepted: { chain: ProbeChain; path: string }[] = [];
  let isStopping = false;
  const loops = chains.map(async (chain) => {
    const isLost = lostChains.has(chain);
    const base = `/v2/chains/${chain.chainId}`;
    for (let round = 0; !isStopping; round++) {
      const at = performance.now();
      const { status, retryAfter, text } = await call(requestOf(chain, kinds[round % 4] ?? 'read', 1000 + round));
      results.push({ at, ms: performance.now() - at, status, retryAfter, isLost });
      if (status === 201) accepted.push({ chain, path: `${base}/orders/${JSON.parse(text).order_id}` });
      if (status === 202) accepted.push({ chain, path: `${base}/catalog/jobs/${JSON.parse(text).job_id}` });
      await sleep(100);
    }
  });
  const isDone = async ({ chain, path }: (typeof accepted)[number]) => {
    const { status, text } = await call({ path, method: 'GET', token: chain.token });
    return status === 200 && (JSON.parse(text).job_status ?? 'COMPLETED') === 'COMPLETED';
  };
  return {
    chainIds: chains.map(({ chainId }) => chainId),
    async stop() {
      isStopping = true;
      await Promise.all(loops);
      return results;
    },
    /** Waits until all accepted orders exist and all accepted jobs are completed. Returns how many do not get there. */
    async findLost(): Promise<number> {
      let open = accepted;
      for (let tries = 0; tries < 30 && open.length > 0; tries++) {
        if (tries > 0) await sleep(1000);
        const isOpen = await Promise.all(open.map(async (one) => !(await isDone(one))));
        open = open.filter((_, index) => isOpen[index]);
      }
      console.log(
        `${accepted.length} orders and jobs were accepted, ${open.length} of them are lost or not completed.`,
      );
      return open.length;
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
    await createProductsNow(tx, chainId, vendor, ['A', 'B'].map(toProduct));
    const { token } = await createToken(tx, chainId, { name: 'probe', scopes }, 10);
    return { chainId, vendorId: vendor.vendor_id, token };
  });
}

function toProduct(sku: string) {
  return { sku, title: sku, price: 1, quantity: 1000 };
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
