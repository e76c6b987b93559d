import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { addProducts, catalogPath, plainProducts } from '../server/test/support/catalog.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { makeFolder } from './support/folder.ts';
import { pathWithServers, reportMissing, versionOf } from './support/installed.ts';
import { root } from './support/launch.ts';
import { freePort, type Program, startProgram } from './support/program.ts';
import { configureSample } from './support/proxy-sample.ts';
import { waitFor, within } from './support/wait.ts';

/** Restarts API processes behind the sample configurations in deploy/, with the real programs, which CI installs. */
const versions = { nginx: versionOf('nginx', '-v'), haproxy: versionOf('haproxy', '-v') };
const { folder, remove } = makeFolder();
let database: TestDatabase;
let chain: TestChain;
let environment: Record<string, string>;
let ports: [number, number];
let running: Program[];

test('the sample configurations are tested where nginx and haproxy are installed', (t) => reportMissing(t, versions));

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database);
  await addProducts(database, chain, plainProducts(8));
  ports = [await freePort(), await freePort()];
  environment = {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'silent',
    AISLE_TRUSTED_PROXIES: 'loopback',
  };
  running = await Promise.all(ports.map(start));
});

after(async () => {
  await database?.drop();
  remove();
});

if (versions.nginx !== undefined) {
  test('a rolling restart behind nginx fails no request', async () => {
    const port = await freePort();
    cpSync(join(root, 'deploy/nginx'), folder, { recursive: true });
    const file = configureSample('deploy/nginx/nginx.conf', { folder, port, upstreams: ports });
    await restartBehind(['nginx', '-p', folder, '-c', file, '-g', 'daemon off;'], port);
  });
}

if (versions.haproxy !== undefined) {
  test('a rolling restart behind haproxy fails no request', async () => {
    const port = await freePort();
    const file = configureSample('deploy/haproxy/haproxy.cfg', { folder, port, upstreams: ports });
    await restartBehind(['haproxy', '-db', '-f', file], port);
  });
}

async function restartBehind([program = '', ...args]: string[], port: number): Promise<void> {
  const child = spawn(program, args, {
    env: { ...process.env, PATH: pathWithServers },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await waitFor(10, `a response from ${program}`, () => {
      assert.equal(child.exitCode, null, output());
      return send(port, 'GET').then(
        (status) => status === 200 || undefined,
        () => undefined,
      );
    });
    await restartUnderLoad(port);
  } finally {
    child.kill('SIGTERM');
    await within(10, `${program} to stop`, ended);
  }
}

async function restartUnderLoad(port: number): Promise<void> {
  const results: (number | string)[] = [];
  let isOver = false;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const load = Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const method = methods[index % methods.length] ?? 'GET';
      while (!isOver) results.push(await send(port, method, index, agent).catch(String));
    }),
  );
  for (const [index, processPort] of ports.entries()) {
    const before = results.length;
    await waitFor(20, 'some responses', () => results.length > before + 100 || undefined);
    await running[index]?.stop();
    running[index] = await start(processPort);
  }
  const before = results.length;
  await waitFor(20, 'some responses', () => results.length > before + 100 || undefined);
  isOver = true;
  await load;
  agent.destroy();
  const failed = results.filter((result) => result !== 200 && result !== 202);
  assert.deepEqual(failed, [], `${failed.length} of ${results.length} requests failed`);
}

function start(port: number): Promise<Program> {
  return startProgram({ role: 'api', environment: { ...environment, PORT: String(port) } });
}

/** nginx repeats GET and PUT if a process closes the connection, but not POST. */
const methods = ['GET', 'PUT', 'POST'] as const;

/** Returns the status. Fails if there is no response. */
function send(port: number, method: (typeof methods)[number], index = 0, agent?: Agent): Promise<number> {
  const { sku, title } = plainProducts(8)[index] ?? {};
  const products = { GET: undefined, PUT: [{ sku, price: 1 + (Date.now() % 100) }], POST: [{ sku, title, price: 1 }] };
  const body = products[method] && JSON.stringify({ products: products[method] });
  const headers = { authorization: `Bearer ${chain.token}`, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${port}${catalogPath(chain)}`;
    const sending = request(url, { method, headers, agent: agent ?? false }, (message) => {
      message.once('end', () => resolve(message.statusCode ?? 0));
      message.once('error', reject);
      message.resume();
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

function collect(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return () => output;
}
