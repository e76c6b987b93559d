import assert from 'node:assert/strict';
import test from 'node:test';
import { useOwnAisle } from '../../support/aisle.ts';
import { allowTriggers, isCluster } from '../../support/database.ts';
import { allPicked, fulfil, makeShop, placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();
const chain = await makeShop(aisle);

test('if the connection is lost during COMMIT, the request gets 503 and can be retried with the same key', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const send = () => fulfil(aisle, chain, order, allPicked(order), { 'idempotency-key': 'fulfil' });
  // Deferred triggers run during COMMIT.
  await aisle.db.query(
    `create function lose_connection() returns trigger language plpgsql as $$
       begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return null; end $$`,
  );
  await aisle.db.transaction(async (tx) => {
    await allowTriggers(tx);
    await tx.query(
      `create constraint trigger lose_connection after insert on order_changes deferrable initially deferred
       for each row execute function lose_connection()`,
    );
  });
  const response = await send();
  assertProblem(response, 'service_unavailable');
  assert.match(response.body.detail, /may or may not have been saved/);
  assert.equal(response.headers['retry-after'], '5');

  await aisle.db.transaction(async (tx) => {
    await allowTriggers(tx);
    await tx.query('drop trigger lose_connection on order_changes');
  });
  let again = await send();
  // On a cluster, the node of the lost connection is not used for about a second.
  if (isCluster) await waitFor('the node to be used again', async () => (again = await send()).status !== 503);
  assert.deepEqual([again.status, again.body.status, again.body.revision], [200, 'READY_FOR_PICKUP', 2]);
});
