import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { Response } from '../server/test/support/aisle.ts';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { makeFolder } from './support/folder.ts';
import { assertExited, assertNoneRunning, listFamily, type ProcessRow } from './support/processes.ts';
import { freePort, type Program, runProgram, startProgram } from './support/program.ts';
import { startUpload } from './support/upload.ts';
import { waitFor, within } from './support/wait.ts';

/** Tests `AISLE_PROCESSES`: several processes on one port, with a supervisor. */
let database: TestDatabase;
let chain: TestChain;
let environment: Record<string, string>;
let aisle: Program;

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database);
  await addProducts(database, chain, plainProducts(4));
  environment = { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off', AISLE_PROCESSES: '2' };
  aisle = await startProgram({ role: 'all', environment });
});

after(() => database?.drop());

test('connections are divided among the processes, and each log line has the number of its process', async () => {
  assert.equal(processesOf(aisle).length, 2);
  for (let index = 0; index < 4; index++) assert.equal((await get(aisle, '/health/live')).status, 200);
  const numbers = await waitFor(5, 'the log lines of four requests', () => {
    const lines = aisle.log().filter((line) => line['route'] === '/health/live');
    return lines.length === 4 ? lines.map((line) => line['process']) : undefined;
  });
  for (const number of [1, 2]) assert.equal(numbers.filter((one) => one === number).length, 2, String(numbers));
});

test('the metrics are the sums of all processes, and values from the database are not added up', async () => {
  for (let index = 0; index < 10; index++) await get(aisle, '/health/live');
  // Four of them were sent by the previous test.
  await waitFor(5, 'the sum', async () => (await countRequests('/health/live')) === 14 || undefined, 100);
  const { text } = await get(aisle, '/metrics');
  assert.match(text, /^aisle_http_request_duration_seconds_count\{method="GET",route="\/health\/live"\} 14$/m);
  assert.match(text, /^aisle_processes\{state="ready"\} 2$/m);
  const ranAt = await waitFor(
    30,
    'a chore to run',
    async () => {
      const line = /^aisle_chore_last_run_timestamp_seconds\{kind="delete old events"\} ([\d.]+)$/m;
      return line.exec((await get(aisle, '/metrics')).text)?.[1];
    },
    500,
  );
  assert.ok(Number(ranAt) > 0 && Number(ranAt) < Date.now() / 1000 + 60, ranAt);
});

test('a process that is killed under load fails only its own requests, and is started again', async () => {
  const [, victim] = processesOf(aisle);
  assert.ok(victim);
  const load = startLoad(aisle, 8);
  await waitFor(10, 'some responses', () => load.responses() > 40 || undefined);
  const counted = await waitFor(
    5,
    'the requests in the metrics',
    async () => {
      const count = await countRequests(catalogRoute);
      return count > 40 ? count : undefined;
    },
    100,
  );
  process.kill(victim.pid, 'SIGKILL');
  const warned = await waitFor(5, 'the warning', async () => {
    const { body } = await get(aisle, '/health/ready');
    return body.warnings?.processes as string | undefined;
  });
  assert.match(warned, /^process [12] is restarting$/);
  const atRestart = load.responses();
  await waitFor(30, 'two processes', () => processesOf(aisle).length === 2 || undefined);
  await waitFor(30, 'both to be ready', async () => {
    const { body } = await get(aisle, '/health/ready');
    return (body.status === 'ok' && body.warnings === undefined) || undefined;
  });
  await waitFor(10, 'more responses', () => load.responses() > atRestart + 40 || undefined);
  const { failures } = await load.stop();
  // Connections are given to the processes in turn, so some of the eight were open to the other one.
  assert.ok(failures.length < 8, failures.join('\n'));
  assert.ok(
    failures.every((failure) => /ECONNRESET|EPIPE|socket hang up/.test(failure)),
    failures.join('\n'),
  );
  assert.ok((await countRequests(catalogRoute)) >= counted, 'the sum did not decrease');
  assert.match((await get(aisle, '/metrics')).text, /^aisle_process_exits_total 1$/m);
});

test('a process that gets SIGTERM finishes its requests and is replaced', async () => {
  const uploads = await Promise.all([startHalf(aisle), startHalf(aisle)]);
  const before = processesOf(aisle);
  for (const { pid } of before.slice(0, 1)) process.kill(pid, 'SIGTERM');
  for (const upload of uploads) upload.finish();
  for (const upload of uploads) assert.equal((await within(10, 'the response', upload.response)).status, 202);
  await waitFor(30, 'another process', () => {
    const now = processesOf(aisle).map(({ pid }) => pid);
    return (now.length === 2 && !now.includes(before[0]?.pid ?? 0)) || undefined;
  });
  assert.equal(aisle.stderr(), '');
});

