import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  compareIncomingUpdates,
  createIncomingUpdates,
  fillIncomingUpdates,
  findIncomingRange,
} from '../../../src/catalog/incoming-queries.ts';
import { writeIncomingUpdates } from '../../../src/catalog/update-queries.ts';
import { makeChain, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
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
import { isLockAwaited } from '../../support/lock-waits.ts';
import { waitFor } from '../../support/wait.ts';

let aisle: TestAisle;
let chain: TestChain;

before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(20));
});

/** More than two chunks. All but the last item of a SKU count as unchanged, so most items of each chunk do. */
const repeats = 2000;

test('a chunk after one that was mostly unchanged has the same results as any other', async () => {
  const skus = Array.from({ length: 20 }, (_, index) => `SKU-${String(index + 1).padStart(5, '0')}`);
  const last = skus.map((sku, index) => {
    if (index % 4 === 0) return { sku, price: 2, quantity: null };
    if (index % 4 === 1) return { sku, price: 1, quantity: 5, active: true };
    if (index % 4 === 2) return { sku: `${sku}-X`, price: 3 };
    return { sku, maximum_sales_quantity: index };
  });
  const items = last.flatMap((item) => [
    ...Array.from({ length: repeats - 1 }, () => ({ sku: item.sku, price: 9 })),
    item,
  ]);
  const job = await runUpdate(aisle, chain, items);
  assert.deepEqual(job.progress, {
    total: 20 * repeats,
    processed: 20 * repeats,
    succeeded: 10,
    unchanged: 20 * (repeats - 1) + 5,
    failed: 5,
  });
  const lines = (await readLog(aisle, chain, job.job_id)).filter((line) => !line.includes('given_again')).slice(1);
  const states = ['UPDATED', 'UNCHANGED', 'FAILED', 'UPDATED'];
  assert.deepEqual(
    lines.map((line) => line.split(',')).map(([sku, , state]) => [sku, state]),
    last.map(({ sku }, index) => [sku, states[index % 4]]),
  );
  for (const [index, sku] of skus.entries()) {
    const { price, quantity, maximum_sales_quantity } = await readProduct(aisle, chain, sku);
    assert.deepEqual(
      [price, quantity, maximum_sales_quantity],
      [index % 4 === 0 ? 2 : 1, index % 4 === 0 ? null : 5, index % 4 === 3 ? index : null],
      sku,
    );
  }
  const kept = await aisle.db.query<{ sku: string; old_price: string; new_price: string; new_maximum: number }>(
    `select * from job_changes, unnest(skus, old_prices, new_prices, new_maximums)
       as u (sku, old_price, new_price, new_maximum)
     where job_id = $1 order by sku`,
    [job.job_id],
  );
  assert.deepEqual(
    kept.map(({ sku, old_price, new_price, new_maximum }) => [sku, Number(old_price), Number(new_price), new_maximum]),
    skus.flatMap((sku, index) => (index % 4 === 0 ? [[sku, 1, 2, null]] : index % 4 === 3 ? [[sku, 1, 1, index]] : [])),
  );
});

test('an update that was accepted before a single update is compared without the items of the single update', async () => {
  const [store = ''] = chain.vendors;
  await putProducts(aisle, chain, [{ sku: 'SKU-00004', price: 4 }]);
  const rows = [
    ['SKU-00004', '8'],
    ['SKU-00008', '8'],
    ['SKU-00010', '1'],
    ['SKU-00010-Y', '8'],
  ];
  const lines = rows.map(([sku, price], index) => `${index + 1}\t${sku}\t${price}\t-1\t\\N\t-1\t\\N\n`);
  const [offer] = await aisle.db.query<{ single_update_no: string }>(
    "select single_update_no from offers where chain_id = $1 and vendor_id = $2 and sku = 'SKU-00004'",
    [chain.chainId, store],
  );
  await aisle.db.transaction(async (tx) => {
    await createIncomingUpdates(tx);
    await fillIncomingUpdates(tx, Buffer.from(lines.join('')));
    const range = await findIncomingRange(tx);
    const compared = await compareIncomingUpdates(tx, chain.chainId, store, offer?.single_update_no ?? '', range);
    assert.deepEqual(compared, { unknown: [4], superseded: [1] });
  });
});

