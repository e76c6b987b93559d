import { unescapeFormula } from '@aisle/contract/csv';
import Type, { type Static } from 'typebox';
import { storedJson } from '../../kernel/values/stored-json.ts';

/** The format of a file. Stored with the file, so that its failed rows can be returned in the same format. */
const Format = Type.Object({
  encoding: Type.String(),
  separator: Type.String(),
  /** The column names as written in the file, without those of `dropped` columns. */
  header: Type.Array(Type.String()),
  /** The field of each column in the file; null for a column that is ignored. */
  fields: Type.Array(
    Type.Union([
      Type.Object({ name: Type.String(), type: Type.String(), locale: Type.Optional(Type.String()) }),
      Type.Null(),
    ]),
  ),
  /** The positions of columns that Aisle adds to its own files, such as `reason`. They are left out. */
  dropped: Type.Array(Type.Integer()),
  /** Whether the failed rows start with a byte order mark, without which some spreadsheets do not recognize UTF-8. */
  has_mark: Type.Boolean(),
});
export type Format = Static<typeof Format>;

/** A row as it was uploaded: its line number and its cells, without those in `dropped` columns. */
export type StoredRow = [line: number, cells: string[]];

export const readFormat = storedJson('format of a file', Format);

export function headLine({ header, separator, has_mark: hasMark }: Format): string {
  return `${hasMark ? '\ufeff' : ''}${writeRow([...header, 'reason'], separator)}`;
}

/** The failed rows as text, each with its reasons. If a row failed at several vendors, it is written once. */
export function failedLines(
  { header, separator }: Format,
  rows: StoredRow[],
  failures: { line: number; vendorId: string; reason: string }[],
): string[] {
  const byLine = Map.groupBy(failures, (failure) => failure.line);
  return rows.flatMap(([line, cells]) => {
    const own = byLine.get(line);
    if (!own) return [];
    // A row with too few cells is padded, so that the reason is in its own column.
    const padded = [...cells, ...Array<string>(Math.max(0, header.length - cells.length)).fill('')];
    return [writeRow([...padded, reasonOf(own)], separator)];
  });
}

export type RejectedSku = { vendorId: string; sku: string; reason: string };

/** Finds the lines of rejected SKUs. If a SKU is repeated, its last row was applied. */
export function failuresBySku({ fields, dropped }: Format, rows: StoredRow[], rejected: RejectedSku[]) {
  if (rejected.length === 0) return [];
  const skuAt = fields.findIndex((field) => field?.name === 'sku');
  const at = skuAt - dropped.filter((index) => index < skuAt).length;
  const lineOf = new Map(rows.map(([line, cells]) => [unescapeFormula(cells[at]?.trim() ?? ''), line]));
  return rejected.flatMap(({ sku, vendorId, reason }) => {
    const line = lineOf.get(sku);
    return line === undefined ? [] : [{ line, vendorId, reason }];
  });
}

/** A reason that applies to several vendors is written once, with their ids. Some failures have no vendor. */
function reasonOf(failures: { vendorId: string; reason: string }[]): string {
  const byReason = Map.groupBy(failures, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, own]) => {
      const vendors = own.map(({ vendorId }) => vendorId).filter((id) => id !== '');
      return vendors.length > 0 ? `${vendors.join(', ')}: ${reason}` : reason;
    })
    .join(' ');
}

function writeRow(cells: string[], separator: string): string {
  const special = new RegExp(`["\\r\\n${separator}]|^\\s|\\s$`);
  const quoted = cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(separator)}\n`;
}
