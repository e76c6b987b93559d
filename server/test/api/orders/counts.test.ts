import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { orderChores } from '../../../src/orders/chores.ts';
import { runChore } from '../../support/chores.ts';
import { type TestChain, useAisle } from '../../support/aisle.ts';
import { ageOrder, makeShop, placeOrder } from '../../support/orders.ts';

const aisle = await useAisle();
let chain: TestChain;
const dayMs = 86_400_000;
const midnight = Math.floor(Date.now() / dayMs) * dayMs;
/** Some are exactly at the beginning or the end of a day. */
const times = [0.2, 1, 1.5, 1.9999999, 2, 2.3, 3, 3.0000001, 7.7, 12, 12.5, 30, 58].map(
  (days) => new Date(Math.round(midnight - days * dayMs)),
);

before(async () => {
  chain = await makeShop(aisle, { vendors: 2 });
  for (const [index, time] of times.entries()) {
    const { order_id: orderId } = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], {
      vendor_id: chain.vendors[index % 3 === 0 ? 1 : 0],
    });
    await ageOrder(aisle, orderId, time);
    if (index % 4 === 0) await aisle.db.query('update orders set is_test = true where order_id = $1', [orderId]);
  }
});

function countOrders(readableDays = 60): Promise<string> {
  const config = { limits: { orderDays: 0, readableDays } } as Parameters<typeof orderChores>[0];
  const chore = orderChores(config).find(({ name }) => name === 'count the orders of past days');
  return runChore(aisle, chore);
}

type Filter = { vendor?: string | undefined; isTest?: boolean | undefined };

async function assertTotals(): Promise<void> {
  const filters: Filter[] = [undefined, ...chain.vendors].flatMap((vendor) =>
    [undefined, true, false].map((isTest) => ({ vendor, isTest })),
  );
  const bounds = [...times, new Date(midnight), new Date(midnight - 5 * dayMs), new Date(midnight - 59 * dayMs)];
  for (const filter of filters) {
    for (const from of bounds.filter((_, index) => index % 3 === 0)) {
      for (const to of bounds.filter((bound, index) => bound >= from && index % 2 === 0))
        await assertTotal(filter, from, to);
    }
  }
}

async function assertTotal({ vendor, isTest }: Filter, from: Date, to: Date): Promise<void> {
  const query = new URLSearchParams({ page_size: '1', start_time: from.toISOString(), end_time: to.toISOString() });
  if (vendor !== undefined) query.set('vendor_id', vendor);
  if (isTest !== undefined) query.set('is_test', String(isTest));
  const { body } = await aisle.call('GET', `${chain.base}/orders/search?${query.toString()}`, { token: chain.token });
  const [expected] = await aisle.db.query<{ total: number }>(
    `select count(*)::int as total from orders where chain_id = $1 and created_at >= $2 and created_at < $3
       and ($4::text is null or vendor_id = $4) and ($5::boolean is null or is_test = $5)`,
    [chain.chainId, from, to, vendor ?? null, isTest ?? null],
  );
  assert.equal(body.total_items, expected?.total, query.toString());
}

/** A worker may have counted them before this test did. */
async function assertCounted(): Promise<void> {
  const counted = await aisle.db.query('select sum(orders)::int as orders from order_days where chain_id = $1', [
    chain.chainId,
  ]);
  assert.deepEqual(counted, [{ orders: times.filter((time) => time.getTime() < midnight - dayMs).length }]);
}

test('totals are exact, before and after the orders of past days are counted', async () => {
  await assertTotals();
  await countOrders();
  await assertCounted();
  await assertTotals();
  assert.equal(await countOrders(), '0 chains');
});

test('days that passed since the last count are counted too', async () => {
  await aisle.db.query('update counted_days set end_day = end_day - 20 where chain_id = $1', [chain.chainId]);
  await aisle.db.query(
    'delete from order_days o using counted_days c where o.chain_id = c.chain_id and o.day >= c.end_day',
  );
  await assertTotals();
  await countOrders();
  await assertCounted();
  await assertTotals();
});

test('days that could not be read for a time, because of a setting, are counted again', async () => {
  await countOrders(10);
  await assertTotals();
  await countOrders(60);
  await assertTotals();
});
