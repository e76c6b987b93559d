import type { Db, Tx } from '../kernel/database/db.ts';
import { opaque } from '../kernel/database/opaque.ts';
import { noteBytes, receivedBytes } from '../kernel/database/statement.ts';
import { type ProductRow, productColumns } from './queries.ts';
import type { UpdateItem } from './rules/update-item.ts';

type OfferUpdate = UpdateItem & { changedBy: string };

/**
 * Updates offers. The updates take precedence over all jobs accepted before them. Returns the products that the vendor
 * has. If `isWaiting` is false, leaves out those that another transaction has locked.
 */
export function updateOffers(
  db: Db,
  chainId: string,
  vendorId: string,
  changes: OfferUpdate[],
  isWaiting: boolean,
): Promise<ProductRow[]> {
  return db.query<ProductRow>(
    `with ${updatedOffers(isWaiting, "(select nextval('acceptance_numbers'))")}, recorded as (
       insert into offer_changes (chain_id, vendor_id, skus, at)
       select $1, $2, array_agg(sku), max(updated_at) from o having count(*) > 0
     ), kept as (
       insert into offer_history (${historyColumns})
       select $1, $2, o.sku, clock_timestamp(), i.changed_by, ${historyValues.join(', ')}
       from before b join o on o.sku = b.sku join i on i.sku = b.sku
       where (b.price, b.quantity, b.active, b.maximum_sales_quantity)
         is distinct from (o.price, o.quantity, o.active, o.maximum_sales_quantity)
     )
     select ${productColumns} from o join products p on p.chain_id = $1 and p.sku = o.sku`,
    updateValues(chainId, vendorId, changes),
  );
}

type OldAndNew = { changed_at: string; history: (string | null)[] };

/**
 * The same on a distributed database, in several statements: the result of a part of a statement is sent to every node
 * if another part inserts it into a table. Then all nodes take part in the commit, and it fails if one of them is away.
 */
export async function updateOffersOnNode(
  tx: Tx,
  chainId: string,
  vendorId: string,
  changes: OfferUpdate[],
  isWaiting: boolean,
): Promise<ProductRow[]> {
  // The statement is executed on the node as a whole, and only the coordinator's sequence has the next number.
  const [number] = await tx.query<{ next: string }>("select nextval('acceptance_numbers') as next");
  const rows = await tx.query<ProductRow & OldAndNew>(
    `with ${updatedOffers(isWaiting, '$11::bigint')}
     select ${productColumns}, o.updated_at::text as changed_at,
       array[${historyValues.map((value) => `${value}::text`).join(', ')}] as history
     from o join before b on b.sku = o.sku join products p on p.chain_id = $1 and p.sku = o.sku`,
    [...updateValues(chainId, vendorId, changes), number?.next],
  );
  if (rows.length > 0) recordUpdates(tx, chainId, vendorId, rows, changes);
  return noteBytes(
    rows.map(({ changed_at: _at, history: _history, ...row }) => row),
    receivedBytes(rows),
  );
}

function recordUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  rows: (ProductRow & OldAndNew)[],
  changes: OfferUpdate[],
): void {
  tx.send('insert into offer_changes (chain_id, vendor_id, skus, at) values ($1, $2, $3, $4)', [
    chainId,
    vendorId,
    rows.map(({ sku }) => sku),
    rows[0]?.changed_at,
  ]);
  const names = new Map(changes.map(({ sku, changedBy }) => [sku, changedBy]));
  for (const { sku, history } of rows) {
    if (history.every((value, index) => index % 2 === 1 || value === history[index + 1])) continue;
    tx.send(
      `insert into offer_history (${historyColumns}) values ($1, $2, $3, statement_timestamp(), $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [chainId, vendorId, sku, names.get(sku), ...history],
    );
  }
}

const skus = opaque('$3::text[]');

/** Common table expressions: the items `i`, the offers `before` the update, which are locked, and the updated offers `o`. */
function updatedOffers(isWaiting: boolean, number: string): string {
  return `i as materialized (
       select *, ${number} as number, now() as at
       from unnest(${skus}, $4::numeric[], $5::boolean[], $6::integer[], $7::boolean[], $8::boolean[], $9::integer[],
         $10::text[]) as i (sku, price, has_quantity, quantity, active, has_maximum, maximum, changed_by)
     ), before as materialized (
       select * from offers where chain_id = $1 and vendor_id = $2 and sku = any (${skus})
       order by sku for no key update ${isWaiting ? '' : 'skip locked'}
     ), o as (
       update offers u set
         price = coalesce(i.price, b.price),
         quantity = case when i.has_quantity then i.quantity else b.quantity end,
         active = coalesce(i.active, b.active),
         maximum_sales_quantity = case when i.has_maximum then i.maximum else b.maximum_sales_quantity end,
         single_update_no = greatest(b.single_update_no, i.number),
         updated_at = i.at
       from before b join i on i.sku = b.sku
       where u.chain_id = $1 and u.vendor_id = $2 and u.sku = b.sku
       returning u.*
     )`;
}

const historyColumns = `chain_id, vendor_id, sku, changed_at, changed_by, old_price, new_price, old_quantity,
  new_quantity, old_active, new_active, old_maximum, new_maximum`;
/** Old and new values, in turns. */
const historyValues = ['price', 'quantity', 'active', 'maximum_sales_quantity'].flatMap((name) => [
  `b.${name}`,
  `o.${name}`,
]);

function updateValues(chainId: string, vendorId: string, changes: OfferUpdate[]): unknown[] {
  return [
    chainId,
    vendorId,
    changes.map(({ sku }) => sku),
    changes.map(({ price }) => price ?? null),
    changes.map(({ quantity }) => quantity !== undefined),
    changes.map(({ quantity }) => quantity ?? null),
    changes.map(({ active }) => active ?? null),
    changes.map(({ maximum }) => maximum !== undefined),
    changes.map(({ maximum }) => maximum ?? null),
    changes.map(({ changedBy }) => changedBy),
  ];
}
