import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import type { DemoFile } from '../../server/src/demo/index.ts';
import { cloneDatabase } from '../../server/test/support/database.ts';
import type { Collection, Entry } from '../../tools/openapi/collection.ts';
import { loadTool } from '../../tools/openapi/load.ts';
import { makeFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';

const root = new URL('../..', import.meta.url);
const collection = JSON.parse(
  readFileSync(new URL('openapi/aisle.postman_collection.json', root), 'utf8'),
) as Collection;
const demo = await startDemo();

test('the requests in the collection fulfil an order and update the catalog', async () => {
  const executions = await run(inOrder(flow));
  assert.deepEqual(
    executions.map(({ name, status }) => `${status} ${name}`),
    flow.map(([status, name]) => `${status} ${name}`),
  );
});

test('every request in the collection is authenticated and valid, and matches a route', async () => {
  const executions = await run(collection);
  const sent = collection.item.flatMap(({ item }) => item.map(({ name }) => name));
  assert.deepEqual(
    executions.map(({ name }) => name),
    sent,
  );
  // The requests run in the collection's order, so an object may not exist yet or may already be closed or deleted.
  const isAllowed = ({ status, text }: Execution) =>
    status < 300 ||
    ([404, 409, 410].includes(status) && !text.includes('"route_not_found"')) ||
    text.includes('"vendor_closed"');
  const failed = executions.filter((execution) => !isAllowed(execution));
  assert.deepEqual(failed, []);
});

const flow: [status: number, name: string][] = [
  [200, 'Exchange client credentials for an access token'],
  [200, 'List stores'],
  [202, 'Update prices, stock and availability'],
  [200, 'Get a catalog job'],
  [202, 'Create, update or cancel a promotion'],
  [200, 'Get a promotion job'],
  [201, 'Place an order at a test store as the customer'],
  [200, 'Get an order'],
  [200, 'Fulfil, modify, validate or cancel an order'],
  [200, 'Pick up an order at a test store as the rider'],
  [200, 'Deliver an order at a test store as the rider'],
  [200, "Get an order's history"],
  [201, 'Create client credentials'],
  [200, 'Delete a client and revoke its access tokens'],
];

/** Returns a collection that contains only these requests, in this order. */
function inOrder(names: [number, string][]): Collection {
  const entries = new Map(collection.item.flatMap(({ item }) => item.map((entry) => [entry.name, entry])));
  return {
    ...collection,
    item: [{ id: 'flow', name: 'Flow', item: names.map(([, name]) => entries.get(name) as Entry) }],
  };
}

type Execution = { name: string; status: number; text: string };
type Summary = {
  run: { executions: { item: { name: string }; response?: { code: number; text(): string } }[] };
};
type Newman = { default: { run(options: object, done: (error: Error | null, summary: Summary) => void): void } };

async function run(requests: Collection): Promise<Execution[]> {
  const { default: newman } = (await loadTool('newman')) as Newman;
  const { base_url, chain_id, api_token, client_id, client_secret } = demo;
  const values = { base_url, chain_id, api_token, client_id, client_secret };
  const envVar = Object.entries(values).map(([key, value]) => ({ key, value }));
  const { run: result } = await new Promise<Summary>((resolve, reject) => {
    newman.run({ collection: structuredClone(requests), envVar }, (error, summary) =>
      error ? reject(error) : resolve(summary),
    );
  });
  return result.executions.map(({ item, response }) => ({
    name: item.name,
    status: response?.code ?? 0,
    text: (response?.text() ?? '').slice(0, 500),
  }));
}

async function startDemo(): Promise<DemoFile> {
  const { folder, remove } = makeFolder();
  const database = await cloneDatabase();
  const environment = {
    DATABASE_URL: database.url,
    AISLE_DEMO: 'on',
    AISLE_DATA_DIR: folder,
    AISLE_LOG_LEVEL: 'warn',
    AISLE_RATE_LIMITS: 'off',
    AISLE_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const aisle = await startProgram({ folder, environment });
  after(async () => {
    await aisle.stop().catch(() => aisle.kill('SIGKILL'));
    await database.drop();
    remove();
  });
  return JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile;
}
