import { escapeFormula, unescapeFormula } from '@aisle/contract/csv';
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

/** The format of failed rows if the names of the columns could not be read. */
export const unknownFormat: Format = {
  encoding: 'utf-8',
  separator: ',',
  header: [],
  fields: [],
  dropped: [],
  has_mark: false,
};

export function headLine({ header, separator, has_mark: hasMark }: Format): string {
  return `${hasMark ? '\ufeff' : ''}${writeRow([...header, 'reason'], separator)}`;
}

/**
 * A failed row as text. The reason is always in its own column: a row with too few cells is padded, and cells beyond the
 * header follow the reason.
 */
export function failedLine({ header, separator }: Format, cells: string[], reason: string): string {
  const padding = Array<string>(Math.max(0, header.length - cells.length)).fill('');
  const named = cells.slice(0, header.length);
  return writeRow([...named, ...padding, reason, ...cells.slice(header.length)], separator);
}

/** Returns a function that finds the SKU of a stored row. */
export function skuFinder({ fields, dropped }: Format): (cells: string[]) => string {
  const skuAt = fields.findIndex((field) => field?.name === 'sku');
  const at = skuAt - dropped.filter((index) => index < skuAt).length;
  return (cells) => unescapeFormula(cells[at]?.trim() ?? '');
}

function writeRow(cells: string[], separator: string): string {
  const special = new RegExp(`["\\r\\n${separator}]|^\\s|\\s$`);
  const safe = cells.map(escapeCell);
  const quoted = safe.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(separator)}\n`;
}

/** A cell that is escaped already stays as it is, and so does a negative number. */
function escapeCell(cell: string): string {
  return /^-[\d.,]+$/.test(cell) ? cell : escapeFormula(unescapeFormula(cell));
}