test('an item is SUPERSEDED if a single update commits between its comparison and its update', async () => {
  const single = `update offers set price = 6, single_update_no = 9000000000000000
    where chain_id = $1 and vendor_id = $2 and sku = 'SKU-00020'`;
  const items = [
    ...Array.from({ length: 10 * repeats }, () => ({ sku: 'SKU-00012', active: true })),
    { sku: 'SKU-00019', active: true },
    { sku: 'SKU-00020', price: 7 },
  ];
  const jobId = await aisle.db.withoutTimeout.transaction(async (tx) => {
    await tx.query(single, [chain.chainId, chain.vendors[0]]);
    const accepted = await sendUpdate(aisle, chain, items);
    await waitFor('the update to wait for the offer', () => isLockAwaited(aisle.db, 'transactionid'), 30);
    return accepted;
  });
  await waitForJob(aisle, chain, jobId);
  const [line = ''] = (await readLog(aisle, chain, jobId)).slice(-1);
  assert.match(line, /^SKU-00020,superseded_by_single_update,SUPERSEDED,/);
  assert.equal((await readProduct(aisle, chain, 'SKU-00020')).price, 6);
});

for (const [kind, last, locked] of [
  ['neighbours', 'SKU-00014', ['SKU-00013', 'SKU-00014']],
  ['far apart', 'SKU-00017', ['SKU-00013', 'SKU-00017']],
] as const) {
  test(`on a distributed database, offers that are ${kind} are locked, written and recorded, and no others`, async () => {
    const [store = ''] = chain.vendors;
    const job = await runUpdate(aisle, chain, [{ sku: 'SKU-00018', price: kind.length }]);
    const lines = `1\tSKU-00013\t${kind.length}\t-1\t\\N\t7\t\\N\n2\t${last}\t\\N\t\\N\tf\t-1\t\\N\n`;
    const terms = { jobId: job.job_id, acceptanceNo: '9000000000', hasBarcodes: false, items: 2 };
    await aisle.db.transaction(async (tx) => {
      await createIncomingUpdates(tx);
      await fillIncomingUpdates(tx, Buffer.from(lines));
      const range = await findIncomingRange(tx);
      const where = { ...terms, isSharded: true, returnsOld: false };
      const { count, rows } = await writeIncomingUpdates(tx, chain.chainId, store, where, range);
      assert.deepEqual([count, rows], [2, null]);
      const free = await aisle.db.query<{ sku: string }>(
        'select sku from offers where chain_id = $1 and vendor_id = $2 for update skip locked',
        [chain.chainId, store],
      );
      const skus = Array.from({ length: 20 }, (_, index) => `SKU-${String(index + 1).padStart(5, '0')}`);
      assert.deepEqual(
        skus.filter((sku) => !free.some((offer) => offer.sku === sku)),
        locked,
      );
    });
    const [first, second] = [await readProduct(aisle, chain, 'SKU-00013'), await readProduct(aisle, chain, last)];
    assert.deepEqual([first.price, first.maximum_sales_quantity], [kind.length, 7]);
    assert.deepEqual([second.active, second.quantity], [false, null]);
    const [kept] = await aisle.db.query<Record<string, unknown>>(
      "select * from job_changes where chain_id = $1 and job_id = $2 and 'SKU-00013' = any (skus)",
      [chain.chainId, job.job_id],
    );
    assert.deepEqual([kept?.['low'], kept?.['high']], ['SKU-00013', last]);
    assert.deepEqual(kept?.['new_active'], [true, false]);
  });
}
