import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { complete } from '../completion/complete.ts';
import { runAisle } from '../run.ts';
import { commandGroups, commands } from './index.ts';

const groups = Object.keys(commandGroups);

for (const name of ['', ...groups, ...commands.map((row) => row.name)]) {
  test(`aisle ${name} --help has examples and fits in 80 columns`, async () => {
    const { exitCode, stdout } = await run([...name.split(' ').filter(Boolean), '--help']);
    assert.equal(exitCode, 0);
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
    );
    if (!groups.includes(name)) assert.match(stdout, /\nExamples:\n {2}\$ aisle /);
    assert.match(stdout, /--json/);
  });
}

test('every example is a command with options that exist', () => {
  for (const { name, examples, options } of commands) {
    const known = options.flatMap(({ flags }) => flags.match(/--?[a-z][a-z-]*/g) ?? []);
    const isKnown = new Set([...known, '--demo', '--profile', '--url', '--json', '--']);
    for (const example of examples) {
      assert.ok(example.startsWith(name), example);
      const used = example.match(/(?<= )--?[a-z-]*(?= |$)/g) ?? [];
      assert.deepEqual(
        used.filter((option) => !isKnown.has(option)),
        [],
        example,
      );
    }
  }
});

test('every group of commands has a summary, and nothing else does', () => {
  const used = commands.map(({ name }) => name.split(' ')).filter((words) => words.length > 1);
  assert.deepEqual([...new Set(used.map(([group = '']) => group))].toSorted(), groups.toSorted());
});

test('an unknown command or option is reported with the exit code 2 and a suggestion', async () => {
  const unknown = await run(['ordrs']);
  assert.equal(unknown.exitCode, 2);
  assert.match(unknown.stderr, /^Error: Unknown command 'ordrs'\n\(Did you mean orders\?\)/);
  const option = await run(['orders', 'list', '--limt', '3']);
  assert.deepEqual([option.exitCode, option.stdout], [2, '']);
  assert.match(option.stderr, /Did you mean --limit\?/);
});

test('completion offers commands, options, choices, profiles and files', () => {
  const after = (...words: string[]) => complete(words, { commands, profiles: ['staging', 'production'] });
  assert.deepEqual(after('orders', 'p'), ['pick']);
  assert.deepEqual(after('--demo', 'orders', 'ca'), ['cancel']);
  assert.deepEqual(after('ord'), ['orders']);
  assert.deepEqual(after('trigger', 'catalog.'), ['catalog.job_finished', 'catalog.export_finished']);
  assert.deepEqual(after('orders', 'list', '--st'), ['--store', '--status']);
  assert.deepEqual(after('orders', 'list', '--status', 'REC'), ['RECEIVED']);
  assert.deepEqual(after('orders', 'list', '--json', '--profile', ''), ['staging', 'production']);
  assert.deepEqual(after('simulate', '--profile', 'e'), ['evening-rush']);
  assert.deepEqual(after('profile', 'use', 's'), ['staging']);
  assert.equal(after('catalog', 'push', './p'), undefined);
  assert.ok(!after('')?.includes('complete'));
});

async function run(args: string[]) {
  const written = { stdout: '', stderr: '' };
  const exitCode = await runAisle(args, {
    stdin: Readable.from([]),
    stdout: { write: (text) => (written.stdout += text), columns: 80 },
    stderr: { write: (text) => (written.stderr += text) },
    env: { AISLE_CONFIG_DIR: '/nonexistent' },
    folder: '/',
    signal: new AbortController().signal,
    now: () => new Date(),
  });
  return { exitCode, ...written };
}