test('requests without credentials are limited across the processes', async () => {
  const limited = await startProgram({
    role: 'api',
    environment: { ...environment, AISLE_RATE_LIMITS: 'anonymous=40' },
  });
  const statuses: number[] = [];
  for (let index = 0; index < 80; index++) statuses.push((await get(limited, '/v2/nothing')).status);
  const accepted = statuses.filter((status) => status === 404).length;
  assert.ok(accepted >= 40 && accepted <= 44, `${accepted} of 80 requests were accepted`);
  await limited.stop();
});

test('SIGTERM under load drains all processes, and no accepted update is lost', async () => {
  const drained = await startProgram({ role: 'all', environment });
  const family = listFamily(drained.pid);
  assert.equal(family.length, 3, JSON.stringify(family));
  const uploads = await Promise.all([startHalf(drained), startHalf(drained)]);
  const load = startLoad(drained, 4, 'PUT');
  await waitFor(10, 'some responses', () => load.responses() > 20 || undefined);
  drained.kill('SIGTERM');
  await waitFor(5, 'new connections to be refused', () =>
    get(drained, '/health/live').then(
      () => undefined,
      () => true,
    ),
  );
  for (const upload of uploads) upload.finish();
  for (const upload of uploads) assert.equal((await within(10, 'the response', upload.response)).status, 202);
  assert.deepEqual(await within(20, 'the exit', drained.ended), { code: 0, signal: null });
  assert.equal(drained.stderr(), '');
  await assertExited(family, 1);
  const { last } = await load.stop();
  for (const [sku, price] of last) {
    const { body } = await get(aisle, `${chain.base}/vendors/${chain.vendors[0]}/catalog?query_term=${sku}`);
    const found = body.products.find((product: { sku: string }) => product.sku === sku).price;
    // The last update may have been stored although its response was cut off.
    assert.ok(found === price || found === price + 1, `${sku} costs ${found}, not ${price}`);
  }
});

test('a second signal stops all processes immediately', async () => {
  const stubborn = await startProgram({ role: 'api', environment });
  const family = listFamily(stubborn.pid);
  const upload = await startHalf(stubborn);
  stubborn.kill('SIGTERM');
  await waitFor(5, 'new connections to be refused', () =>
    get(stubborn, '/health/live').then(
      () => undefined,
      () => true,
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 400));
  stubborn.kill('SIGTERM');
  assert.deepEqual(await within(2, 'the exit', stubborn.ended), { code: 130, signal: null });
  upload.abort();
  await assertExited(family, 2);
});

test('kill -9 of the supervisor leaves no process behind', async () => {
  const killed = await startProgram({ role: 'api', environment });
  const family = listFamily(killed.pid);
  assert.equal(family.length, 3, JSON.stringify(family));
  killed.kill('SIGKILL');
  await killed.ended;
  await assertExited(family, 10);
});

test('if the processes cannot start, the supervisor prints the reason once and exits', async () => {
  const port = String(await freePort());
  const { code, stderr } = await runProgram(['all'], {
    ...environment,
    PORT: port,
    AISLE_SFTP_PORT: '0',
    AISLE_SFTP_HOST_KEY: '/no/such/file',
  });
  assert.equal(code, 1);
  assert.match(stderr, /^AISLE_SFTP_HOST_KEY: the file \/no\/such\/file does not exist\.\n$/);
});

test('if a process keeps dying, the supervisor gives up with one sentence and exits', async () => {
  const doomed = await startProgram({ role: 'api', environment });
  const family = listFamily(doomed.pid);
  const [kept] = processesOf(doomed);
  let hasEnded = false;
  void doomed.ended.then(() => (hasEnded = true));
  await waitFor(60, 'the supervisor to give up', () => {
    for (const { pid } of processesOf(doomed)) if (pid !== kept?.pid) process.kill(pid, 'SIGKILL');
    return hasEnded || undefined;
  });
  assert.deepEqual(await doomed.ended, { code: 1, signal: null });
  assert.match(doomed.stderr(), /^Process [12] has exited 5 times in a row soon after its start\.\n$/);
  await assertExited(family, 1);
});

test('all processes exit when the supervisor gets one signal, with nothing in progress', async () => {
  const family = listFamily(aisle.pid);
  await aisle.stop();
  await assertExited(family, 1);
  assert.equal(aisle.stderr(), '');
});

