import type { Db } from '../kernel/database/db.ts';

export type Found = {
  kind: string;
  id: string;
  title: string;
  detail: string;
  chain_id: string;
  chain_name: string;
  order_id: string | null;
  at: Date | null;
};

/** What is looked for in all chains. The fields that the text cannot be are null. */
export type Term = { text: string; uuid: string | null; code: string; phone: string | null };

const limit = 10;

/**
 * Each statement uses an index whose first column is the chain. PostgreSQL 18 skips from chain to chain in it, so the
 * time depends on the number of chains, not on the number of rows.
 */
export function findChains(db: Db, { text, uuid }: Term, platformId: string): Promise<Found[]> {
  return db.query(
    `select 'chain' as kind, chain_id::text as id, name as title, coalesce(country_code, '') as detail, chain_id,
       name as chain_name, null::uuid as order_id, created_at as at
     from chains where chain_id <> $3 and (chain_id = $2 or strpos(lower(name), lower($1)) > 0)
     order by name limit ${limit}`,
    [text, uuid, platformId],
  );
}

export function findStores(db: Db, { text }: Term): Promise<Found[]> {
  return db.query(
    `select 'store' as kind, v.vendor_id as id, v.name as title, coalesce(v.external_id, '') as detail, v.chain_id,
       c.name as chain_name, null::uuid as order_id, v.created_at as at
     from vendors v join chains c on c.chain_id = v.chain_id
     where v.vendor_id = $1 or v.external_id = $1 or lower(v.name) = lower($1) order by v.created_at limit ${limit}`,
    [text],
  );
}

/** By id, by the beginning of the code, by external id, or by the end of the phone number. Newest first. */
export function findOrders(db: Db, { text, uuid, code, phone }: Term): Promise<Found[]> {
  return db.query(
    `select 'order' as kind, o.order_id::text as id, o.order_code as title, o.status as detail, o.chain_id,
       c.name as chain_name, o.order_id, o.created_at as at
     from (
       (select chain_id, order_id from order_search where order_code >= $3 and order_code < $4 limit ${limit})
       union (select chain_id, order_id from order_search where external_order_id = $1 limit ${limit})
       union (select chain_id, order_id from order_search where phone >= $5 and phone < $5 || U&'\\+10FFFF'
         order by created_at desc limit ${limit})
       union (select chain_id, order_id from orders where order_id = $2)
     ) found join orders o on o.chain_id = found.chain_id and o.order_id = found.order_id
       join chains c on c.chain_id = o.chain_id
     order by o.created_at desc limit ${limit}`,
    [text, uuid, code, `${code}\u{10ffff}`, phone],
  );
}

export function findProducts(db: Db, { text }: Term): Promise<Found[]> {
  return db.query(
    `select 'product' as kind, p.sku as id,
       coalesce((select value from jsonb_each_text(p.titles) order by key not like 'en%', key limit 1), p.sku) as title,
       p.sku as detail, p.chain_id, c.name as chain_name, null::uuid as order_id, null::timestamptz as at
     from products p join chains c on c.chain_id = p.chain_id where p.sku = $1 order by c.name limit ${limit}`,
    [text],
  );
}

export function findDeliveries(db: Db, { uuid }: Term): Promise<Found[]> {
  return db.query(
    `select 'delivery' as kind, d.delivery_id::text as id, d.type as title, d.status as detail, d.chain_id,
       c.name as chain_name, d.order_id, d.created_at as at
     from deliveries d join chains c on c.chain_id = d.chain_id where d.delivery_id = $1`,
    [uuid],
  );
}

export function findJobs(db: Db, { uuid }: Term): Promise<Found[]> {
  return db.query(
    `select 'job' as kind, j.job_id::text as id, j.type as title, j.status as detail, j.chain_id, c.name as chain_name,
       null::uuid as order_id, j.created_at as at
     from jobs j join chains c on c.chain_id = j.chain_id where j.job_id = $1`,
    [uuid],
  );
}

export function findRequests(db: Db, { text }: Term): Promise<Found[]> {
  return db.query(
    `select 'request' as kind, r.request_id as id, r.method || ' ' || r.path as title,
       r.status || coalesce(' ' || r.error_code, '') as detail, r.chain_id, c.name as chain_name, r.order_id,
       r.received_at as at
     from requests r join chains c on c.chain_id = r.chain_id where r.request_id = $1 limit ${limit}`,
    [text],
  );
}

export function findUsers(db: Db, { text, uuid }: Term, platformId: string): Promise<Found[]> {
  return db.query(
    `select 'user' as kind, u.user_id::text as id, u.email as title, u.role as detail, u.chain_id, c.name as chain_name,
       null::uuid as order_id, u.created_at as at
     from users u join chains c on c.chain_id = u.chain_id
     where u.chain_id <> $3 and (u.email = lower($1) or u.user_id = $2) order by u.created_at limit ${limit}`,
    [text, uuid, platformId],
  );
}
