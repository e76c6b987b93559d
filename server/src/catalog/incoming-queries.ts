import { copyInto, createTemporary } from '../kernel/database/copy.ts';
import type { Tx } from '../kernel/database/db.ts';

export async function fillIncomingUpdates(tx: Tx, lines: Buffer): Promise<void> {
  await createIncomingUpdates(tx);
  await copyInto(tx, 'incoming_updates', lines);
}

export async function createIncomingUpdates(tx: Tx): Promise<void> {
  await createTemporary(
    tx,
    'incoming_updates',
    `row_no integer, sku text collate "C", price numeric(10, 3), quantity integer, active boolean, maximum integer,
     barcode text`,
  );
}

/** `returns_old` says whether the server can return the values before an update: PostgreSQL 18 and later. */
export type SkuRange = { low: string; high: string; returns_old: boolean };

/** The range of SKUs in a chunk. Requests are sorted before they are split into chunks, so ranges do not overlap. */
export async function findIncomingRange(tx: Tx): Promise<SkuRange> {
  const rows = await tx.query<SkuRange>(
    `select min(sku) as low, max(sku) as high, current_setting('server_version_num')::integer >= 180000 as returns_old
     from incoming_updates`,
  );
  return rows[0] as SkuRange;
}

/** Items of incoming_updates. All others are equal to their offers. */
export type Compared = {
  /** The row numbers of items without an offer. */
  unknown: number[];
  /** The row numbers of items over which a newer single update takes precedence. */
  superseded: number[];
  /** The SKUs of items that differ from their offers. Barcodes are not compared. */
  changed: string[];
};

/** Compares incoming_updates with the offers. After `writeIncomingUpdates`, none is `changed`. */
export async function compareIncomingUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  acceptanceNo: string,
  range: SkuRange,
): Promise<Compared> {
  const list = (column: string, condition: string) =>
    `coalesce(array_agg(i.${column}) filter (where ${condition}), '{}')`;
  const rows = await tx.query<Compared>(
    `select ${list('row_no', 'o.sku is null')} as unknown,
       ${list('row_no', 'o.single_update_no >= $3')} as superseded,
       ${list('sku', `o.single_update_no < $3 and ${valuesDiffer}`)} as changed
     from incoming_updates i
     left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5`,
    [chainId, vendorId, acceptanceNo, range.low, range.high],
  );
  return rows[0] as Compared;
}

export function findIncomingSkus(tx: Tx, rowNos: number[]): Promise<{ row_no: number; sku: string }[]> {
  return tx.query('select row_no, sku from incoming_updates where row_no = any ($1) order by row_no', [rowNos]);
}

/**
 * The price, quantity, active and maximum of an offer `o` after the item `i` is applied. For quantity and maximum, -1
 * keeps the stored value.
 */
export const newValues = [
  'coalesce(i.price, o.price)',
  'case when i.quantity = -1 then o.quantity else i.quantity end',
  'coalesce(i.active, o.active)',
  'case when i.maximum = -1 then o.maximum_sales_quantity else i.maximum end',
];

export const valuesDiffer = `(${newValues.join(', ')}) is distinct from (o.price, o.quantity, o.active, o.maximum_sales_quantity)`;
