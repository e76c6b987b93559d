import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type Response, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { assertSums, assertUnchanged, makeShop, placeOrder } from '../../support/orders.ts';

let aisle: TestAisle;
let chains: TestChain[];

before(async () => {
  aisle = await useAisle();
  const settings = { weighted_replacement: true };
  chains = [await makeShop(aisle, { settings }), await makeShop(aisle, { profile: 'tolerant', settings })];
});

/** The numbers are JSON text, because some are not finite once parsed. */
const special = ['0', '-0', '-1', '1', '2', '0.0005', '1e-300', '1e300', '1e999', '-1e999', '9999999.999', '10000000'];
const number = fc.oneof(fc.constantFrom(...special), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String));
const fields = { quantity: number, weight: number, unit_price: number, total_price: number };
const numbers = fc.record(fields, { requiredKeys: [] }).map((drawn) =>
  Object.entries(drawn)
    .map(([name, value]) => `,"${name}":${value}`)
    .join(''),
);
const roles = fc.constantFrom('IN_CART', 'NOT_FOUND', 'ADDITION', 'REPLACED');

/** Returns a fulfilment body in which the item with the status `role` and its replacement have these numbers. */
function write({ _id, sku, pricing }: Response['body'], role: string, sent: string): string {
  const other = sku === 'HAM' ? 'CHEESE' : 'TEA';
  const item = (start: string, status: string, more: string) =>
    `{${start},"status":"${status}","pricing":{"pricing_type":"${pricing.pricing_type}"${more}}}`;
  const own = `"_id":"${_id}"`;
  const tea = '{"sku":"TEA","status":"ADDITION","pricing":{"pricing_type":"UNIT","quantity":1}}';
  const items: Record<string, string[]> = {
    IN_CART: [item(own, 'IN_CART', sent)],
    NOT_FOUND: [item(own, 'NOT_FOUND', sent), tea],
    ADDITION: [item(own, 'IN_CART', ''), item(`"sku":"${sku}"`, 'ADDITION', sent)],
    REPLACED: [item(own, 'REPLACED', sent), item(`"sku":"${other}","replaced_id":"${_id}"`, 'IN_CART', sent)],
  };
  return `{"status":"READY_FOR_PICKUP","items":[${items[role]?.join(',')}]}`;
}

test('whatever numbers a device sends, the response is 200 or 400, totals are correct, and an error changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1), roles, fc.boolean(), numbers, async (which, role, isWeighed, sent) => {
      const chain = chains[which] as TestChain;
      const ordered = isWeighed ? { sku: 'HAM', weight: 1 } : { sku: 'MILK', quantity: 2 };
      const order = await placeOrder(aisle, chain, [ordered]);
      const raw = write(order.items[0], role, sent);
      const response = await aisle.call('PUT', `${chain.base}/orders/${order.order_id}`, { token: chain.token, raw });
      if (response.status === 200) return assertSums(response.body);
      assert.equal(response.status, 400, `${raw} ${response.text}`);
      await assertUnchanged(aisle, chain, order);
    }),
    { numRuns: 200 },
  );
});
