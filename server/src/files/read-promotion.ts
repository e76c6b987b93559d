import { describeFault } from '@aisle/contract/file-faults';
import type { FileItem } from '../catalog/index.ts';
import type { FailedRows, PromotionPlan, PromotionReader } from '../promotions/index.ts';
import { maxRowBytes, readWindow, type WindowError } from './read-window.ts';
import type { Format } from './rules/format.ts';

/** The whole content of a promotion file. `now` and `locale` are passed to the reader of promotions. */
export type PromotionInput = { bytes: Buffer; maxRows: number; now: number; locale: string };

/** What a promotion file contains. Without a plan, all of its rows failed. */
export type PromotionContent = { format: Format; plan: PromotionPlan | undefined; groups: RowGroup[]; line: number };

/** Rows that were read together: where they are in the content, and which of them failed. */
export type RowGroup = { line: number; from: number; to: number; failed: FailedRows };

/** Reads a whole file as one promotion. Runs in a thread. */
export function readPromotion(
  { bytes, maxRows, ...options }: PromotionInput,
  reader: PromotionReader,
): PromotionContent | { error: WindowError } {
  const split = splitContent(bytes, maxRows);
  if ('error' in split) return split;
  const { format, items, groups } = split;
  const [first] = items;
  if (!first) return { error: { line: split.line, column: 1, reason: describeFault('no_rows') } };
  const read = reader.readRows(items, options);
  if ('error' in read) {
    const { line, fields, reason } = read.error;
    return { error: { line, column: findColumn(format, fields), reason } };
  }
  const failed = Map.groupBy(read.failed, ({ line }) => groups.findLastIndex((group) => group.line <= line));
  return {
    format,
    plan: read.plan,
    groups: groups.map((group, index) => ({ ...group, failed: reader.writeFailedRows(failed.get(index) ?? []) })),
    line: first.line,
  };
}

/** The number of the column that is read into one of these fields. If the file has none, the first one. */
function findColumn({ fields }: Format, names: string[]): number {
  return (
    Math.max(
      0,
      fields.findIndex((field) => field !== null && names.includes(field.name)),
    ) + 1
  );
}

function splitContent(bytes: Buffer, maxRows: number) {
  const items: FileItem[] = [];
  const groups: Omit<RowGroup, 'failed'>[] = [];
  let format: Format | null = null;
  let line = 1;
  for (let at = 0; ; ) {
    const piece = bytes.subarray(at, at + maxRowBytes);
    const isLast = at + piece.length === bytes.length;
    const window = readWindow({ ...promotionWindow, bytes: piece, isLast, line, format });
    if ('error' in window) return window;
    for (const part of window.chunks) if ('items' in part) for (const item of part.items) items.push(item);
    if (items.length > maxRows) {
      return { error: { line: window.line, column: 1, reason: describeFault('more_rows', { max: maxRows }) } };
    }
    groups.push({ line: window.start.line, from: at + window.start.bytes, to: at + window.bytes });
    format = window.format;
    line = window.line;
    at += window.bytes;
    if (at === bytes.length) return { format, items, groups, line };
  }
}

const promotionWindow = { kind: 'promotions', isLimited: false, hasVendors: false } as const;
