import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
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
const files = given.length > 0 ? given : globSync(patterns, { exclude: ['**/node_modules/**'] }).toSorted();

// Extracts the browser once, before several files need it at the same time. The tests report a missing browser.
if (files.some((file) => file.includes('e2e/portal/'))) await findBrowser().catch(() => {});

const server = await startTestServer();
let code = 1;
try {
  console.log(`Running ${files.length} test files on ${server.label}.`);
  code = await runTests();
} finally {
  await server.stop();
}
process.exit(code);

function runTests(): Promise<number> {
  const child = spawn(process.execPath, ['--test', '--test-timeout=300000', '--test-concurrency=3', ...files], {
    stdio: 'inherit',
    env: server.environment,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)));
}
