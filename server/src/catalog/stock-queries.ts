import { maxOrderName } from '@aisle/contract/sizes';
import type { Db, Tx } from '../kernel/database/db.ts';
import { opaque } from '../kernel/database/opaque.ts';
import { newNumber } from '../kernel/values/ids.ts';
import type { Texts } from './queries.ts';

/** The fields of an offer that orders need. */
export type OfferRow = {
  sku: string;
  price: string;
  quantity: number | null;
  maximum_sales_quantity: number | null;
  active: boolean;
  titles: Texts;
  barcodes: string[];
  image: string | null;
  is_sold_by_weight: boolean;
};

/** A title can have 10,000 characters in each of many locales. One character more shows that a title is too long. */
const maxPlainTitles = 500;
const titlesSql = `case when pg_column_size(p.titles) < ${maxPlainTitles} then p.titles
  else (select jsonb_object_agg(key, left(value, ${maxOrderName + 1})) from jsonb_each_text(p.titles)) end`;
const skuList = opaque('$3::text[]');
const columns = `o.sku, o.price, o.quantity, o.maximum_sales_quantity, o.active, ${titlesSql} as titles, p.barcodes,
  p.images[1] as image, p.is_sold_by_weight`;

export function findOffers(db: Db, chainId: string, vendorId: string, skus: string[]): Promise<OfferRow[]> {
  return db.query(
    `select ${columns} from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
     where o.chain_id = $1 and p.chain_id = $1 and o.vendor_id = $2 and o.sku = any (${skuList})`,
    [chainId, vendorId, skus],
  );
}

/** The titles of these products in this locale, chosen as by `chooseText`. An order can name thousands of products. */
export function findNames(
  db: Db,
  chainId: string,
  vendorId: string,
  skus: string[],
  locale: string,
): Promise<{ sku: string; name: string | null }[]> {
  return db.query(
    `select o.sku, left(coalesce(p.titles ->> $4, (
         select value from jsonb_each_text(p.titles) order by starts_with(key, $5) desc, key collate "C" limit 1
       )), ${maxOrderName + 1}) as name
     from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
     where o.chain_id = $1 and p.chain_id = $1 and o.vendor_id = $2 and o.sku = any (${skuList})`,
    [chainId, vendorId, skus, locale, `${locale.split('_')[0]}_`],
  );
}

/** The first products with a price that the store sells by the unit, or by weight. */
export function listSampleOffers(
  db: Db,
  chainId: string,
  vendorId: string,
  isWeighted: boolean,
  limit: number,
): Promise<OfferRow[]> {
  return db.query(
    `select ${columns} from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
     where o.chain_id = $1 and o.vendor_id = $2 and o.active and o.price > 0 and p.is_sold_by_weight = $3
     order by o.sku limit $4`,
    [chainId, vendorId, isWeighted, limit],
  );
}

/** Locks the offers in SKU order, so that orders with products in common cannot deadlock. */
export function lockOffers(tx: Tx, chainId: string, vendorId: string, skus: string[]): Promise<OfferRow[]> {
  if (tx.isDistributed) return lockOffersOnNode(tx, chainId, vendorId, skus);
  return tx.query(
    `select ${columns} from offers o join products p on p.chain_id = $1 and p.sku = o.sku
     where o.chain_id = $1 and o.vendor_id = $2 and o.sku = any (${skuList}) order by o.sku for update of o`,
    [chainId, vendorId, skus],
  );
}

/** A distributed database keeps the plan of a statement about one table (decision 0126). */
async function lockOffersOnNode(tx: Tx, chainId: string, vendorId: string, skus: string[]): Promise<OfferRow[]> {
  const [offers, products] = await Promise.all([
    tx.query<StockRow>(
      `select sku, price, quantity, maximum_sales_quantity, active from offers
       where chain_id = $1 and vendor_id = $2 and sku = any ($3) order by sku for update`,
      [chainId, vendorId, skus],
    ),
    tx.query<DetailRow & { titles: Texts | null }>(
      `select sku, case when pg_column_size(titles) < ${maxPlainTitles} then titles end as titles, barcodes, images[1] as image, is_sold_by_weight
       from products where chain_id = $1 and sku = any ($2)`,
      [chainId, skus],
    ),
  ]);
  const details = new Map(products.map((product) => [product.sku, product]));
  const isLong = ({ titles }: { titles: Texts | null }) => titles === null;
  for (const { sku, titles } of products.some(isLong) ? await findTitles(tx, chainId, skus) : []) {
    Object.assign(details.get(sku) ?? {}, { titles });
  }
  return offers.flatMap((offer) => {
    const product = details.get(offer.sku);
    return product ? [{ ...offer, ...product, titles: product.titles ?? {} }] : [];
  });
}

type StockRow = Pick<OfferRow, 'sku' | 'price' | 'quantity' | 'maximum_sales_quantity' | 'active'>;
type DetailRow = Pick<OfferRow, 'sku' | 'barcodes' | 'image' | 'is_sold_by_weight'>;

