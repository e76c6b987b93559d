import { parseCsv, quoteCell } from '@aisle/contract/csv';
import { previewClasses } from '@aisle/contract/preview-row';
import { type Diff, type DiffRow, readDiffRows } from './diff.ts';
import { changePercent, findSuspicion, hasStockLoss } from './suspicious-change.ts';

export type PreviewClass = (typeof previewClasses)[number];

/** The CSV line of an item. */
export type PreviewLine = { of: PreviewClass; line: string };

/**
 * Writes the rows of a preview, one by one. `diff` has the valid items. `log` has all items, in the form of a result
 * file, and is empty if there are no others.
 */
export function* writePreview(vendorId: string, diff: Diff, log: string): Generator<PreviewLine> {
  const vendorCell = quoteCell(vendorId);
  const lineOf = (of: PreviewClass, cells: string) => ({ of, line: `${of},${cells},${vendorCell}\n` });
  const isStockLoss = hasStockLoss(diff);
  for (const [sku = '', code = '', state, errors = '', rowNo = ''] of parseCsv(log)) {
    if (state !== 'FAILED' && state !== 'SUPERSEDED') continue;
    const cells = `${cellOf(sku)},,${rowNo},${code},${quoteCell(errors)}${noChanges}`;
    yield lineOf(state === 'FAILED' ? 'ERROR' : 'DUPLICATE', cells);
  }
  for (const row of readDiffRows(diff)) {
    if (row.state === 'N') continue;
    const { sku, name, rowNo } = row;
    const percent = changePercent(row.oldPrice, row.newPrice);
    const { of, code = '', message = '' } = classify(row, percent, isStockLoss);
    const changes = isChanged(row) ? changeCells(row, percent) : noChanges;
    yield lineOf(of, `${cellOf(sku)},${cellOf(name)},${rowNo},${code},${quoteCell(message)}${changes}`);
  }
}

function isChanged({ state }: DiffRow): boolean {
  return state === 'U';
}

function classify(
  row: DiffRow,
  percent: number | null,
  isStockLoss: boolean,
): { of: PreviewClass; code?: string; message?: string } {
  const becomesEmpty = row.newQuantity === '0' && row.oldQuantity !== '';
  const suspicion = findSuspicion({ percent, becomesEmpty }, isStockLoss);
  if (suspicion) return { of: 'SUSPICIOUS', ...suspicion };
  if (row.isRepeated) {
    return { of: 'DUPLICATE', code: 'repeated_sku', message: 'An earlier row has the same SKU; this row is used.' };
  }
  return { of: isChanged(row) ? 'CHANGED' : 'UNCHANGED' };
}

/** The cells from `changes` to `new_barcode`, each after a comma. */
const noChanges = ',,,,,,,,,,,,';

function changeCells(row: DiffRow, percent: number | null): string {
  let fields = '';
  let cells = '';
  const add = (field: string, isChanged: boolean, before: string, after: string) => {
    if (isChanged) fields += fields === '' ? field : ` ${field}`;
    cells += isChanged ? `,${before},${after}` : ',,';
  };
  const hasPrice = row.oldPrice !== row.newPrice;
  add('price', hasPrice, row.oldPrice, row.newPrice);
  cells += hasPrice ? `,${percent ?? ''}` : ',';
  add('quantity', row.oldQuantity !== row.newQuantity, row.oldQuantity, row.newQuantity);
  add('active', row.oldActive !== row.newActive, flag(row.oldActive), flag(row.newActive));
  add('maximum_sales_quantity', row.oldMaximum !== row.newMaximum, row.oldMaximum, row.newMaximum);
  const hasBarcode = row.oldBarcode !== row.newBarcode;
  add('barcode', hasBarcode, hasBarcode ? quoteCell(row.oldBarcode) : '', hasBarcode ? quoteCell(row.newBarcode) : '');
  return `,${fields}${cells}`;
}

function flag(text: string): string {
  return text === 't' ? '1' : '0';
}

/** A fast path: most SKUs and names need no quotes. */
function cellOf(text: string): string {
  return /^\w[\w .-]*$/.test(text) ? text : quoteCell(text);
}
