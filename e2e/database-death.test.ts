import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConnectionError } from '@aisle/sdk';
import { plainProducts } from '../server/test/support/catalog.ts';
import { clientOf } from './support/client.ts';
import { fillDataFolder } from './support/data-folder.ts';
import { makeFolder } from './support/folder.ts';
import { assertExited, assertNoneRunning, familyWithPostgres } from './support/processes.ts';
import { startProgram } from './support/program.ts';
import { startUpload } from './support/upload.ts';
import { within } from './support/wait.ts';

const { folder, remove } = makeFolder();
fillDataFolder(join(folder, 'data'));
after(async () => {
  await assertNoneRunning(folder, 10);
  remove();
});

test('if the embedded PostgreSQL dies under load, the process exits without waiting for open requests, and the next start succeeds', async () => {
  const aisle = await startProgram({ folder, environment: { AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'silent' } });
  const family = familyWithPostgres(aisle.pid);
  const demo = JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8'));
  const catalog = `/v2/chains/${demo.chain_id}/vendors/${demo.vendors[0].vendor_id}/catalog`;
  const token: string = demo.api_token;
  const products = plainProducts(20_000);
  const client = clientOf(aisle, { token, chainId: demo.chain_id });
  const params = { vendor_id: demo.vendors[0].vendor_id as string };
  await client.createStoreProducts({ params, body: { products } });
  // Requests that are still running when the database dies: reads and writes, a long poll, and an unfinished upload.
  const upload = startUpload(`${aisle.url}${catalog}`, 'PUT', token, { products: products.slice(0, 2) });
  void upload.response.catch(() => {});
  await upload.inFlight;
  void load(() => client.listEvents({ query: { wait: 30, after: '0' } }));
  for (let reader = 0; reader < 40; reader++) void load(() => client.listCatalog({ params, query: { page_size: 50 } }));

  const postmaster = readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
  // On a quiet machine, the process exits within 5 s. Without a deadline for open requests, it took two minutes.
  assert.deepEqual(await within(30, 'the exit', aisle.ended), { code: 1, signal: null });
  upload.abort();
  assert.match(aisle.stderr(), /^The embedded PostgreSQL has stopped unexpectedly; its log is in the data folder\.\n$/);
  await assertExited(family, 5);

  const next = await startProgram({ folder, environment: { AISLE_LOG_LEVEL: 'silent' } });
  await next.stop();
});

/** Sends requests until the server can no longer be reached. */
async function load(read: () => Promise<unknown>): Promise<void> {
  for (let error: unknown; !(error instanceof ConnectionError); ) {
    error = await read().catch((reason: unknown) => reason);
  }
}
