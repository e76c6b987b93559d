import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { run } from 'node:test';
import { oneNodeTests } from './cluster-tests.ts';
import { startTestServer } from './test-database.ts';
import { groupFiles } from './test-groups.ts';

/**
 * npm run test:cluster [-- FILE …]: runs the tests of the server on a Citus cluster and prints a line per file.
 * DATABASE_URL is the coordinator, and AISLE_TEST_WORKERS has the URLs of the workers, separated by commas. Files that
 * only make sense on one node are left out (see cluster-tests.ts).
 */
const { DATABASE_URL, AISLE_TEST_WORKERS } = process.env;
if (!DATABASE_URL || !AISLE_TEST_WORKERS) {
  console.error('Set DATABASE_URL to the coordinator and AISLE_TEST_WORKERS to the URLs of the workers.');
  process.exit(1);
}
const given = process.argv.slice(2);
const files = globSync(given.length > 0 ? given : ['server/test/**/*.test.ts']).filter(
  (file) => !(file in oneNodeTests),
);
if (files.length === 0) {
  console.error(`No file matches ${given.join(' ')}.`);
  process.exit(1);
}
await import(String(new URL('./ensure-server.mjs', import.meta.url)));
const server = await startTestServer();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
const hasPassed = await runFiles().finally(server.stop);
process.exit(hasPassed ? 0 : 1);

async function runFiles(): Promise<boolean> {
  delete process.env['DATABASE_URL'];
  Object.assign(process.env, server.environment);
  console.log(`Running ${files.length} test files on a cluster.`);
  const passed: string[] = [];
  const counts = new Map<string, { passed: number; failed: number }>();
  const nameOf = (file = '') => relative(process.cwd(), file);
  const countOf = (name: string) => counts.get(name) ?? { passed: 0, failed: 0 };
  const started = performance.now();
  const entries = groupFiles(files, server.folder);
  const tests = run({ files: entries, concurrency: 2, timeout: 900_000, signal: stopping.signal });
  const end = (name: string, isPassed: boolean) => {
    const count = countOf(name);
    if (isPassed) passed.push(name);
    console.log(`${isPassed ? '✔' : '✖'} ${name}: ${count.passed} of ${count.passed + count.failed}`);
  };
  tests.on('test:pass', ({ name, nesting, file }) => {
    if (nesting === 0 && files.includes(name)) return end(name, true);
    const count = countOf(nameOf(file));
    counts.set(nameOf(file), { ...count, passed: count.passed + 1 });
  });
  tests.on('test:fail', ({ name, nesting, file, details: { error } }) => {
    if (nesting === 0 && files.includes(name)) return end(name, false);
    const count = countOf(nameOf(file));
    counts.set(nameOf(file), { ...count, failed: count.failed + 1 });
    const { cause } = error;
    console.log(
      `    ✖ ${name}\n      ${String(cause.stack ?? cause)
        .split('\n')
        .slice(0, 12)
        .join('\n      ')}`,
    );
  });
  // A file with a process of its own is not a suite.
  tests.on('test:summary', ({ file, success }) => {
    const name = nameOf(file);
    if (files.includes(name)) end(name, success);
  });
  await tests.toArray();
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`\n${passed.length} of ${files.length} files passed in ${seconds} s.`);
  return passed.length === files.length;
}
