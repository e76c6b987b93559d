import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, startTestAisle, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, plainProducts, sendUpdate, waitForJob } from '../../support/catalog.ts';
import { allowTriggers, changeSetting, setReadOnly } from '../../support/database.ts';
import { assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(2));

test('if the database is read-only, the server is not ready and writes return 503, but reads still work', async (t) => {
  const replica = await startTestAisle();
  t.after(replica.stop);
  const { base, token } = await makeChain(replica);
  await setReadOnly(replica, true);
  const isReadOnly = async () => (await ready(replica)).body.checks.database === 'the database is read-only';
  await waitFor('the server not to be ready', isReadOnly);
  assert.equal((await ready(replica)).status, 503);
  const response = await replica.call('POST', `${base}/tokens`, { token, body: { name: 'new' } });
  assertProblem(response, 'service_unavailable');
  assert.match(response.body.detail, /cannot write/);
  assert.equal(response.headers['retry-after'], '5');
  assert.equal((await replica.call('GET', `${base}/vendors`, { token })).status, 200);
  await setReadOnly(replica, false);
  await waitFor('the server to be ready', async () => (await ready(replica)).status === 200);
});

test('a full disk makes the server unready', async (t) => {
  const full = await startTestAisle();
  t.after(full.stop);
  await changeSetting(full, 'temp_file_limit', '0');
  await waitFor('the server not to be ready', async () => {
    const { status, body } = await ready(full);
    return status === 503 && /cannot write/.test(body.checks.database);
  });
});

for (const [state, meaning] of [
  ['53100', 'the disk is full'],
  ['53200', 'the database is out of memory'],
  ['57014', 'the statement is cancelled'],
  ['58030', 'the disk has errors'],
  ['25006', 'the database is read-only'],
] as const) {
  test(`a write returns 503 if ${meaning}`, async () => {
    await whileOffersFailWith(state, async () => {
      const body = { products: [{ sku: 'SKU-00001', price: 3.5 }] };
      const response = await aisle.call('PUT', catalogPath(chain), { token: chain.token, body });
      assertProblem(response, 'service_unavailable');
      assert.ok(Number(response.headers['retry-after']) > 0);
    });
  });
}

test('an accepted job waits while the disk is full, and runs when there is space', async () => {
  const jobId = await whileOffersFailWith('53100', async () => {
    const products = plainProducts(2).map(({ sku }) => ({ sku, price: 7.25 }));
    const jobId = await sendUpdate(aisle, chain, products);
    await waitFor('the first failure', async () => (await task())?.last_error !== null);
    assert.equal((await task())?.attempts, 0);
    // If the next failure were counted, there would be no attempts left.
    await aisle.db.query('update queue_tasks set attempts = 4, run_at = now(), last_error = null');
    await waitFor('the next failure', async () => (await task())?.last_error !== null);
    assert.equal((await task())?.attempts, 4);
    return jobId;
  });
  await aisle.db.query('update queue_tasks set run_at = now()');
  assert.equal((await waitForJob(aisle, chain, jobId)).job_status, 'COMPLETED');
  assert.deepEqual(await aisle.db.query('select 1 from queue_dead'), []);
});

const ready = (server: typeof aisle) => server.call('GET', '/health/ready');

/** The task in the queue. `last_error` is undefined if the task is gone. */
async function task(): Promise<{ attempts: number; last_error: string | null } | undefined> {
  const rows = await aisle.db.query<{ attempts: number; last_error: string | null }>(
    'select attempts, last_error from queue_tasks',
  );
  return rows[0];
}

/** Runs the work while every change to an offer fails with this SQLSTATE, as on a full disk. */
async function whileOffersFailWith<Result>(state: string, work: () => Promise<Result>): Promise<Result> {
  await aisle.db.query(
    `create or replace function fail() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file' using errcode = '${state}'; end $$`,
  );
  await aisle.db.transaction(async (tx) => {
    await allowTriggers(tx);
    await tx.query('create trigger failing before update on offers for each row execute function fail()');
  });
  return work().finally(() =>
    aisle.db.transaction(async (tx) => {
      await allowTriggers(tx);
      await tx.query('drop trigger failing on offers');
    }),
  );
}
