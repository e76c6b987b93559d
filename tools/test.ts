import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { findBrowser } from '../e2e/support/browser.ts';
import { checkRecorded } from './statements/check-recorded.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { startTestServer } from './test-database.ts';
import { groupFiles } from './test-groups.ts';

/**
 * npm test [-- FILE …]: runs all tests on a PostgreSQL server started for this run, or on the one in DATABASE_URL. Each
 * file uses its own clone of a migrated template database. Nothing outside a temporary folder is changed, so an Aisle
 * server can run at the same time. Several short files share a process (see test-groups.ts). The statements that the
 * server executed are checked at the end (see statements/check-statement.ts).
 */
const given = process.argv.slice(2);
const patterns = [
  'contract/**/*.test.ts',
  'sdk/src/**/*.test.ts',
  'cli/src/**/*.test.ts',
  'demo/**/*.test.ts',
  'server/**/*.test.ts',
  'portal/**/*.test.ts',
  'tools/**/*.test.ts',
  'e2e/**/*.test.ts',
  'simulate/**/*.test.ts',
];
const files = globSync(given.length > 0 ? given : patterns, { exclude: ['**/node_modules/**'] });
if (files.length === 0) {
  console.error(`No file matches ${given.join(' ')}.`);
  process.exit(1);
}

// Also when this file is run without npm.
await import(String(new URL('./ensure-server.mjs', import.meta.url)));

const hasPortal = files.some((file) => file.includes('e2e/portal/'));
// Extracts the browser once, before several files need it at the same time. The tests report a missing browser.
if (hasPortal)
  await findBrowser().then(
    (path) => (process.env['AISLE_BROWSER'] = path),
    () => {},
  );

const hasData = files.some((file) => /^(e2e|simulate)\//.test(file));
const server = await startTestServer({ hasDemo: hasPortal, hasData });
let hasPassed = false;
try {
  console.log(`Running ${files.length} test files on ${server.label}.`);
  hasPassed = await runTests();
} finally {
  await server.stop();
}
process.exit(hasPassed ? 0 : 1);

/** Returns whether every test passed. */
async function runTests(): Promise<boolean> {
  // The processes inherit the environment.
  delete process.env['DATABASE_URL'];
  const statements = join(server.folder, 'statements');
  mkdirSync(statements);
  // Folders that killed processes leave behind are deleted at the end of the run.
  const temporary = makeTemporaryFolder('tests');
  Object.assign(process.env, server.environment, { AISLE_TEST_STATEMENTS: statements });
  Object.assign(process.env, { TMPDIR: temporary, TMP: temporary, TEMP: temporary });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const entries = groupFiles(files, server.folder);
  // With more memory for new objects, the garbage collector runs less often, which makes tests of the API 8% faster.
  const execArgv = ['--max-semi-space-size=64', '--import', String(new URL('./promise-tracking.mjs', import.meta.url))];
  const tests = run({ files: entries, concurrency: 3, timeout: 1_200_000, signal: stopping.signal, execArgv });
  let failures = 0;
  tests.on('test:fail', () => failures++);
  await pipeline(tests, new spec(), process.stdout, { end: false });
  if (stopping.signal.aborted) return false;
  const wrong = await checkRecorded(statements, server.url, given.length === 0 && failures === 0);
  if (wrong.length > 0)
    console.error(`\nStatements that break the data rules in ARCHITECTURE.md:\n\n${wrong.join('\n\n')}`);
  return failures === 0 && wrong.length === 0;
}