test('two processes share the embedded database, the demo and the port for metrics', async () => {
  const { folder, remove } = makeFolder();
  const metricsPort = String(await freePort());
  const sftpPort = await freePort();
  const demo = await startProgram({
    folder,
    environment: { AISLE_PROCESSES: '2', AISLE_METRICS_PORT: metricsPort, AISLE_SFTP_PORT: String(sftpPort) },
  });
  assert.equal(demo.stderr(), '');
  assert.equal(demo.stdout().match(/Filling the demo chain/g)?.length, 1);
  assert.match(demo.stdout(), /Demo +chain .* with 6 stores/);
  for (let index = 0; index < 4; index++) assert.equal((await get(demo, '/health/ready')).status, 200);
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  assert.match(
    await metrics.text(),
    /^aisle_http_requests_total\{method="GET",route="\/health\/ready",status="200"\} 4$/m,
  );
  // More than one address can have: an SFTP connection that the client closes has ended.
  for (let index = 0; index < 25; index++) assert.match(await readBanner(sftpPort), /^SSH-2\.0-/);
  await assertServedWithoutSftp(demo, sftpPort);
  const family = listFamily(demo.pid);
  demo.kill('SIGKILL');
  await demo.ended;
  await assertExited(family, 10);
  await assertNoneRunning(folder, 5);
  const again = await startProgram({ folder, environment: { AISLE_PROCESSES: '2' } });
  await again.stop();
  await assertNoneRunning(folder, 5);
  remove();
});

/** Requests are served while the process of SFTP hangs, and after it has died more often than others may. */
async function assertServedWithoutSftp(demo: Program, sftpPort: number): Promise<void> {
  const findSftp = () => processesOf(demo).toSorted((a, b) => a.pid - b.pid)[2];
  let sftp = findSftp();
  process.kill(sftp?.pid ?? 0, 'SIGSTOP');
  const silent = connect(sftpPort, '127.0.0.1');
  const { status, body } = await get(demo, '/health/ready');
  assert.deepEqual([status, body.status], [200, 'ok']);
  for (let deaths = 0; deaths < 6; deaths++) {
    const { pid } = sftp ?? assert.fail('there is no third process');
    process.kill(pid, 'SIGKILL');
    sftp = await waitFor(20, 'another process', () => {
      const found = findSftp();
      return found?.pid === pid ? undefined : found;
    });
  }
  const [banner] = (await within(20, 'the banner', once(silent, 'data'))) as [Buffer];
  assert.match(banner.toString(), /^SSH-2\.0-/);
  silent.destroy();
  assert.equal((await get(demo, '/health/ready')).status, 200);
}

/** Opens a connection, and closes it when the server has sent its first line. */
async function readBanner(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.end();
  return bytes.toString();
}

const catalogRoute = '/v2/chains/:chain_id/vendors/:vendor_id/catalog';

function processesOf({ pid }: Program): ProcessRow[] {
  return listFamily(pid).filter((row) => row.command.endsWith(' --process'));
}

type Received = Pick<Response, 'status' | 'text' | 'body'>;

/** Sends a request on a connection of its own, or on the agent's. */
function get(
  to: Program,
  path: string,
  agent?: Agent,
  options: { method?: string; body?: unknown } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', body } = options;
    const headers = {
      authorization: `Bearer ${chain.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sending = request(`${to.url}${path}`, { method, agent: agent ?? false, headers }, (message) => {
      message
        .setEncoding('utf8')
        .toArray()
        .then((parts) => {
          const text = parts.join('');
          const isJson = (message.headers['content-type'] ?? '').includes('json');
          resolve({ status: message.statusCode ?? 0, text, body: isJson ? JSON.parse(text) : undefined });
        }, reject);
    });
    sending.setTimeout(20_000, () => sending.destroy(new Error('timeout')));
    sending.once('error', reject);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function countRequests(route: string): Promise<number> {
  const { text } = await get(aisle, '/metrics');
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('aisle_http_requests_total') && line.includes(`"${route}"`));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function startHalf(to: Program) {
  const products = plainProducts(2).map(({ sku }) => ({ sku, active: true }));
  const upload = startUpload(`${to.url}${chain.base}/vendors/${chain.vendors[0]}/catalog`, 'PUT', chain.token, {
    products,
  });
  await upload.inFlight;
  return upload;
}

/** Sends requests, one after the other on each connection, until it is stopped or the server refuses connections. */
function startLoad(to: Program, connections: number, method: 'GET' | 'PUT' = 'GET') {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const path = `${chain.base}/vendors/${chain.vendors[0]}/catalog`;
  const last = new Map<string, number>();
  const failures: string[] = [];
  let responses = 0;
  let isOver = false;
  const send = async (index: number) => {
    const sku = plainProducts(connections)[index]?.sku ?? '';
    for (let price = 1; !isOver; price++) {
      const options = method === 'PUT' ? { method, body: { products: [{ sku, price }] } } : {};
      try {
        const { status, text } = await get(to, path, agent, options);
        responses += 1;
        if (status !== 200) failures.push(text);
        if (method === 'PUT' && status === 200) last.set(sku, price);
      } catch (error) {
        failures.push(String(error));
        if (method === 'PUT') return;
      }
    }
  };
  const sending = Promise.all(Array.from({ length: connections }, (_, index) => send(index)));
  return {
    responses: () => responses,
    async stop() {
      isOver = true;
      await sending;
      agent.destroy();
      return { failures, last };
    },
  };
}
