import { readFile } from 'node:fs/promises';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { UsageError } from '../errors.ts';
import { plain } from '../terminal/text.ts';
import { checkZip } from './check-zip.ts';
import { csvCell } from './csv-cell.ts';

/**
 * The rows of a sheet as lines of CSV, with the same line numbers as in the spreadsheet. The server reads the header
 * and the cells as those of a CSV file.
 */
export async function readXlsxRows(path: string, sheet: string | undefined): Promise<AsyncIterable<string>> {
  const bytes = await readFile(path);
  if (isOldFormat(bytes)) {
    throw new UsageError(`${path} is an Excel file of the old format (.xls), or is protected by a password.`, saveAs);
  }
  checkZip(path, bytes);
  const index = chooseSheet(path, await listSheets(path, bytes), sheet);
  return readLines(path, bytes, index);
}

const maxRows = 1_048_576;
const saveAs = 'Open it in your spreadsheet program, and save it as an Excel workbook (.xlsx) or as CSV (UTF-8).';

type SheetInfo = { name: string; isHidden: boolean };

/** The container of old Excel files, and of encrypted ones. */
function isOldFormat(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString('hex') === 'd0cf11e0';
}

async function listSheets(path: string, bytes: Uint8Array): Promise<SheetInfo[]> {
  const sheets: SheetInfo[] = [];
  const isRead = ({ name, hidden, veryHidden }: { name: string; hidden?: boolean; veryHidden?: boolean }) => {
    sheets.push({ name, isHidden: hidden === true || veryHidden === true });
    return false;
  };
  await readXlsx(bytes, { sheets: isRead }).catch((error: unknown) => explainDamage(path, error));
  return sheets;
}

/** By name, or by number starting at 1; otherwise the first one that is not hidden. */
function chooseSheet(path: string, sheets: readonly SheetInfo[], given: string | undefined): number {
  const found =
    given === undefined
      ? Math.max(
          0,
          sheets.findIndex(({ isHidden }) => !isHidden),
        )
      : sheets.findIndex(({ name }) => name.toLowerCase() === given.toLowerCase());
  if (sheets[found]) return found;
  const number = /^\d{1,4}$/.test(given ?? '') ? Number(given) : 0;
  if (sheets[number - 1]) return number - 1;
  const names = sheets.map(({ name }) => plain(name)).join(', ');
  throw new UsageError(
    given === undefined ? `${path} has no sheets.` : `${path} has no sheet ${given}.`,
    names && `Sheets: ${names}`,
  );
}

async function* readLines(path: string, bytes: Uint8Array, sheet: number): AsyncGenerator<string> {
  let next = 0;
  try {
    for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
      if (index >= maxRows) throw new UsageError(`${path} has a row ${index + 1}; a sheet has up to ${maxRows} rows.`);
      for (; next < index; next++) yield '';
      next = index + 1;
      yield lineOf(values);
    }
  } catch (error) {
    explainDamage(path, error);
  }
  if (next === 0) throw new UsageError(`The sheet in ${path} is empty.`, '--sheet chooses another one.');
}

function lineOf(values: readonly CellValue[]): string {
  const last = values.findLastIndex((value) => value !== null && value !== '');
  return values
    .slice(0, last + 1)
    .map((value) => csvCell(textOf(value)))
    .join(',');
}

function textOf(value: CellValue): string {
  if (value === null) return '';
  // Excel calculates with 15 digits, and stores 0.1 + 0.2 as 0.30000000000000004.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) return 'invalid date';
  return value.toISOString().replace(/T00:00:00\.000Z$/, '');
}

function explainDamage(path: string, error: unknown): never {
  if (error instanceof UsageError) throw error;
  throw new UsageError(`${path} is damaged, or is not an Excel workbook (.xlsx): ${plain(String(error))}`, saveAs);
}
