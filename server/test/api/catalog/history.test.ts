import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogChores } from '../../../src/catalog/chores.ts';
import { runChore } from '../../support/chores.ts';
import { callerFor, makeChain, useAisle } from '../../support/aisle.ts';
import { holdLocks, isLockAwaited } from '../../support/lock-waits.ts';
import { addProducts, plainProducts, putProducts, runUpdate } from '../../support/catalog.ts';
import { placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { act } from '../../support/undo.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
const other = await makeChain(aisle);
const [store, otherStore] = chain.vendors as [string, string];
const call = callerFor(aisle, chain);
await addProducts(aisle, chain, plainProducts(10));

async function readHistory(sku: string, query = '') {
  const { status, text, body } = await call('GET', `/vendors/${store}/catalog/history?sku=${sku}${query}`);
  assert.equal(status, 200, text);
  return body.changes;
}

test('the history of a product lists its changes, newest first', async () => {
  const sku = 'SKU-00001';
  const job = await runUpdate(aisle, chain, [
    { sku, price: 2 },
    { sku: 'SKU-00002', price: 3 },
  ]);
  await putProducts(aisle, chain, [{ sku, quantity: 9, active: true }]);
  const order = await placeOrder(aisle, chain, [{ sku, quantity: 2 }]);
  const changes = await readHistory(sku);
  const values = { price: 2, quantity: 9, active: true, maximum_sales_quantity: null };
  assert.deepEqual(
    changes.map(({ changed_at: _at, ...rest }: { changed_at: string }) => rest),
    [
      { source: 'ORDER', order_id: order.order_id, old: values, new: { ...values, quantity: 7 } },
      { source: 'UPDATE', changed_by: 'all', old: { ...values, quantity: 5 }, new: values },
      {
        source: 'JOB',
        job_id: job.job_id,
        changed_by: 'all',
        old: { ...values, price: 1, quantity: 5 },
        new: { ...values, quantity: 5 },
      },
    ],
  );
  assert.equal((await readHistory(sku, '&limit=1')).length, 1);
});

test('changes that waited for locks are listed in the order in which they were made', async () => {
  const [first, sku] = ['SKU-00007', 'SKU-00008'];
  const lock = 'select from offers where chain_id = $1 and vendor_id = $2 and sku = $3 for update';
  const release = await holdLocks(aisle.db, lock, [chain.chainId, store, first]);
  const waiting = placeOrder(aisle, chain, [
    { sku: first, quantity: 1 },
    { sku, quantity: 1 },
  ]);
  await waitFor('the order to wait', () => isLockAwaited(aisle.db, 'transactionid'));
  await putProducts(aisle, chain, [{ sku, price: 2 }]);
  await release();
  await waiting;
  const changes = await readHistory(sku);
  assert.deepEqual(
    changes.map((change: { new: { price: number; quantity: number } }) => [change.new.price, change.new.quantity]),
    [
      [2, 4],
      [2, 5],
    ],
  );
});

test('updates that change nothing are not in the history', async () => {
  const sku = 'SKU-00003';
  await runUpdate(aisle, chain, [
    { sku, price: 1 },
    { sku: 'SKU-00004', price: 1 },
  ]);
  await putProducts(aisle, chain, [{ sku, price: 1 }]);
  assert.deepEqual(await readHistory(sku), []);
  const kept = await aisle.db.query('select 1 from job_changes where chain_id = $1 and $2 = any (skus)', [
    chain.chainId,
    sku,
  ]);
  assert.equal(kept.length, 0);
});

test('the history belongs to one store of one chain', async () => {
  await runUpdate(aisle, chain, [{ sku: 'SKU-00005', price: 2 }]);
  const path = `/vendors/${otherStore}/catalog/history?sku=SKU-00005`;
  assert.deepEqual((await call('GET', path)).body.changes, []);
  assertProblem(await call('GET', path, { token: other.token }), 'chain_not_found');
  assertProblem(await call('GET', `/vendors/${store}/catalog/history?sku=NO-SUCH-SKU`), 'product_not_found');
  assertProblem(await call('GET', `/vendors/${store}/catalog/history`), 'invalid_request');
});

test('changes are deleted after 30 days, and cannot be reverted then', async () => {
  const sku = 'SKU-00006';
  const job = await runUpdate(aisle, chain, [{ sku, price: 2 }]);
  await putProducts(aisle, chain, [{ sku, price: 3 }]);
  for (const table of ['job_changes', 'offer_history']) {
    await aisle.db.query(`update ${table} set changed_at = now() - interval '31 days' where chain_id = $1`, [
      chain.chainId,
    ]);
  }
  const chore = catalogChores.find(({ name }) => name === 'delete old price and stock history');
  await runChore(aisle, chore);
  assert.deepEqual(await readHistory(sku), []);
  assertProblem(await act(aisle, chain, job.job_id, 'revert'), 'job_state_conflict');
});
