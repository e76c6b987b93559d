import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../../e2e/support/client.ts';
import { listFamily } from '../../e2e/support/processes.ts';
import { runCycle } from '../orders/cycle.ts';
import { type Fixture, makeFixture, productCount, skuOf } from '../orders/fixture.ts';
import { createClient } from '../support/client.ts';
import { aisleModule, type Running, startDatabase, startProcess } from '../support/processes.ts';
import type { Part } from './simulate.ts';
import type { OperationName } from './plan.ts';

export type Used = Record<Part, number>;

/** An API process, a worker and PostgreSQL, and the operations of the plan. */
export type System = {
  run: Record<OperationName, () => Promise<void>>;
  /** Milliseconds of processor time that each part has used so far. */
  used(): Used;
  /** Waits until the workers have nothing left to do. */
  settle(): Promise<void>;
  stop(): Promise<void>;
};

export async function startSystem(): Promise<System> {
  const database = await startDatabase();
  const environment = {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'off',
    AISLE_SECRET_KEY: Buffer.alloc(32, 'b').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
  };
  const receiver = await startProcess(new URL('../webhooks/receiver.ts', import.meta.url), [], {});
  const api = await startProcess(aisleModule, ['api'], environment);
  const worker = await startProcess(aisleModule, ['worker'], environment);
  const fixture = await makeFixture(database.db, 10);
  const client = createClient(api.url, 32);
  await setWebhook(api, fixture, `${receiver.url}/hook`);
  const isIdle = async () => {
    const [row] = await database.db.query<{ left: number }>(
      `select (select count(*) from queue_tasks where run_at < 'infinity') + (select count(*) from delivery_lanes)
         + (select count(*) from events where position is null) as left`,
    );
    return Number(row?.left) === 0;
  };
  return {
    run: operationsOf(client, fixture),
    used: () => ({ api: cpuOf(api), worker: cpuOf(worker), postgres: postgresCpu() }),
    async settle() {
      for (let tries = 0; tries < 600 && !(await isIdle()); tries++) await sleep(100);
    },
    async stop() {
      client.close();
      await Promise.all([api.stop(), worker.stop(), receiver.stop()]);
      await database.stop();
    },
  };
}

function operationsOf(client: ReturnType<typeof createClient>, fixture: Fixture): System['run'] {
  let number = 0;
  const catalog = () => {
    const vendor = fixture.vendors[number++ % fixture.vendors.length];
    return `/v2/chains/${fixture.chainId}/vendors/${vendor?.vendor_id}/catalog`;
  };
  const send = async (method: string, path: string, expected: number, body?: unknown) => {
    const { status, text } = await client.send(method, path, fixture.token, body);
    if (status !== expected) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  return {
    order: () => runCycle(client, fixture, { place: [], fulfil: [] }),
    list: () => send('GET', `${catalog()}?page=${1 + (number % 50)}`, 200),
    update: () => send('PUT', catalog(), 200, { products: [{ sku: skuOf(number * 7), price: 1 + (number % 90) }] }),
    bulk() {
      const start = (number * 1000) % productCount;
      const products = Array.from({ length: 1000 }, (_, index) => ({
        sku: skuOf(start + index),
        price: 1 + ((number + index) % 90),
      }));
      return send('PUT', catalog(), 202, { products });
    },
  };
}

/** With another token, because the fixture's token cannot configure webhooks. */
async function setWebhook(api: Running, { chainId, platformToken }: Fixture, url: string): Promise<void> {
  const { token } = await clientOf(api, { token: platformToken }).platformCreateToken({
    params: { chain_id: chainId },
    body: { name: 'manage', scopes: ['manage', 'orders:read', 'catalog:read'] },
  });
  const body = { environment: 'production', production_url: url } as const;
  await clientOf(api, { token, chainId }).putWebhook({ body });
}

function cpuOf({ process: child }: Running): number {
  return cpuMs(child.pid ?? 0);
}

function postgresCpu(): number {
  const servers = listFamily(process.pid).filter(({ command }) => command.includes('postgres'));
  return servers.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
}

/** Of the process and its children that have exited, from Linux's /proc, in hundredths of a second. */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * 10;
  } catch {
    return 0;
  }
}
