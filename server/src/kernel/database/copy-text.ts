/** One row in PostgreSQL's COPY text format. */
export function encodeCopyRow(cells: readonly CopyValue[]): string {
  let text = encodeCopyField(cells[0]);
  for (let index = 1; index < cells.length; index++) text += `\t${encodeCopyField(cells[index])}`;
  return `${text}\n`;
}

export type CopyValue = string | number | boolean | null | undefined;

export function encodeCopyField(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'number') return String(value);
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found) : value;
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
