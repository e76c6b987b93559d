import { parse } from 'csv-parse/sync';
import { maxColumns } from './rules/columns.ts';

/** A row of a CSV file and the line on which it starts. Only a row with quotes has been split into cells. */
export type CsvRecord = { line: number; content: string | string[] };

/** `end` is the position after the last complete record, and `line` the number of the line that starts there. */
export type Records = { records: CsvRecord[]; end: number; line: number };

export type RecordOptions = {
  separator: string;
  /** The number of the first line. */
  line: number;
  /** Whether the text includes the end of the file. If so, the last record needs no line break. */
  isLast: boolean;
  maxRecords: number;
};

/**
 * Splits text into records. The text can end in the middle of a record, which is left for the next call. Lines can end
 * with LF, CRLF or CR, even within one file. Empty lines are skipped.
 *
 * A quote opens a quoted cell only at its start, so `TV 32"` is text. Most records have no quotes and are split here,
 * ten times as fast as by csv-parse. The others are collected and parsed by csv-parse in one call.
 */
export function splitRecords(text: string, { separator, line, isLast, maxRecords }: RecordOptions): Records {
  const findEnd = createEndFinder(text, separator);
  const records: CsvRecord[] = [];
  const quoted: { record: CsvRecord; source: string }[] = [];
  let at = 0;
  let lineNo = line;
  while (at < text.length && records.length < maxRecords) {
    const end = findEnd(at);
    if (end === undefined || (end === text.length && !isLast)) break;
    const next = end + breakLength(text, end);
    // A CR at the end may be the first half of a CRLF.
    if (text[end] === '\r' && next === text.length && !isLast) break;
    const source = text.slice(at, end);
    if (source !== '') {
      const record = { line: lineNo, content: source };
      records.push(record);
      if (source.includes('"')) {
        quoted.push({ record, source });
        lineNo += countBreaks(source);
      }
    }
    lineNo += 1;
    at = next;
  }
  parseQuoted(quoted, separator);
  return { records, end: at, line: lineNo };
}

/** The cells of a record, at most `maxCells` of them. */
export function cellsOf({ content }: CsvRecord, separator: string): string[] {
  return typeof content === 'string' ? content.split(separator, maxCells) : content;
}

/** One more than the columns that a file can have, so that rows with too many cells can be rejected. */
const maxCells = maxColumns + 1;

/** The separator that occurs most often in the line, outside quotes. A line without separators has one column. */
export function findSeparator(firstLine: string): string {
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: unquoted.split(separator).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.separator ?? ',';
}

/**
 * Returns a function that finds the line break that ends the record at a position, or the end of the text. It returns
 * undefined if a quote is still open. Positions must increase from call to call.
 */
function createEndFinder(text: string, separator: string): (from: number) => number | undefined {
  const stop = new RegExp(`[${separator}\\r\\n]`, 'g');
  const find = (part: string) => {
    let at = -1;
    return (from: number) => {
      if (at < from) at = text.indexOf(part, from);
      if (at < 0) at = text.length;
      return at;
    };
  };
  const [nextLf, nextCr, nextQuote] = [find('\n'), find('\r'), find('"')];
  return (from) => {
    const end = Math.min(nextLf(from), nextCr(from));
    return nextQuote(from) > end ? end : findQuotedEnd(text, from, stop);
  };
}

function findQuotedEnd(text: string, from: number, stop: RegExp): number | undefined {
  for (let at = from; ; ) {
    if (text[at] === '"') {
      const closing = findClosingQuote(text, at);
      if (closing === undefined) return undefined;
      at = closing + 1;
    }
    stop.lastIndex = at;
    const match = stop.exec(text);
    if (!match) return text.length;
    if (match[0] === '\n' || match[0] === '\r') return match.index;
    at = match.index + 1;
  }
}

function findClosingQuote(text: string, opening: number): number | undefined {
  for (let at = opening + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return undefined;
    if (text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
}

function breakLength(text: string, end: number): number {
  if (end >= text.length) return 0;
  return text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1;
}

function countBreaks(source: string): number {
  return source.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function parseQuoted(quoted: { record: CsvRecord; source: string }[], separator: string): void {
  if (quoted.length === 0) return;
  const rows: string[][] = parse(quoted.map(({ source }) => `${source}\n`).join(''), {
    delimiter: separator,
    record_delimiter: '\n',
    relax_quotes: true,
    relax_column_count: true,
  });
  if (rows.length !== quoted.length) throw new Error('The CSV parser found a different number of records.');
  quoted.forEach(({ record }, index) => {
    record.content = (rows[index] ?? []).slice(0, maxCells);
  });
}
