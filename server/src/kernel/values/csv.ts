/** CSV as RFC 4180 has it, with cells that a spreadsheet would run as a formula made harmless. */

/** An apostrophe in front makes a formula a text. A cell that already begins so gets one more: it can be undone. */
export function defuse(cell: string): string {
  return /^'*[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

export function undoDefuse(cell: string): string {
  return /^'+[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell;
}

export function quoteCell(cell: string): string {
  const safe = defuse(cell);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows of a text of whole lines, with their original values. */
export function* parseCsv(text: string): Generator<string[]> {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) throw new Error(`The CSV is broken at character ${cell.lastIndex}.`);
    row.push(undoDefuse(match[1]?.replaceAll('""', '"') ?? match[2] ?? ''));
    if (match[3] === ',') continue;
    yield row;
    row = [];
  }
}
