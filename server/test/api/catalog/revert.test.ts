import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { updateOffers } from '../../../src/catalog/single-queries.ts';
import {
  createIncomingUpdates,
  fillIncomingUpdates,
  findIncomingRange,
} from '../../../src/catalog/incoming-queries.ts';
import { writeIncomingUpdates } from '../../../src/catalog/update-queries.ts';
import { callerFor, makeChain, makeToken, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import {
  addProducts,
  plainProducts,
  putProducts,
  readLog,
  readProduct,
  runUpdate,
  sendUpdate,
  waitForJob,
} from '../../support/catalog.ts';
import { runFile } from '../../support/files.ts';
import { isLockAwaited } from '../../support/lock-waits.ts';
import { placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { act, readValues, run, runPreview } from '../../support/undo.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();

/** A new chain with stocked stores. */
async function makeShop(products = 6): Promise<TestChain> {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(products));
  return chain;
}

test('a revert restores every field that the job changed', async () => {
  const chain = await makeShop();
  await runUpdate(aisle, chain, [{ sku: 'SKU-00002', barcode: '111', maximum_sales_quantity: 3, quantity: null }]);
  const before = await readValues(aisle, chain);
  const job = await runUpdate(aisle, chain, [
    { sku: 'SKU-00001', price: 9 },
    { sku: 'SKU-00002', price: 8, quantity: 1, active: false, maximum_sales_quantity: null, barcode: '222' },
    { sku: 'SKU-00003', price: 1 },
    { sku: 'NO-SUCH-SKU', price: 1 },
  ]);
  assert.equal(job.progress.succeeded, 2);
  const revert = await run(aisle, chain, job.job_id, 'revert');
  assert.deepEqual(
    [revert.job_status, revert.job_type, revert.reverts_job_id],
    ['COMPLETED', 'CATALOG_UPDATE', job.job_id],
  );
  // The barcode has a row of its own.
  assert.deepEqual(revert.progress, { total: 3, processed: 3, succeeded: 3, unchanged: 0, failed: 0 });
  assert.deepEqual(await readValues(aisle, chain), before);
  assert.deepEqual((await readLog(aisle, chain, revert.job_id)).toSorted(), [
    'SKU-00001,,UPDATED,,2,',
    'SKU-00002,,UPDATED,,1,',
    'SKU-00002,,UPDATED,,3,',
    'sku,code,state,errors,rowNumber,pieceBarcode',
  ]);
});

test('a revert can be reverted', async () => {
  const chain = await makeShop();
  const job = await runUpdate(aisle, chain, [
    { sku: 'SKU-00001', price: 9 },
    { sku: 'SKU-00002', quantity: 0 },
  ]);
  const after = await readValues(aisle, chain);
  const revert = await run(aisle, chain, job.job_id, 'revert');
  const again = await run(aisle, chain, revert.job_id, 'revert');
  assert.equal(again.reverts_job_id, revert.job_id);
  assert.deepEqual(await readValues(aisle, chain), after);
});

test('a revert keeps what has changed since, and says by what', async () => {
  const chain = await makeShop();
  const products = plainProducts(5).map(({ sku }) => ({ sku, price: 2, quantity: 7 }));
  const job = await runUpdate(aisle, chain, products);
  const later = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
  // Changed, and changed back.
  await runUpdate(aisle, chain, [{ sku: 'SKU-00002', price: 4, quantity: 8 }]);
  await putProducts(aisle, chain, [{ sku: 'SKU-00002', price: 2, quantity: 7 }]);
  const order = await placeOrder(aisle, chain, [{ sku: 'SKU-00003', quantity: 2 }]);
  const revert = await run(aisle, chain, job.job_id, 'revert');
  assert.deepEqual(revert.progress, { total: 5, processed: 5, succeeded: 4, unchanged: 1, failed: 0 });
  const values = await Promise.all(
    products.map(async ({ sku }) => {
      const { price, quantity } = await readProduct(aisle, chain, sku);
      return [price, quantity];
    }),
  );
  assert.deepEqual(values, [
    [3, 5],
    [2, 7],
    [1, 5],
    [1, 5],
    [1, 5],
  ]);
  const log = await readLog(aisle, chain, revert.job_id);
  const expected = [
    `SKU-00001,changed_since,UPDATED,A newer change by job ${later.job_id} was kept: price.,1,`,
    'SKU-00002,changed_since,SUPERSEDED,"A newer change by all was kept: price, quantity.",2,',
    `SKU-00003,changed_since,UPDATED,A newer change by order ${order.order_id} was kept: quantity.,3,`,
    'SKU-00004,,UPDATED,,4,',
  ];
  assert.deepEqual(log.slice(1, 5), expected);
  const feedback = revert.result.item_level_feedback;
  assert.deepEqual([feedback.length, feedback[0].sku, feedback[0].status], [1, 'SKU-00002', 'SUPERSEDED']);
});

test('a revert of some SKUs leaves the others as they are', async () => {
  const chain = await makeShop();
  const job = await runUpdate(
    aisle,
    chain,
    plainProducts(3).map(({ sku }) => ({ sku, price: 6 })),
  );
  const revert = await run(aisle, chain, job.job_id, 'revert', { skus: ['SKU-00002'] });
  assert.equal(revert.progress.total, 1);
  const prices = await Promise.all(
    plainProducts(3).map(async ({ sku }) => (await readProduct(aisle, chain, sku)).price),
  );
  assert.deepEqual(prices, [6, 1, 6]);
  const unknown = await act(aisle, chain, job.job_id, 'revert', { skus: ['SKU-00001', 'SKU-00004'] });
  assertProblem(unknown, 'invalid_request');
  assert.match(unknown.body.detail, /it has not changed SKU-00004/);
  const misspelled = await act(aisle, chain, job.job_id, 'revert', { sku: ['SKU-00001'] });
  assertProblem(misspelled, 'invalid_request');
});

test('a revert restores a SKU that a file changed twice, at all stores', async () => {
  const chain = await makeShop();
  const before = await readValues(aisle, chain);
  const filler = Array.from({ length: 21_000 }, (_, index) => `NO-${index},1\n`).join('');
  const content = `sku,price\nSKU-00001,3\n${filler}SKU-00001,4\n`;
  const { job } = await runFile(aisle, chain, { name: 'twice.csv', content, folder: '/catalog/all' });
  assert.equal(job.progress.succeeded, 2 * chain.vendors.length);
  const revert = await run(aisle, chain, job.job_id, 'revert');
  assert.equal(revert.progress.succeeded, 2 * chain.vendors.length);
  assert.deepEqual(await readValues(aisle, chain), before);
});

test('a job that an earlier version applied in part, without recording it, is not reverted in part', async () => {
  const chain = await makeShop();
  const content = 'sku,price,barcode\nSKU-00001,3,111\nSKU-00002,4,\nSKU-00003,,333\n';
  const { job } = await runFile(aisle, chain, { name: 'some.csv', content, folder: '/catalog/all' });
  const { succeeded } = job.progress;
  const [first] = chain.vendors;
  await aisle.db.query('delete from job_changes where chain_id = $1 and vendor_id = $2', [chain.chainId, first]);
  const before = await readValues(aisle, chain);
  const partly = await act(aisle, chain, job.job_id, 'revert');
  assertProblem(partly, 'job_state_conflict');
  const known = new RegExp(`^Only \\d of the ${succeeded} changes of the job are known`);
  assert.match(partly.body.detail, known);
  assert.deepEqual(await readValues(aisle, chain), before);
  assert.equal((await run(aisle, chain, job.job_id, 'revert', { skus: ['SKU-00002'] })).progress.succeeded, 1);
  await aisle.db.query('delete from job_changes where chain_id = $1 and job_id = $2', [chain.chainId, job.job_id]);
  const unknown = await act(aisle, chain, job.job_id, 'revert');
  assertProblem(unknown, 'job_state_conflict');
  assert.match(unknown.body.detail, /^Only 0 of the/);
});

test('a revert runs after the jobs that were accepted before it, and before later ones', async () => {
  const chain = await makeShop();
  const job = await runUpdate(
    aisle,
    chain,
    plainProducts(6).map(({ sku }) => ({ sku, price: 2 })),
  );
  const running = await sendUpdate(aisle, chain, [
    { sku: 'SKU-00001', price: 3 },
    { sku: 'SKU-00002', quantity: 9 },
  ]);
  const { body: revert } = await act(aisle, chain, job.job_id, 'revert');
  const after = await sendUpdate(aisle, chain, [
    { sku: 'SKU-00003', price: 5 },
    { sku: 'SKU-00004', price: 2 },
  ]);
  for (const id of [running, revert.job_id, after]) await waitForJob(aisle, chain, id);
  const prices = await Promise.all(
    plainProducts(6).map(async ({ sku }) => (await readProduct(aisle, chain, sku)).price),
  );
  assert.deepEqual(prices, [3, 1, 5, 2, 1, 1]);
  assert.equal((await readProduct(aisle, chain, 'SKU-00002')).quantity, 9);
});

test('a credential for some stores cannot restore barcodes', async () => {
  const chain = await makeShop();
  const [store] = chain.vendors as [string];
  const job = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2, barcode: '42' }]);
  const token = await makeToken(aisle, chain.chainId, { vendor_ids: [store] });
  const { body } = await act(aisle, chain, job.job_id, 'revert', undefined, token);
  const revert = await waitForJob(aisle, chain, body.job_id);
  assert.deepEqual([revert.progress.succeeded, revert.progress.failed], [1, 1]);
  assert.equal(revert.result.item_level_feedback[0].code, 'requires_all_vendors');
  assert.deepEqual((await readProduct(aisle, chain, 'SKU-00001')).barcodes, ['42']);
});

