import { formulaPattern } from '@aisle/contract/csv';
import type { Db, Tx } from '../kernel/database/db.ts';
import { namedLock } from '../kernel/database/locks.ts';
import type { PageRequest } from '../kernel/http/page.ts';

export type Texts = Record<string, string>;

/** A product with one vendor's offer. */
export type ProductRow = {
  sku: string;
  price: string;
  quantity: number | null;
  maximum_sales_quantity: number | null;
  active: boolean;
  product_id: string;
  titles: Texts;
  descriptions: Texts;
  barcodes: string[];
  images: string[];
  is_sold_by_weight: boolean;
  weight_specifications: Record<string, number> | null;
  categories: { global_id: string; name: Texts; description: Texts; active: boolean }[] | null;
  updated_at: Date;
};

export type CategoryRow = {
  global_id: string;
  parent_global_id: string | null;
  name: Texts;
  description: Texts;
  active: boolean;
};

/** Columns of an offer `o` and its product `p`. The chain must be $1. */
export const productColumns = `
  o.sku, o.price, o.quantity, o.maximum_sales_quantity, o.active, greatest(o.updated_at, p.updated_at) as updated_at,
  p.product_id, p.titles, p.descriptions, p.barcodes, p.images, p.is_sold_by_weight, p.weight_specifications,
  case when p.categories <> '{}' then (
    select jsonb_agg(jsonb_build_object('global_id', c.global_id, 'name', c.name, 'description', c.description,
      'active', c.active) order by array_position(p.categories, c.global_id))
    from categories c where c.chain_id = $1 and c.global_id = any (p.categories)) end as categories`;

/** Which of a vendor's offers to return: active or inactive ones, or those that customers can order. */
export type OfferFilter = {
  active: boolean | undefined;
  /** If set, only offers that are available with this sales buffer; see `isAvailable`. */
  salesBuffer?: number | undefined;
};

/** The conditions on an offer `o`. The values are numbers and booleans, so they are part of the text. */
export function offerConditions({ active, salesBuffer }: OfferFilter): string {
  const isActive = active === undefined ? '' : `and o.active = ${active}`;
  if (salesBuffer === undefined) return isActive;
  return `${isActive} and o.active and (o.quantity is null or o.quantity > ${Math.trunc(salesBuffer)})
    and o.maximum_sales_quantity is distinct from 0`;
}

/**
 * Returns one page of a vendor's products, sorted by SKU. Even the last page is located using only the primary key of
 * offers and then fetched.
 */
export function listProducts(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: OfferFilter,
  page: PageRequest,
): Promise<ProductRow[]> {
  return db.query(
    `with page as (
       select o.sku from offers o
       where o.chain_id = $1 and o.vendor_id = $2 ${offerConditions(filter)}
       order by o.sku limit $3 offset $4
     )
     select ${productColumns} from page join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = page.sku
     join products p on p.chain_id = $1 and p.sku = page.sku order by o.sku`,
    [chainId, vendorId, page.pageSize, page.offset],
  );
}

export async function findProduct(
  db: Db,
  chainId: string,
  vendorId: string,
  sku: string,
): Promise<ProductRow | undefined> {
  const rows = await db.query<ProductRow>(
    `select ${productColumns} from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
     where o.chain_id = $1 and o.vendor_id = $2 and o.sku = $3`,
    [chainId, vendorId, sku],
  );
  return rows[0];
}

/** Parents come before children; siblings keep the order in which they were sent. */
export function listCategories(db: Db, chainId: string): Promise<CategoryRow[]> {
  return db.query(
    `with recursive tree as (
       select c.*, array[position] as path from categories c where chain_id = $1 and parent_global_id is null
       union all
       select c.*, tree.path || c.position from categories c
       join tree on c.chain_id = $1 and c.parent_global_id = tree.global_id
     )
     select global_id, parent_global_id, name, description, active from tree order by path`,
    [chainId],
  );
}

/**
 * Counts the vendor's products in each category and its descendants. A product in several of these categories is
 * counted once. Products are first grouped by their set of categories, because there are few such sets, however many
 * products there are.
 */
export function countProductsByCategory(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: OfferFilter = { active: undefined },
): Promise<{ global_id: string; count: number }[]> {
  return db.query(
    `with recursive above as (
       select global_id as below, global_id, parent_global_id from categories where chain_id = $1
       union all
       select above.below, c.global_id, c.parent_global_id from above
       join categories c on c.chain_id = $1 and c.global_id = above.parent_global_id
     ), sets as (
       select p.categories, count(*) as count from offers o
       join products p on p.chain_id = o.chain_id and p.sku = o.sku
       where o.chain_id = $1 and p.chain_id = $1 and o.vendor_id = $2 ${offerConditions(filter)}
       group by p.categories
     )
     select reached.global_id, sum(sets.count)::int as count from sets, lateral (
       select distinct above.global_id from above where above.below = any (sets.categories)
     ) reached
     group by reached.global_id`,
    [chainId, vendorId],
  );
}

/** Prevents changes to the tree until this transaction ends. */
export async function lockCategoriesShared(tx: Tx, chainId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${namedLock('categories')})`, [`categories ${chainId}`]);
}

/** Waits for all transactions that hold the shared lock. */
export async function lockCategories(tx: Tx, chainId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${namedLock('categories')})`, [`categories ${chainId}`]);
}

/** Finds categories that contain products but are not in `kept`. */
export function findUsedCategories(tx: Tx, chainId: string, kept: string[]): Promise<{ global_id: string }[]> {
  return tx.query(
    `select c.global_id from categories c
     where c.chain_id = $1 and not c.global_id = any ($2)
       and exists (select from products p where p.chain_id = $1 and p.categories @> array[c.global_id])
     order by c.global_id`,
    [chainId, kept],
  );
}

export async function replaceCategories(tx: Tx, chainId: string, categories: CategoryRow[]): Promise<void> {
  await tx.query('delete from categories where chain_id = $1', [chainId]);
  await tx.query(
    `insert into categories (chain_id, global_id, parent_global_id, position, name, description, active)
     select $1, c.global_id, c.parent_global_id, c.position, c.name, c.description, c.active
     from jsonb_to_recordset($2) as c (
       global_id text, parent_global_id text, position integer, name jsonb, description jsonb, active boolean)`,
    [chainId, JSON.stringify(categories.map((category, position) => ({ ...category, position })))],
  );
}

/** The query contains the ids as literals, because COPY takes no parameters. Both ids come from our own tables. */
export function exportQuery(chainId: string, vendorId: string): string {
  return `select ${escapeFormulaSql('o.sku')}, p.barcodes[1], trim_scale(o.price), o.active::int, o.maximum_sales_quantity, o.quantity
    from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
    where o.chain_id = '${chainId}' and o.vendor_id = '${vendorId.replaceAll("'", "''")}' order by o.sku`;
}

/** The SQL version of `escapeFormula`; COPY adds the quotes. */
export function escapeFormulaSql(column: string): string {
  return `case when ${column} ~ '${formulaPattern.replaceAll("'", "''")}' then '''' || ${column} else ${column} end`;
}