function findTitles(tx: Tx, chainId: string, skus: string[]): Promise<{ sku: string; titles: Texts }[]> {
  return tx.query(`select p.sku, ${titlesSql} as titles from products p where p.chain_id = $1 and p.sku = any ($2)`, [
    chainId,
    skus,
  ]);
}

/**
 * Locks the offers that a query selects by `vendor_id` and `sku`, for callers that know neither when they send this. The
 * query's first parameter is the chain.
 */
export function lockSelected(
  tx: Tx,
  chainId: string,
  selected: { text: string; values: readonly unknown[] },
): Promise<OfferRow[]> {
  return tx.query(
    `select ${columns} from (select distinct vendor_id, sku from (${selected.text}) named) selected
     join offers o on o.chain_id = $1 and o.vendor_id = selected.vendor_id and o.sku = selected.sku
     join products p on p.chain_id = $1 and p.sku = selected.sku
     order by o.sku for update of o`,
    [chainId, ...selected.values],
  );
}

/**
 * Sets the stock of offers that the transaction has locked, because of an order. The SKUs are also compared with the
 * array, so that the index is used even if the planner knows nothing yet about a new store. What was there before is
 * known, so the history is written as plain rows: a distributed database copies what one part of a statement returns to
 * another through all nodes.
 */
export function setStock(
  tx: Tx,
  chainId: string,
  vendorId: string,
  orderId: string,
  offers: readonly OfferRow[],
  stock: ReadonlyMap<string, number | null>,
): void {
  const changed = offers.flatMap((offer) => {
    const quantity = stock.get(offer.sku) ?? null;
    return quantity === null || quantity === offer.quantity ? [] : [{ offer, quantity }];
  });
  if (changed.length === 0) return;
  const skus = changed.map(({ offer }) => offer.sku);
  const update = tx.isDistributed && changed.length <= maxSearched ? updateSearching : updateJoining;
  tx.send(update, [chainId, vendorId, skus, changed.map(({ quantity }) => quantity)]);
  insertStockChange(tx, chainId, vendorId, skus);
  for (let index = 0; index < changed.length; index += maxHistoryRows) {
    const rows = changed.slice(index, index + maxHistoryRows);
    const values = rows.flatMap(({ offer, quantity }) => {
      const { sku, price, quantity: before, active, maximum_sales_quantity: maximum } = offer;
      const number = tx.isDistributed ? [newNumber()] : [];
      return [sku, price, before, quantity, active, maximum, ...number];
    });
    const texts = tx.isDistributed ? numberedHistoryTexts : historyTexts;
    tx.send(texts[rows.length - 1] ?? '', [chainId, vendorId, orderId, ...values]);
  }
}

/** The number only has to be unique (see `newNumber`). */
function insertStockChange(tx: Tx, chainId: string, vendorId: string, skus: string[]): void {
  if (tx.isDistributed) {
    tx.send(
      `insert into offer_changes (chain_id, vendor_id, skus, at, change_no) overriding system value
       values ($1, $2, $3, now(), $4)`,
      [chainId, vendorId, skus, newNumber()],
    );
    return;
  }
  tx.send('insert into offer_changes (chain_id, vendor_id, skus, at) values ($1, $2, $3, now())', [
    chainId,
    vendorId,
    skus,
  ]);
}

const updateJoining = `update offers o set quantity = s.quantity, updated_at = s.at
  from (select sku, quantity, now() as at from unnest(${skuList}, ${opaque('$4::int[]')}) as s (sku, quantity)) s
  where o.chain_id = $1 and o.vendor_id = $2 and o.sku = s.sku and o.sku = any (${skuList})`;

/** About one table, see `lockOffersOnNode`. Each row is searched for in the array. */
const updateSearching = `update offers set quantity = ($4::int[])[array_position($3::text[], sku)], updated_at = now()
  where chain_id = $1 and vendor_id = $2 and sku = any ($3)`;
const maxSearched = 100;

/** There is a statement for each number of rows. */
const maxHistoryRows = 8;

const historyTexts = Array.from({ length: maxHistoryRows }, (_, last) => historyText(last + 1, false));
const numberedHistoryTexts = Array.from({ length: maxHistoryRows }, (_, last) => historyText(last + 1, true));

/**
 * If it is numbered, each row is given its `change_no`. The time is after the offers were locked, so that changes of
 * transactions that waited for each other are in order.
 */
function historyText(count: number, isNumbered: boolean): string {
  const width = isNumbered ? 7 : 6;
  const rows = Array.from({ length: count }, (_, row) => {
    const [sku, price, before, quantity, active, maximum, number] = Array.from(
      { length: 7 },
      (_, at) => `$${row * width + at + 4}`,
    );
    const values = `($1, $2, ${sku}, statement_timestamp(), $3, ${price}, ${price}, ${before}, ${quantity}, ${active}, ${active}, ${maximum}, ${maximum}`;
    return `${values}${isNumbered ? `, ${number}` : ''})`;
  });
  return `insert into offer_history (chain_id, vendor_id, sku, changed_at, order_id, old_price, new_price, old_quantity,
    new_quantity, old_active, new_active, old_maximum, new_maximum${isNumbered ? ', change_no' : ''})
    ${isNumbered ? 'overriding system value ' : ''}values ${rows.join(', ')}`;
}