describe('a revert of a job that was followed by many changes', () => {
  test('does not lock the offers while it reads them', async () => {
    const chain = await makeShop();
    const job = await runUpdate(aisle, chain, newPrices);
    await putProducts(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
    const reverting = await aisle.db.transaction(async (tx) => {
      await tx.query('lock table offer_history in access exclusive mode');
      const { body } = await act(aisle, chain, job.job_id, 'revert');
      await waitForLock('relation');
      await tx.query('select 1 from offers where chain_id = $1 for no key update nowait', [chain.chainId]);
      return body.job_id;
    });
    const { progress } = await waitForJob(aisle, chain, reverting);
    assert.deepEqual([progress.succeeded, progress.unchanged], [4, 1]);
  });

  test('keeps a value that changes and changes back before its offer is locked', async () => {
    const chain = await makeShop();
    const [store] = chain.vendors as [string];
    const job = await runUpdate(aisle, chain, newPrices);
    const reverting = await aisle.db.transaction(async (tx) => {
      await tx.query("select 1 from offers where chain_id = $1 and sku = 'SKU-00002' for update", [chain.chainId]);
      const { body } = await act(aisle, chain, job.job_id, 'revert');
      await waitForLock('transactionid');
      for (const price of ['7', '2']) {
        await updateOffers(tx, chain.chainId, store, [{ sku: 'SKU-00002', price, changedBy: 'Sam' }], true);
      }
      return body.job_id;
    });
    const { progress } = await waitForJob(aisle, chain, reverting);
    assert.deepEqual([progress.succeeded, progress.unchanged], [4, 1]);
    assert.equal((await readProduct(aisle, chain, 'SKU-00002')).price, 2);
    const kept = 'SKU-00002,changed_since,SUPERSEDED,A newer change by Sam was kept: price.,2,';
    assert.ok((await readLog(aisle, chain, reverting)).includes(kept));
  });

  test('finds the oldest one', async () => {
    const chain = await makeShop();
    const [store] = chain.vendors as [string];
    const job = await runUpdate(aisle, chain, newPrices);
    await runUpdate(aisle, chain, [{ sku: 'SKU-00003', price: 4 }]);
    const back = await runUpdate(aisle, chain, [{ sku: 'SKU-00003', price: 2 }]);
    await aisle.db.query(
      `insert into job_changes (chain_id, job_id, vendor_id, changed_at, low, high, skus, old_prices, new_prices)
       select $1, $2, $3, now() + make_interval(secs => n), 'A', 'Z', array['A', 'Z'], array[1, 1], array[n, n]
       from generate_series(1, 250) n`,
      [chain.chainId, back.job_id, store],
    );
    const revert = await run(aisle, chain, job.job_id, 'revert');
    assert.deepEqual([revert.progress.succeeded, revert.progress.unchanged], [4, 1]);
    const kept = `SKU-00003,changed_since,SUPERSEDED,A newer change by job ${back.job_id} was kept: price.,3,`;
    assert.ok((await readLog(aisle, chain, revert.job_id)).includes(kept));
  });

  const newPrices = plainProducts(5).map(({ sku }) => ({ sku, price: 2 }));
});

/** Waits until another connection waits for a lock of this type. */
function waitForLock(type: 'relation' | 'transactionid'): Promise<void> {
  return waitFor(`a wait for a lock of the type ${type}`, () => isLockAwaited(aisle.db, type), 60);
}

describe('what cannot be reverted', () => {
  test('a preview, a job that changed nothing, and a job of another type', async () => {
    const chain = await makeShop();
    const call = callerFor(aisle, chain);
    const preview = await runPreview(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]);
    const unchanged = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 1 }]);
    const { body: exported } = await call('POST', `/vendors/${chain.vendors[0]}/catalog/export`);
    for (const id of [preview.job_id, unchanged.job_id, exported.job_id]) {
      assertProblem(await act(aisle, chain, id, 'revert'), 'job_state_conflict');
    }
  });

  test("another chain's job, and a job of a store that the credential cannot access", async () => {
    const chain = await makeShop();
    const other = await makeChain(aisle);
    const job = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]);
    assertProblem(await act(aisle, other, job.job_id, 'revert'), 'job_not_found');
    const token = await makeToken(aisle, chain.chainId, { vendor_ids: [String(chain.vendors[1])] });
    assertProblem(await act(aisle, chain, job.job_id, 'revert', undefined, token), 'job_not_found');
  });
});

