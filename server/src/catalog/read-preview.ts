import { parseCsv } from '@aisle/contract/csv';
import { type changedFields, PreviewRow, previewClasses } from '@aisle/contract/preview-row';
import type { PreviewItem } from '@aisle/contract/previews';
import type { Static } from 'typebox';
import { findVendors } from '../identity/index.ts';
import { countPartRows, listParts, readPart, rowReader } from '../jobs/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { isStorable } from '../kernel/values/text.ts';
import { listNames } from './preview-queries.ts';
import { partRangeOf, partsPerClass } from './preview-update.ts';
import type { PreviewClass } from './rules/preview-rows.ts';

type Item = Static<typeof PreviewItem>;

/**
 * Reads a page of a preview, for which only the parts with its rows are read. `reserve` is called with their size before
 * they are read.
 */
export async function readPreview(
  db: Db,
  chainId: string,
  jobId: string,
  only: PreviewClass | undefined,
  page: PageRequest,
  reserve: (bytes: number) => Promise<void>,
): Promise<{ items: Item[]; total: number; counts: Record<PreviewClass, number> }> {
  const rows = await countPartRows(db, chainId, jobId, partsPerClass);
  const counts = Object.fromEntries(previewClasses.map((of, index) => [of, rows[index] ?? 0]));
  const range = only === undefined ? { from: 0, to: previewClasses.length * partsPerClass } : partRangeOf(only);
  const parts = await listParts(db, chainId, jobId, range, page);
  await reserve(parts.reduce((sum, { contentBytes }) => sum + contentBytes, 0));
  const items: Item[] = [];
  for (const part of parts) {
    const from = page.offset - part.rowsBefore;
    const to = from + page.pageSize;
    items.push(...itemsBetween(await readPart(db, chainId, jobId, part), from, to));
  }
  const total = only === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : (counts[only] ?? 0);
  return { items: await withNames(db, chainId, items), total, counts: counts as Record<PreviewClass, number> };
}

/** Items that cannot be applied are not compared with the catalog, so the file has no names for them. */
async function withNames(db: Db, chainId: string, items: Item[]): Promise<Item[]> {
  const unnamed = items.flatMap(({ name, sku, vendor_id: vendorId }) =>
    name === null && sku !== null && isStorable(sku) ? [{ sku, vendorId }] : [],
  );
  if (unnamed.length === 0) return items;
  const vendors = await findVendors(db, chainId, [...new Set(unnamed.map(({ vendorId }) => vendorId))]);
  const localeOf = new Map(vendors.map(({ vendor_id, locale }) => [vendor_id, locale]));
  const wanted = unnamed.map(({ sku, vendorId }) => ({ sku, vendorId, locale: localeOf.get(vendorId) ?? '' }));
  const found = await listNames(db, chainId, wanted);
  const nameOf = new Map(found.map(({ vendor_id, sku, name }) => [`${vendor_id} ${sku}`, name]));
  return items.map((item) => ({ ...item, name: item.name ?? nameOf.get(`${item.vendor_id} ${item.sku}`) ?? null }));
}

function* itemsBetween(lines: string, from: number, to: number): Generator<Item> {
  let index = 0;
  for (const cells of parseCsv(lines)) {
    if (index >= to) return;
    if (index >= from) yield itemOf(cells);
    index += 1;
  }
}

const readRow = rowReader(PreviewRow);

function itemOf(cells: string[]): Item {
  const row = readRow(cells) as Static<typeof PreviewRow>;
  const fields = (row.changes?.split(' ') ?? []) as (typeof changedFields)[number][];
  return {
    class: row.class,
    sku: row.sku,
    name: row.name,
    vendor_id: row.vendor_id,
    row_number: row.rowNumber,
    code: row.code,
    message: row.errors,
    changes: fields.map((field) => ({
      field,
      old: row[`old_${field}`],
      new: row[`new_${field}`],
      ...(field === 'price' && row.price_change_percent !== null && { change_percent: row.price_change_percent }),
    })),
  };
}
