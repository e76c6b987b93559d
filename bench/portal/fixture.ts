import { createLinks } from '../../server/src/links.ts';
import { readFileSync } from 'node:fs';
import { createUser, createVendor, insertChain, makeSecret } from '../../server/src/identity/index.ts';
import { putCategories } from '../../server/src/catalog/index.ts';
import { seedOrders } from '../../server/src/demo/orders.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';

export type FilledChain = { chainId: string; vendorId: string; email: string; password: string };

/** Creates a chain with one store, its products, and orders from the last 13 days with three deliveries each. */
export async function makeFilledChain(db: Database, products: number, orders: number): Promise<FilledChain> {
  const chainId = newId();
  const email = `owner-${chainId}@aisle.example`;
  const { vendorId, password } = await db.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Bench', profile: 'strict', country_code: 'AE' });
    const { vendor_id } = await createVendor(tx, chainId, {
      name: 'Bench store',
      currency: 'AED',
      country_code: 'AE',
      locale: 'en_AE',
      timezone: 'Asia/Dubai',
      transport_type: 'LOGISTICS_DELIVERY',
      settings: { integration_type: 'PICKING', integration_enabled: true, test: true },
    });
    await putCategories(tx, chainId, categories());
    const secret = await makeSecret(chainId, 17);
    const user = await createUser(tx, chainId, { email, name: 'Owner', role: 'OWNER' }, secret);
    return { vendorId: vendor_id, password: user.password ?? '' };
  });
  const chain = { chainId, vendorId, email, password };
  await fillProducts(db, chain, products);
  await fillOrders(db, chain, products, orders);
  await fillDeliveries(db, chain);
  await fillTallies(db, chain);
  for (const table of ['products', 'offers', 'orders', 'deliveries', 'delivery_attempts', 'tallies', 'tally_times']) {
    await db.pool.query(`vacuum analyze ${table}`);
  }
  return chain;
}

const branches = 8;
const leaves = 6;

function categories() {
  const named = (name: string) => ({ details: { name: { en_AE: name } }, active: true });
  return Array.from({ length: branches }, (_, branch) => [
    { global_id: `c${branch}`, ...named(`Aisle ${branch}`) },
    ...Array.from({ length: leaves }, (_, leaf) => ({
      global_id: `c${branch}-${leaf}`,
      parent_global_id: `c${branch}`,
      ...named(`Shelf ${branch}.${leaf}`),
    })),
  ]).flat();
}

/** Inserts products. One in a hundred is milk, so that a search finds a realistic number of products. */
async function fillProducts(db: Database, { chainId, vendorId }: FilledChain, count: number): Promise<void> {
  await db.query(
    `insert into products (chain_id, sku, titles, search_text, barcodes, categories)
     select $1, s.sku, jsonb_build_object('en_AE', s.title), lower(s.title), array[lpad(n::text, 13, '2')],
       array['c' || n % ${branches} || '-' || n / ${branches} % ${leaves}]
     from generate_series(1, $2::int) n, lateral (
       select 'SKU-' || lpad(n::text, 7, '0') as sku,
         case when n % 100 = 0 then 'Meadow Milk ' else (array['Bread ', 'Cheese ', 'Coffee ', 'Orange Juice ', 'Rice '])[n % 5 + 1] end
           || md5(n::text) as title) s`,
    [chainId, count],
  );
  await db.query(
    `insert into offers (chain_id, vendor_id, sku, price, quantity, active)
     select $1, $2, sku, 1.5, 1000000, right(sku, 1) <> '7' from products where chain_id = $1 order by sku`,
    [chainId, vendorId],
  );
}

