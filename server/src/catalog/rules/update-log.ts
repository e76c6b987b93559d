import { quoteCell } from '@aisle/contract/csv';
import type { SubCode } from '@aisle/contract/sub-codes';
import type { Counts } from '../../jobs/index.ts';

/**
 * A chunk's log is prepared when the request is parsed, with placeholders for the states of valid items. The log's
 * first line is this object, followed by the log lines. The log is stored with queued jobs, so the fields of this
 * object cannot be renamed.
 */
export type LogHead = {
  /** The number of valid items. */
  sound: number;
  failed: number;
  superseded: number;
  failures: LogFailure[];
  /** Absent in jobs that were queued by an earlier version, which have it in their details. */
  hasBarcodes?: boolean;
  /** The first and the last SKU of the valid items. Absent if SKUs contain characters that PostgreSQL may sort otherwise. */
  range?: [low: string, high: string];
};

/** `code` is absent in jobs that were queued by an earlier version, which had no codes. */
type LogFailure = {
  row_no: number;
  sku: string | null;
  code?: SubCode<'item'>;
  rejected_data: string | null;
  rejected_reason: string;
};

/**
 * The placeholder for `,code,state,errors,` in a valid item's line. Text from a request never contains this character.
 */
export const stateMark = '\0';
/** The placeholder for the vendor at the end of a line. Any other U+0000 is followed by a row number. */
export const vendorMark = '\0v';
/** A prepared log: its head, its lines, and what replaces the placeholders for the vendor. */
export type PreparedLog = { head: LogHead; lines: Buffer; vendor: Buffer };

/** The states of valid items: updated, unchanged, superseded, not found. */
const stateCells: Record<string, Buffer> = {
  U: Buffer.from(',,UPDATED,,'),
  '=': Buffer.from(',,UNCHANGED,,'),
  S: Buffer.from(',superseded_by_single_update,SUPERSEDED,"A single update to this SKU was accepted after this job.",'),
  N: Buffer.from(',product_not_found,FAILED,"The vendor has no product with this SKU.",'),
};
const noCell = Buffer.alloc(0);
const vendorLetter = vendorMark.charCodeAt(1);

/** The lines stay bytes: strings of ten thousand lines would keep the garbage collector busy for tens of milliseconds. */
export function readPreparedLog(bytes: Buffer, vendorId = ''): PreparedLog {
  const end = bytes.indexOf('\n');
  return {
    head: JSON.parse(bytes.toString('utf8', 0, end)),
    lines: bytes.subarray(end + 1),
    vendor: Buffer.from(`,${quoteCell(vendorId)}`),
  };
}

/** Rows of a chunk, by number. All others are unchanged. */
export type RowStates = { written: readonly number[]; unknown: readonly number[]; superseded: readonly number[] };

/** Returns the states of the valid items, one letter each, in log order. */
export function listStates(log: PreparedLog, { written, unknown, superseded }: RowStates): string {
  const letters = new Map<number, 'S' | 'N' | 'U'>();
  for (const row of superseded) letters.set(row, 'S');
  for (const row of unknown) letters.set(row, 'N');
  for (const row of written) letters.set(row, 'U');
  if (letters.size === 0) return '='.repeat(log.head.sound);
  const states = rowNumbers(log).map((row) => letters.get(row) ?? '=');
  return states.join('');
}

/** The log with the states of its valid items. */
export function fillStates({ head, lines, vendor }: PreparedLog, states: string): Buffer {
  const rows = head.sound + head.failed + head.superseded;
  let length = lines.length + rows * vendor.length;
  for (const letter of states) length += (stateCells[letter] ?? noCell).length;
  const filled = Buffer.allocUnsafe(length);
  let end = 0;
  let item = 0;
  for (let at = 0; at < lines.length; at++) {
    const byte = lines[at] as number;
    if (byte !== 0) {
      filled[end++] = byte;
      continue;
    }
    const isVendor = lines[at + 1] === vendorLetter;
    const cell = isVendor ? vendor : (stateCells[states[item] ?? ''] ?? noCell);
    for (let index = 0; index < cell.length; index++) filled[end++] = cell[index] as number;
    if (isVendor) at += 1;
    else item += 1;
  }
  return filled.subarray(0, end);
}

/** The row numbers of the first `max` items whose SKU the vendor does not have. */
export function unknownRows(log: PreparedLog, states: string, max: number): number[] {
  if (!states.includes('N')) return [];
  return rowNumbers(log)
    .filter((_, index) => states[index] === 'N')
    .slice(0, max);
}

export function unknownFailure({ row_no, sku }: { row_no: number; sku: string }): LogFailure {
  const rejected_reason = 'The vendor has no product with this SKU.';
  return { row_no, sku, code: 'product_not_found', rejected_data: sku, rejected_reason };
}

export function countStates(states: string, head: LogHead): Counts {
  const counts: Record<string, number> = { U: 0, '=': 0, S: 0, N: 0 };
  for (const letter of states) counts[letter] = (counts[letter] ?? 0) + 1;
  const { U: updated = 0, '=': equal = 0, S: older = 0, N: unknown = 0 } = counts;
  return { succeeded: updated, unchanged: equal + older + head.superseded, failed: unknown + head.failed };
}

/** The row numbers of the valid items. Each comes after the placeholder for the item's state. */
function rowNumbers({ lines }: PreparedLog): number[] {
  const rows: number[] = [];
  for (let at = lines.indexOf(0); at >= 0; at = lines.indexOf(0, at + 1)) {
    if (lines[at + 1] === vendorLetter) continue;
    let row = 0;
    for (let next = at + 1; isDigit(lines[next]); next++) row = row * 10 + (lines[next] as number) - zero;
    rows.push(row);
  }
  return rows;
}

const zero = '0'.charCodeAt(0);

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte < zero + 10;
}
