import { spawnSync } from 'node:child_process';

/** npm run check: everything that must hold before a change lands, each a sentence, the same here and in CI. */
const checks: [string, string[]][] = [
  ['The code is formatted.', ['biome', 'format', '.']],
  ['The linter finds nothing.', ['oxlint', '--type-aware']],
  ['The types agree.', ['tsc', '--noEmit', '-p', '.']],
  ['The types of the portal agree.', ['tsc', '--noEmit', '-p', 'portal']],
  ['The generated files are up to date.', ['node', 'tools/generate.ts', '--check']],
  ['All tests pass, the architecture among them.', ['node', 'tools/test.ts']],
];

for (const [sentence, [command = '', ...rest]] of checks) {
  const started = performance.now();
  const { status } = spawnSync(command, rest, { stdio: 'inherit', shell: process.platform === 'win32' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`✖ Not true: ${sentence} (${[command, ...rest].join(' ')})`);
    process.exit(1);
  }
  console.log(`✔ ${sentence} (${seconds} s)`);
}
