/**
 * CSV as RFC 4180 describes it, and formula escaping that can be undone: for the server's files, the SQL that writes
 * exports and the portal. Whatever is written here reads back as the same values.
 */

/**
 * A cell that a spreadsheet would evaluate, or that looks like an escaped one: any apostrophes, then a formula
 * character. JavaScript and PostgreSQL read this pattern alike.
 */
export const formulaPattern = "^'*[=+@\\t\\r\\n-]";

/** An apostrophe in front turns a formula into text. An escaped cell gets one more, so no two cells become the same. */
export function escapeFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

export function quoteCell(cell: string): string {
  const safe = escapeFormula(cell);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoteCell).join(',')}\n`).join('');
}

/** The rows with their original values. A line may end with LF, CRLF or CR, and the last one need not end at all. */
export function* parseCsv(text: string): Generator<string[]> {
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  let row: string[] = [];
  for (let number = 1; cell.lastIndex < text.length; ) {
    const match = cell.exec(text);
    if (!match) throw new SyntaxError(`Row ${number} has a misplaced or unclosed quote.`);
    const [, quoted, plain = '', end] = match;
    row.push(unescapeFormula(quoted?.replaceAll('""', '"') ?? plain));
    if (end === ',' && cell.lastIndex < text.length) continue;
    if (end === ',') row.push('');
    yield row;
    row = [];
    number++;
  }
}

const formula = new RegExp(formulaPattern);
