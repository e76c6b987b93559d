import { copyInto, createTemporary } from '../kernel/database/copy.ts';
import type { Tx } from '../kernel/database/db.ts';

/** Requires `createIncomingUpdates`, which can be sent with other statements. */
export async function fillIncomingUpdates(tx: Tx, lines: Buffer): Promise<void> {
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

/** The range of SKUs in a chunk. Requests are sorted before they are split into chunks, so ranges do not overlap. */
export type SkuRange = { low: string; high: string };

export async function findIncomingRange(tx: Tx): Promise<SkuRange> {
  const rows = await tx.query<SkuRange>('select min(sku) as low, max(sku) as high from incoming_updates');
  return rows[0] as SkuRange;
}

/** Whether the server can return the values before an update: PostgreSQL 18 and later. */
export async function canReturnOld(tx: Tx): Promise<boolean> {
  const sql = "select current_setting('server_version_num')::integer >= 180000 as can";
  return (await tx.query<{ can: boolean }>(sql))[0]?.can ?? false;
}

/** Items of incoming_updates that are not written. All others are equal to their offers, or written. */
export type Compared = {
  /** The row numbers of items without an offer. */
  unknown: number[];
  /** The row numbers of items over which a newer single update takes precedence. */
  superseded: number[];
};

/** Finds out why items were not written, after `writeIncomingUpdates`. */
export async function compareIncomingUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  acceptanceNo: string,
  range: SkuRange,
): Promise<Compared> {
  const rowsWhere = (condition: string) => `coalesce(array_agg(i.row_no) filter (where ${condition}), '{}')`;
  const rows = await tx.query<Compared>(
    `select ${rowsWhere('o.sku is null')} as unknown, ${rowsWhere('o.single_update_no >= $3')} as superseded
     from ${comparison}`,
    [chainId, vendorId, acceptanceNo, range.low, range.high],
  );
  return rows[0] as Compared;
}

export const comparison = `incoming_updates i
  left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5`;

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
