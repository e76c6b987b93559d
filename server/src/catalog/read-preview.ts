import { parseCsv } from '@aisle/contract/csv';
import { type changedFields, PreviewRow, previewClasses } from '@aisle/contract/preview-row';
import type { PreviewItem } from '@aisle/contract/previews';
import type { Static } from 'typebox';
import { listParts, readPart, rowReader } from '../jobs/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { classOfPart } from './preview-update.ts';
import type { PreviewClass } from './rules/preview-rows.ts';

type Item = Static<typeof PreviewItem>;

/** Reads a page of a preview, for which only the parts with its rows are read. */
export async function readPreview(
  db: Db,
  chainId: string,
  jobId: string,
  only: PreviewClass | undefined,
  page: PageRequest,
): Promise<{ items: Item[]; total: number; counts: Record<PreviewClass, number> }> {
  const parts = await listParts(db, chainId, jobId);
  const counts = countClasses(parts);
  const shown = parts.filter(({ partNo }) => only === undefined || classOfPart(partNo) === only);
  const items: Item[] = [];
  let before = 0;
  for (const { partNo, rowCount } of shown) {
    const from = Math.max(0, page.offset - before);
    const to = page.offset + page.pageSize - before;
    before += rowCount;
    if (to <= 0) break;
    if (from >= rowCount) continue;
    const rows = [...parseCsv(await readPart(db, chainId, jobId, partNo))];
    items.push(...rows.slice(from, to).map(itemOf));
  }
  return { items, total: shown.reduce((sum, { rowCount }) => sum + rowCount, 0), counts };
}

function countClasses(parts: { partNo: number; rowCount: number }[]): Record<PreviewClass, number> {
  const counts = Object.fromEntries(previewClasses.map((name) => [name, 0])) as Record<PreviewClass, number>;
  for (const { partNo, rowCount } of parts) counts[classOfPart(partNo)] += rowCount;
  return counts;
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
