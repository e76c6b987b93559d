import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { formatTable, summaries } from './support/report.ts';

export type Benchmarks = Record<string, () => Promise<{ run(): Promise<void> }>>;

const readme = new URL('../README.md', import.meta.url);
const marker = '<!-- benchmarks -->';

/** Runs all benchmarks one after the other and replaces the table in the README. */
export async function runAll(benchmarks: Benchmarks): Promise<void> {
  const started = performance.now();
  for (const [name, load] of Object.entries(benchmarks)) {
    console.log(`\n=== ${name} (minute ${Math.floor((performance.now() - started) / 60_000)})`);
    await (await load()).run();
  }
  const minutes = Math.round((performance.now() - started) / 60_000);
  const text = `${formatTable(summaries)}\n\n${describeRun(minutes)}`;
  writeFileSync(readme, replaceBetween(readFileSync(readme, 'utf8'), text));
  console.log(`\n${text}\n\nWritten to README.md.`);
}

function describeRun(minutes: number): string {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores (${process.arch}), ${Math.round(totalmem() / 1024 ** 3)} GB of memory, ${process.platform}`;
  return `All numbers come from one run of \`npm run bench all\` on ${date}: ${minutes} minutes, ${machine}, Node ${process.versions.node}, with the embedded PostgreSQL. Benchmark, server and database shared the machine. Expect similar ratios on your hardware, but different absolute times.`;
}

function replaceBetween(page: string, text: string): string {
  const [before, , after] = page.split(marker);
  if (after === undefined) throw new Error(`README.md does not contain ${marker} twice.`);
  return `${before}${marker}\n${text}\n${marker}${after}`;
}
