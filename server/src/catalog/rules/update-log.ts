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
/** A prepared log, split at the placeholders: the state of valid item n goes between pieces n and n + 1. */
export type PreparedLog = { head: LogHead; pieces: string[] };

/** The states of valid items: updated, unchanged, superseded, not found. */
const stateCells: Record<string, string> = {
  U: ',,UPDATED,,',
  '=': ',,UNCHANGED,,',
  S: ',superseded_by_single_update,SUPERSEDED,"A single update to this SKU was accepted after this job.",',
  N: ',product_not_found,FAILED,"The vendor has no product with this SKU.",',
};

export function readPreparedLog(bytes: Buffer, vendorId = ''): PreparedLog {
  const text = bytes.toString('utf8').replaceAll(vendorMark, `,${quoteCell(vendorId)}`);
  const end = text.indexOf('\n');
  return { head: JSON.parse(text.slice(0, end)), pieces: text.slice(end + 1).split(stateMark) };
}

/** Rows of a chunk, by number. All others are unchanged. */
export type RowStates = { written: readonly number[]; unknown: readonly number[]; superseded: readonly number[] };

/** Returns the states of the valid items, one letter each, in log order. */
export function listStates(pieces: string[], { written, unknown, superseded }: RowStates): string {
  const letters = new Map([
    ...superseded.map((row) => [row, 'S'] as const),
    ...unknown.map((row) => [row, 'N'] as const),
    ...written.map((row) => [row, 'U'] as const),
  ]);
  if (letters.size === 0) return '='.repeat(pieces.length - 1);
  let states = '';
  for (let index = 0; index + 1 < pieces.length; index++) states += letters.get(rowNumber(pieces, index)) ?? '=';
  return states;
}

export function fillStates(pieces: string[], states: string): string {
  if (/^U*$/.test(states)) return pieces.join(stateCells['U']);
  let text = pieces[0] ?? '';
  for (let index = 0; index < states.length; index++) {
    text += (stateCells[states[index] ?? ''] ?? '') + (pieces[index + 1] ?? '');
  }
  return text;
}

/** The row numbers of the first `max` items whose SKU the vendor does not have. */
export function unknownRows(pieces: string[], states: string, max: number): number[] {
  const rows: number[] = [];
  for (let at = states.indexOf('N'); at >= 0 && rows.length < max; at = states.indexOf('N', at + 1)) {
    rows.push(rowNumber(pieces, at));
  }
  return rows;
}

export function unknownFailure({ row_no, sku }: { row_no: number; sku: string }): LogFailure {
  const rejected_reason = 'The vendor has no product with this SKU.';
  return { row_no, sku, code: 'product_not_found', rejected_data: sku, rejected_reason };
}

export function countStates(states: string, head: LogHead): Counts {
  const count = (letter: string) => states.split(letter).length - 1;
  return {
    succeeded: count('U'),
    unchanged: count('=') + count('S') + head.superseded,
    failed: count('N') + head.failed,
  };
}

function rowNumber(pieces: string[], index: number): number {
  return Number.parseInt(pieces[index + 1] ?? '', 10);
}
