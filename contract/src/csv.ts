/**
 * CSV as defined in RFC 4180, with reversible formula escaping. Used by the server and the export SQL.
 * Parsing a file that this module wrote returns the original values.
 */

/**
 * Matches a cell that a spreadsheet would evaluate or that already looks escaped: any number of apostrophes, then a
 * formula character, which can be a full-width one. The pattern has the same meaning in JavaScript and PostgreSQL.
 */
export const formulaPattern = "^'*[=+@＝＋－＠\\t\\r\\n-]";

/**
 * Adds a leading apostrophe to a formula, which turns it into text. A cell that already looks escaped also gets an
 * apostrophe, so that escaping is reversible.
 */
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

/** Yields the rows with their original values. Rows end with LF, CRLF or CR. The last line ending is optional. */
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
