import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { holdLocks, isLockAwaited } from '../../support/lock-waits.ts';
import { followPlatformFeed } from '../../support/platform-webhooks.ts';
import { applyPromotion, fromNow, percent, promotionBody } from '../../support/promotions.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();

test('a promotion that is cancelled while its start is being announced has no events', async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, [
    { sku: 'A', title: 'Apple', price: 10 },
    { sku: 'B', title: 'Banana', price: 10 },
  ]);
  const feed = await followPlatformFeed(aisle, '&types=promotion.started,promotion.ended');
  const later = { start_time: fromNow(3600), end_time: fromNow(7200) };
  const upcoming = promotionBody({ discount: [percent(20, 'A')], conditions: later });
  const { promotion_id: cancelled } = await applyPromotion(aisle, chain, upcoming);
  await aisle.db.query("update promotions set start_time = now() + interval '2 s' where promotion_id = $1", [
    cancelled,
  ]);
  const cancel = 'update promotions set is_cancelled = true where promotion_id = $1';
  const release = await holdLocks(aisle.db, cancel, [cancelled]);
  await waitFor('the announcement to wait', () => isLockAwaited(aisle.db, 'transactionid'), 20);
  await release();
  const running = promotionBody({ discount: [percent(20, 'B')] });
  const { promotion_id: other } = await applyPromotion(aisle, chain, running);
  await feed.waitFor(1);
  assert.deepEqual(
    feed.seen.map(({ body }) => body.promotion.promotion_id),
    [other],
  );
});
