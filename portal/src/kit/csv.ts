/** RFC 4180: quoted cells may hold commas, quotes and line breaks. Blank lines are no rows. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  while (cell.lastIndex < source.length) {
    const match = cell.exec(source);
    if (!match) throw new SyntaxError(`Line ${rows.length + 1} has a stray quote.`);
    const [, quoted, plain = '', end] = match;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') {
      if (cell.lastIndex === source.length) row.push('');
      else continue;
    }
    if (row.some((one) => one !== '')) rows.push(row);
    row = [];
  }
  return rows;
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quote).join(',')}\n`).join('');
}

/** A cell that a spreadsheet would run as a formula is defused. */
function quote(cell: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
