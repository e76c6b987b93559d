import { spawnSync } from 'node:child_process';

/** npm run check: runs all checks that must pass before a change is merged. */
const checks: [sentence: string, command: string[]][] = [
  ['The code is formatted.', ['biome', 'format', '.']],
  ['The linter reports no problems.', ['oxlint', '--type-aware']],
  ['The code type-checks.', ['tsc', '--noEmit', '-p', '.']],
  ['The portal type-checks.', ['tsc', '--noEmit', '-p', 'portal']],
  ['The generated files are up to date.', ['node', 'tools/generate.ts', '--check']],
  ['Redocly and Spectral report no problems in the OpenAPI documents.', ['node', 'tools/openapi/lint.ts']],
  ['Features use only their own tables, and SQL is only in queries files.', architecture('tables')],
  ['Imports follow the folder order and have no cycles.', architecture('imports')],
  ['Imports in the portal follow its layers.', testCommand('portal/src/architecture.test.ts')],
  ['No committed migration has changed.', architecture('migrations')],
  ['No file is over 300 lines, and no function over 60.', architecture('sizes')],
  ['There are no default exports, enums, decorators, or classes except errors.', architecture('form')],
  ['Rules are pure, and functions named find… never throw.', architecture('rules')],
  ['The kernel contains no commerce terms.', architecture('kernel-words')],
  ['All tests pass.', ['node', 'tools/test.ts']],
];

for (const [sentence, [command = '', ...rest]] of checks) {
  const started = performance.now();
  const { status } = spawnSync(command, rest, { stdio: 'inherit', shell: process.platform === 'win32' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`✖ Failed: ${sentence} (${[command, ...rest].join(' ')})`);
    process.exit(1);
  }
  console.log(`✔ ${sentence} (${seconds} s)`);
}

function architecture(name: string): string[] {
  return testCommand(`server/test/architecture/${name}.test.ts`);
}

/** Prints a dot for each passed test and the details of each failed test. */
function testCommand(file: string): string[] {
  return ['node', '--test', '--test-reporter=dot', file];
}
