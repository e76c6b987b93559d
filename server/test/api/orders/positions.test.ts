import assert from 'node:assert/strict';
import test from 'node:test';
import { lockPositions } from '../../../src/kernel/database/positions.ts';
import { assignPendingOfAll } from '../../../src/orders/assign-positions.ts';
import { listChainsWithPendingChanges } from '../../../src/orders/change-queries.ts';
import { type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { isLockAwaited } from '../../support/lock-waits.ts';
import { makeShop, placeOrder } from '../../support/orders.ts';
import { waitFor } from '../../support/wait.ts';
import { createWalk, holdOpen } from '../../support/walk.ts';

/** Without a worker, which would assign positions too. */
const aisle = await useOwnAisle({}, 'api');

test('while positions wait to be assigned in one chain, the lists of other chains do not wait', async () => {
  const shops: TestChain[] = [];
  for (let count = 0; count < 3; count++) shops.push(await makeShop(aisle));
  const place = (shop: TestChain) => placeOrder(aisle, shop, [{ sku: 'MILK', quantity: 1 }]);
  for (const shop of shops) await place(shop);
  // The last one, so that the positions of the others have been assigned when it waits.
  const last = (await listChainsWithPendingChanges(aisle.db, 500, null)).at(-1)?.chain_id;
  const held = await holdOpen(aisle, (tx) => lockPositions(tx, `order changes ${last}`));
  const assigning = assignPendingOfAll(aisle.db);
  await waitFor('the assignment to wait', () => isLockAwaited(aisle.db, 'advisory'));
  for (const shop of shops.filter(({ chainId }) => chainId !== last)) {
    const { order_id } = await place(shop);
    const { items } = await createWalk(aisle, shop, 'orders', 'orders').read();
    assert.equal(items.at(-1).order_id, order_id);
  }
  await held.commit();
  assert.equal(await assigning, false);
  const shop = shops.find(({ chainId }) => chainId === last) as TestChain;
  assert.equal((await createWalk(aisle, shop, 'orders', 'orders').read()).items.length, 1);
});
