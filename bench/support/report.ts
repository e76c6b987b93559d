export type Row = Record<string, string | number>;

/** A line of the table in the README: `npm run bench all` writes it there. */
export type Summary = { Benchmark: string; Aisle: string; Baseline: string; Ratio: string; Target: string };

export const summaries: Summary[] = [];

export function summarize(Benchmark: string, Aisle: string, Baseline: string, Ratio: string, Target = ''): void {
  summaries.push({ Benchmark, Aisle, Baseline, Ratio, Target });
}

export function printTable(title: string, rows: Row[]): void {
  console.log(`\n${title}\n\n${formatTable(rows)}`);
}

export function formatTable(rows: Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => [...(line[index] ?? '')].length)));
  const line = (parts: string[]) => `| ${parts.map((part, index) => part.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
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
