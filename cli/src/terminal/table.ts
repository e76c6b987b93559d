import type { Paint, Style } from './paint.ts';
import { plain, truncate, widthOfText, wrap } from './text.ts';

/** A column that is `flexible` is shortened if the table is wider than the terminal. */
export type Column = { title: string; align?: 'left' | 'right'; flexible?: true };
export type Cell = string | { text: string; style: Style | undefined };
export type TableOptions = { width: number; paint: Paint };

/** A table with a header, without a line break at the end. */
export function formatTable(columns: readonly Column[], rows: readonly Cell[][], options: TableOptions): string {
  const texts = rows.map((row) => row.map((cell) => plain(typeof cell === 'string' ? cell : cell.text)));
  const widths = fit(
    columns,
    columns.map(({ title }, index) =>
      texts.reduce((widest, row) => Math.max(widest, widthOfText(row[index] ?? '')), widthOfText(title)),
    ),
    options.width,
  );
  const line = (cells: string[], styles: (Style | undefined)[]) =>
    cells
      .map((text, index) => {
        const style = styles[index];
        const shown = truncate(text, widths[index] ?? 0);
        const spaces = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOfText(shown)));
        const painted = style ? options.paint(style, shown) : shown;
        return columns[index]?.align === 'right' ? spaces + painted : painted + spaces;
      })
      .join('  ')
      .trimEnd();
  const styleOfCell = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.style);
  return [
    line(
      columns.map(({ title }) => title),
      columns.map(() => 'dim' as const),
    ),
    ...texts.map((row, index) => line(row, (rows[index] ?? []).map(styleOfCell))),
  ].join('\n');
}

/** Names and values below each other. Values that are undefined are left out. */
export function formatFields(
  fields: readonly [string, Cell | undefined][],
  { paint, width: max }: TableOptions,
): string {
  const shown = fields.filter((field): field is [string, Cell] => field[1] !== undefined && field[1] !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown
    .map(([name, cell]) => {
      const text = wrap(plain(typeof cell === 'string' ? cell : cell.text), max - width - 2, width + 2);
      const style = typeof cell === 'string' ? undefined : cell.style;
      return `${paint('dim', name.padEnd(width))}  ${style ? paint(style, text) : text}`;
    })
    .join('\n');
}

/** Shortens the flexible columns, the widest first, until the table fits. */
function fit(columns: readonly Column[], natural: number[], width: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, one) => sum + one, 0) + 2 * (widths.length - 1);
  while (total() > width) {
    const widest = columns.reduce(
      (found, { flexible }, index) =>
        flexible && (widths[index] ?? 0) > Math.max(8, widths[found] ?? 0) ? index : found,
      -1,
    );
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
