import { globSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { findBrowser } from '../e2e/support/browser.ts';
import { startTestServer } from './test-database.ts';

/**
 * npm test [-- FILE …]: runs all tests on a PostgreSQL server started for this run, or on the one in DATABASE_URL. Each
 * file uses its own clone of a migrated template database. Nothing outside a temporary folder is changed, so an Aisle
 * server can run at the same time.
 */
const given = process.argv.slice(2);
const patterns = [
  'contract/**/*.test.ts',
  'demo/**/*.test.ts',
  'server/**/*.test.ts',
  'portal/**/*.test.ts',
  'tools/**/*.test.ts',
  'e2e/**/*.test.ts',
  'simulate/**/*.test.ts',
];
const isLong = /^(e2e|simulate)\/|fuzz/;
const files = globSync(given.length > 0 ? given : patterns, { exclude: ['**/node_modules/**'] }).toSorted(byDuration);
if (files.length === 0) {
  console.error(`No file matches ${given.join(' ')}.`);
  process.exit(1);
}

// Extracts the browser once, before several files need it at the same time. The tests report a missing browser.
if (files.some((file) => file.includes('e2e/portal/'))) await findBrowser().catch(() => {});

const server = await startTestServer();
let hasPassed = false;
try {
  console.log(`Running ${files.length} test files on ${server.label}.`);
  hasPassed = await runTests();
} finally {
  await server.stop();
}
process.exit(hasPassed ? 0 : 1);

/** The long tests start first, so that the short ones fill the gaps at the end. */
function byDuration(file: string, other: string): number {
  return Number(isLong.test(other)) - Number(isLong.test(file)) || file.localeCompare(other);
}

/** Returns whether every test passed. */
async function runTests(): Promise<boolean> {
  // Each file runs in its own process, which inherits the environment.
  delete process.env['DATABASE_URL'];
  Object.assign(process.env, server.environment);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const tests = run({ files, concurrency: 3, timeout: 600_000, signal: stopping.signal });
  let failures = 0;
  tests.on('test:fail', () => failures++);
  await pipeline(tests, new spec(), process.stdout, { end: false });
  return failures === 0 && !stopping.signal.aborted;
}
