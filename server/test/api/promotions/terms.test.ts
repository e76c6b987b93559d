import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decimal, decimalText } from '../../../src/kernel/values/decimal.ts';
import {
  type DiscountLine,
  discountLines,
  globalUses,
  grantTerms,
  listRunning,
  type PromotionTerms,
  releaseGlobalUnits,
  reserveGlobalUnits,
} from '../../../src/promotions/index.ts';
import { makeChain, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import {
  applyPromotion,
  final,
  findTerms,
  fromNow,
  percent,
  promotionBody,
  readShown,
} from '../../support/promotions.ts';

/** Tests the functions that orders use to find the terms for a line item and to book units against a global limit. */
let aisle: TestAisle;
let chain: TestChain;

before(async () => {
  aisle = await useAisle();
});

async function makeShops(): Promise<void> {
  chain = await makeChain(aisle);
  await addProducts(aisle, chain, [
    { sku: 'A', title: 'A', price: 10 },
    { sku: 'B', title: 'B', price: 10 },
  ]);
}

async function termsOf(sku: string, price = '10.000', locale = 'en_AE'): Promise<PromotionTerms | undefined> {
  const vendor = { vendor_id: String(chain.vendors[0]), locale };
  return (await findTerms(aisle.db, chain.chainId, vendor, [{ sku, price }], new Date())).get(sku);
}

test('the terms contain everything an order needs to compute the discount', async () => {
  await makeShops();
  const conditions = { start_time: fromNow(-60), end_time: fromNow(60), purchased_quantity: 2, discounted_quantity: 1 };
  const { promotion_id } = await applyPromotion(
    aisle,
    chain,
    promotionBody({
      type: 'SAME_ITEM_BUNDLE',
      display_name: { en_AE: 'Three for two', ar_AE: 'ثلاثة بسعر اثنين' },
      conditions,
      discount: [{ ...percent(100, 'A'), max_quantity: 4 }],
      limits: { max_discount_per_order: 30, max_items_per_order: 5, global_limit: 50 },
    }),
  );
  const terms = await termsOf('A');
  assert.deepEqual(terms, {
    promotion_id,
    name: 'Three for two',
    type: 'SAME_ITEM_BUNDLE',
    discount_subtype: 'PERCENTAGE',
    discount_value: '100.000',
    purchased_quantity: 2,
    discounted_quantity: 1,
    max_quantity: 4,
    limits: { max_discount_per_order: '30.000', max_items_per_order: 5, global_limit: 50 },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(terms)), terms);
  assert.equal((await termsOf('A', '10', 'ar_KW'))?.name, 'ثلاثة بسعر اثنين');
  assert.equal(await termsOf('B'), undefined);
});

test('the terms for many SKUs are found in one call, and each SKU is checked against its own price', async () => {
  await makeShops();
  await applyPromotion(aisle, chain, promotionBody({ discount: [final(7.5, 'A', 'B')] }));
  const vendor = { vendor_id: String(chain.vendors[0]), locale: 'en_AE' };
  const prices = [
    { sku: 'A', price: '10' },
    { sku: 'B', price: '7.5' },
    { sku: 'C', price: '100' },
  ];
  const found = await findTerms(aisle.db, chain.chainId, vendor, prices, new Date());
  assert.deepEqual([...found.keys()], ['A']);
  const line = { terms: found.get('A') ?? null, unitPrice: decimal(10), quantity: 3, weight: null };
  assert.equal(decimalText(discountLines([line], 2)[0]?.discount ?? decimal(0)), '7.500');
});

/** Books units the way an order does, and returns how many of them got the discount. */
async function place(quantity: number): Promise<{ units: number; lines: DiscountLine[] }> {
  const terms = (await termsOf('A')) ?? null;
  const lines: DiscountLine[] = [{ terms, unitPrice: decimal(10), quantity, weight: null }];
  return aisle.db.transaction(async (tx) => {
    const granted = await reserveGlobalUnits(tx, chain.chainId, globalUses(lines, 2));
    const frozen = lines.map((line) => ({ ...line, terms: line.terms && grantTerms(line.terms, granted) }));
    return { units: discountLines(frozen, 2)[0]?.discountedUnits ?? 0, lines: frozen };
  });
}

const usedUnits = async () => {
  const rows = await aisle.db.query<{ global_used: string }>('select global_used from promotions where chain_id = $1', [
    chain.chainId,
  ]);
  return Number(rows[0]?.global_used);
};

test('concurrent orders never exceed a global limit', async () => {
  await makeShops();
  await applyPromotion(aisle, chain, promotionBody({ discount: [final(7, 'A')], limits: { global_limit: 25 } }));
  const orders = await Promise.all(Array.from({ length: 20 }, () => place(3)));
  const units = orders.map((order) => order.units);
  assert.equal(
    units.reduce((sum, count) => sum + count, 0),
    25,
  );
  assert.deepEqual(
    units.toSorted((a, b) => a - b),
    [...Array(11).fill(0), 1, ...Array(8).fill(3)],
  );
  assert.equal(await usedUnits(), 25);
});

test('a promotion whose units are used up is neither shown nor applied until units are returned', async () => {
  await makeShops();
  await applyPromotion(aisle, chain, promotionBody({ discount: [final(7, 'A')], limits: { global_limit: 4 } }));
  const first = await place(3);
  const second = await place(3);
  assert.deepEqual([first.units, second.units], [3, 1]);
  assert.equal((await readShown(aisle, chain, 'A')).promotion, undefined);
  assert.equal(await termsOf('A'), undefined);
  await aisle.db.transaction((tx) => releaseGlobalUnits(tx, chain.chainId, globalUses(first.lines, 2)));
  assert.equal(await usedUnits(), 1);
  assert.equal((await readShown(aisle, chain, 'A')).promotional_price, 7);
});

test('an order with more units picked than ordered gets the discount only for the units it has booked', async () => {
  await makeShops();
  await applyPromotion(aisle, chain, promotionBody({ discount: [final(7, 'A')], limits: { global_limit: 100 } }));
  const { lines } = await place(3);
  const picked = lines.map((line) => ({ ...line, quantity: 5 }));
  assert.equal(discountLines(picked, 2)[0]?.discountedUnits, 3);
  assert.deepEqual(globalUses(picked, 2)[0]?.units, 3);
});

test('a limit lowered below the number of booked units allows no more discounts until it is removed', async () => {
  await makeShops();
  const body = promotionBody({ discount: [final(7, 'A')], limits: { global_limit: 10 } });
  await applyPromotion(aisle, chain, body);
  await place(5);
  await applyPromotion(aisle, chain, { ...body, limits: { global_limit: 2 } });
  assert.equal((await place(5)).units, 0);
  await applyPromotion(aisle, chain, { ...body, limits: {} });
  assert.equal((await place(5)).units, 5);
  assert.equal(await usedUnits(), 5);
});

test('after a limit is removed and set again, units booked earlier still count, except those returned since', async () => {
  await makeShops();
  const body = promotionBody({ discount: [final(7, 'A')], limits: { global_limit: 10 } });
  await applyPromotion(aisle, chain, body);
  const [first] = [await place(4), await place(3)];
  await applyPromotion(aisle, chain, { ...body, limits: {} });
  const unlimited = await place(5);
  await aisle.db.transaction((tx) => releaseGlobalUnits(tx, chain.chainId, globalUses(first.lines, 2)));
  await aisle.db.transaction((tx) => releaseGlobalUnits(tx, chain.chainId, globalUses(unlimited.lines, 2)));
  assert.equal(await usedUnits(), 3);
  await applyPromotion(aisle, chain, body);
  assert.deepEqual([(await place(5)).units, (await place(5)).units, (await place(5)).units], [5, 2, 0]);
});

test('concurrent orders that use the same promotions in opposite order do not deadlock', async () => {
  await makeShops();
  const named = (name: string) => promotionBody({ display_name: { en_AE: name }, limits: { global_limit: 1000 } });
  const ids: string[] = [];
  for (const name of ['One', 'Two']) ids.push((await applyPromotion(aisle, chain, named(name))).promotion_id);
  const uses = ids.map((promotion_id) => ({ promotion_id, units: 1 }));
  const book = (list: typeof uses) =>
    aisle.db.transaction(async (tx) => {
      await reserveGlobalUnits(tx, chain.chainId, list);
      await new Promise((resolve) => setTimeout(resolve, 2));
    });
  await Promise.all(Array.from({ length: 30 }, (_, index) => book(index % 2 === 0 ? uses : uses.toReversed())));
  const rows = await aisle.db.query<{ global_used: string }>('select global_used from promotions where chain_id = $1', [
    chain.chainId,
  ]);
  assert.deepEqual(
    rows.map((row) => Number(row.global_used)),
    [30, 30],
  );
});

test('of many promotions for a product, only those that come first are read', async () => {
  await makeShops();
  const [vendor = ''] = chain.vendors;
  const ids: string[] = [];
  for (let index = 0; index < 12; index++) {
    const body = promotionBody({ display_name: { en_AE: `Promotion ${index}` } });
    ids.push((await applyPromotion(aisle, chain, body)).promotion_id);
  }
  const running = await listRunning(aisle.db, chain.chainId, vendor, ['A', 'B'], new Date());
  assert.deepEqual(new Set(running.map(({ promotion_id }) => promotion_id)), new Set(ids.slice(-10)));
  assert.equal((await termsOf('A'))?.name, 'Promotion 11');
});

test('however many newer promotions do not lower the price, the one that does applies', async () => {
  await makeShops();
  const [vendor = ''] = chain.vendors;
  const named = (index: number, price: number) =>
    promotionBody({ display_name: { en_AE: `Promotion ${index}` }, discount: [final(price, 'A')] });
  for (let index = 0; index < 11; index++) await applyPromotion(aisle, chain, named(index, index === 0 ? 4 : 8));
  const lowered = await aisle.call('PUT', `${chain.base}/vendors/${vendor}/catalog`, {
    token: chain.token,
    body: { products: [{ sku: 'A', price: 7 }] },
  });
  assert.equal(lowered.status, 200, lowered.text);
  assert.equal(lowered.body.promotional_price, 4);
  assert.equal((await readShown(aisle, chain, 'A')).promotional_price, 4);
  assert.equal((await termsOf('A', '7.000'))?.name, 'Promotion 0');
});

test('however many promotions cover a product, only those that come first are looked up, and cancelled ones are passed over', async () => {
  await makeShops();
  const { promotion_id } = await applyPromotion(aisle, chain, promotionBody());
  // 300 copies, each of which starts a second after the one before. The last 20 are cancelled.
  await aisle.db.query(
    `with copies as (
       insert into promotions (chain_id, promotion_id, identity_hash, type, display_name, start_time, end_time, is_published, is_cancelled)
       select chain_id, gen_random_uuid(), sha256(n::text::bytea), type, display_name, start_time + n * interval '1 second', end_time, true, n > 280
       from promotions, generate_series(1, 300) n where chain_id = $1
       returning promotion_id, start_time, end_time
     )
     insert into promotion_offers (chain_id, vendor_id, sku, end_time, promotion_id, start_time, discount_subtype, discount_value)
     select o.chain_id, o.vendor_id, o.sku, c.end_time, c.promotion_id, c.start_time, o.discount_subtype, o.discount_value
     from copies c, promotion_offers o where o.chain_id = $1 and o.promotion_id = $2`,
    [chain.chainId, promotion_id],
  );
  const read: { plan?: unknown } = {};
  const explaining = {
    query: async (text: string, values?: readonly unknown[]) => {
      const [row] = await aisle.db.query<{ 'QUERY PLAN': unknown }>(`explain (analyze, format json) ${text}`, values);
      read.plan = row?.['QUERY PLAN'];
      return [];
    },
  };
  const [vendor = ''] = chain.vendors;
  await listRunning(explaining, chain.chainId, vendor, ['A'], new Date());
  // Before PostgreSQL 18, the number of rows is rounded for each of the two loops.
  const [server] = await aisle.db.query<{ server_version_num: string }>('show server_version_num');
  assert.equal(rowsOf(read.plan, 'promotion_offers'), Number(server?.server_version_num) >= 180_000 ? 301 : 300);
  assert.equal(rowsOf(read.plan, 'promotions'), 30);
  const running = await listRunning(aisle.db, chain.chainId, vendor, ['A'], new Date());
  const seconds = running.map(({ start_time }) => start_time.getTime() / 1000);
  assert.equal(seconds.length, 10);
  assert.equal(Math.max(...seconds) - Math.min(...seconds), 9);
});

/** How many rows of the table a plan has read. On a node of a cluster, its name ends with the number of a shard. */
function rowsOf(plan: unknown, table: string): number {
  if (Array.isArray(plan)) return plan.reduce((sum: number, part) => sum + rowsOf(part, table), 0);
  if (typeof plan !== 'object' || plan === null) return 0;
  const node = plan as Record<string, unknown>;
  const isOwn = String(node['Relation Name']).replace(/_\d+$/, '') === table;
  const own = isOwn ? Number(node['Actual Rows']) * Number(node['Actual Loops']) : 0;
  return own + rowsOf(Object.values(node), table);
}
