export type Row = Record<string, string | number>;

export function printTable(title: string, rows: Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => [...(line[index] ?? '')].length)));
  const line = (parts: string[]) => `| ${parts.map((part, index) => part.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  console.log(`\n${title}\n`);
  console.log(line(cells[0] ?? []));
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of cells.slice(1)) console.log(line(row));
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function ratio(value: number, baseline: number): string {
  return (value / baseline).toFixed(2);
}

export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