for (const isSharded of [false, true]) {
  const where = isSharded ? ', if it is distributed' : '';
  test(`a server that cannot return old values keeps the same changes${where}`, async () => {
    const chain = await makeShop();
    const [store] = chain.vendors as [string];
    const job = await runUpdate(aisle, chain, [{ sku: 'SKU-00006', price: 2 }]);
    const lines = Buffer.from('1\tSKU-00001\t7.5\t-1\tf\t\\N\t123\n2\tSKU-00002\t1\t5\t\\N\t-1\t\\N\n');
    await aisle.db.transaction(async (tx) => {
      await createIncomingUpdates(tx);
      await fillIncomingUpdates(tx, lines);
      const range = await findIncomingRange(tx);
      const limits = { items: 2, isSharded, returnsOld: false };
      const terms = { jobId: job.job_id, acceptanceNo: '9000000000', hasBarcodes: true, ...limits };
      const written = await writeIncomingUpdates(tx, chain.chainId, store, terms, range);
      assert.deepEqual(written, { count: 1, rows: [1] });
    });
    const kept = await aisle.db.query(
      `select skus, old_prices, new_prices, old_active, new_active, old_barcodes, new_barcodes from job_changes
     where job_id = $1 and 'SKU-00001' = any (skus) order by change_no`,
      [job.job_id],
    );
    const none = { old_prices: null, new_prices: null, old_active: null, new_active: null };
    assert.deepEqual(kept, [
      {
        skus: ['SKU-00001'],
        old_prices: [1],
        new_prices: [7.5],
        old_active: [true],
        new_active: [false],
        old_barcodes: null,
        new_barcodes: null,
      },
      { skus: ['SKU-00001'], ...none, old_barcodes: [''], new_barcodes: ['123'] },
    ]);
  });
}