/** Inserts copies of twelve orders, which together cover every status. */
async function fillOrders(
  db: Database,
  { chainId, vendorId }: FilledChain,
  products: number,
  count: number,
): Promise<void> {
  const shelf = Array.from({ length: Math.min(200, products / 10) }, (_, index) => ({
    sku: `SKU-${String(10 * (index + 1)).padStart(7, '0')}`,
  }));
  await db.transaction((tx) =>
    seedOrders(tx, chainId, [{ vendor_id: vendorId, products: shelf }], createLinks('http://127.0.0.1'), new Date()),
  );
  await db.query(
    `insert into orders (chain_id, order_id, vendor_id, order_code, status, order_type, transport_type, is_test, ridden, client,
       customer, currency, payment_type, delivery_fee, service_fee, items, cancellation, fulfilment, revision, created_at,
       created_by, updated_at, updated_by)
     select o.chain_id, gen_random_uuid(), o.vendor_id, upper(substr(md5(n::text), 1, 4) || '-' || substr(md5(n::text), 5, 2)),
       o.status, o.order_type, o.transport_type, o.is_test, o.ridden, o.client,
       jsonb_set(o.customer, '{phone_number}', to_jsonb('+9715' || lpad(n::text, 8, '0'))), o.currency, o.payment_type,
       o.delivery_fee, o.service_fee, o.items, o.cancellation, o.fulfilment, o.revision,
       now() - interval '13 days' + n * (interval '12 days 12 hours' / $3::int), o.created_by, now(), o.updated_by
     from generate_series(1, $3::int) as n
     join (select *, row_number() over (order by created_at) - 1 as place from orders where chain_id = $1 and vendor_id = $2) o
       on o.place = n % 12`,
    [chainId, vendorId, count],
  );
  await db.query(
    `insert into order_search (chain_id, order_id, vendor_id, created_at, order_code, name, phone)
     select chain_id, order_id, vendor_id, created_at, lower(order_code), lower(customer ->> 'first_name'),
       reverse(substr(customer ->> 'phone_number', 2)) from orders where chain_id = $1 on conflict do nothing`,
    [chainId],
  );
  await db.query(
    `insert into order_numbers
     select o.chain_id, o.order_id, o.created_at + interval '9 minutes', 25, 3, 2, 1, 0, 540, false
     from orders o where o.chain_id = $1 and o.status in ('READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP')
     on conflict do nothing`,
    [chainId],
  );
}

/** Inserts deliveries to a healthy receiver. One in 50 needed a second attempt, and one in 5,000 is exhausted. */
async function fillDeliveries(db: Database, { chainId }: FilledChain): Promise<void> {
  await db.query(
    `insert into deliveries (chain_id, delivery_id, endpoint_id, type, vendor_id, order_id, lane_id, position, status,
       attempt_count, tries, last_outcome, created_at)
     select chain_id, gen_random_uuid(), $2, type, vendor_id, order_id, order_id, no,
       case when n % 5000 = 0 then 'EXHAUSTED' else 'DELIVERED' end, case when n % 50 = 0 then 2 else 1 end, 1, 'success',
       created_at + no * interval '5 minutes'
     from (
       select o.*, t.type, t.no, row_number() over (order by o.created_at, t.no) as n from orders o,
         (values ('order.received', 1), ('order.ready_for_pickup', 2), ('order.dispatched', 3)) as t (type, no)
       where o.chain_id = $1
     ) planned`,
    [chainId, newId()],
  );
  await db.query(
    `insert into delivery_attempts (chain_id, delivery_id, attempt_no, started_at, duration_ms, outcome, http_status, environment, url)
     select chain_id, delivery_id, no, created_at + no * interval '1 second', 10 + (random() * random() * 300)::int,
       case when no = attempt_count and status = 'DELIVERED' then 'success' else 'server_error' end, 200, 'production', 'https://example.com'
     from deliveries, lateral generate_series(1, attempt_count) as no where chain_id = $1 order by created_at`,
    [chainId],
  );
}

/** Computes the tallies with the same statement that the migration ran on existing rows. */
async function fillTallies(db: Database, { chainId }: FilledChain): Promise<void> {
  const migration = readFileSync(new URL('../../server/migrations/0008_scale.sql', import.meta.url), 'utf8');
  const counting = /-- What has happened so far\.\n([\s\S]*?)\n-- /.exec(migration)?.[1] ?? '';
  for (const table of ['tally_changes', 'tallies', 'tally_times']) {
    await db.query(`delete from ${table} where chain_id = $1`, [chainId]);
  }
  const sources: [RegExp, string][] = [
    [/from orders o\n/g, `from (select * from orders where chain_id = '${chainId}') o\n`],
    [/from delivery_attempts a /g, `from (select * from delivery_attempts where chain_id = '${chainId}') a `],
  ];
  await db.pool.query(sources.reduce((text, [from, to]) => text.replaceAll(from, to), counting));
}
