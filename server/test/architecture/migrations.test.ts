import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Some older migrations were changed before this rule existed. Migration 0016 repairs the affected databases. */
const firstCheckedCommit = '73423a4c00f90277c5c499455729642d167d6558';

test('a committed migration is never changed', () => {
  const isKnown = git('cat-file', '-e', `${firstCheckedCommit}^{commit}`).status === 0;
  // A release archive or a shallow clone has no history to compare with.
  const committed = isKnown ? changesIn('log', '--first-parent', '-m', '--format=', `${firstCheckedCommit}..HEAD`) : [];
  assert.deepEqual([...committed, ...changesIn('diff', 'HEAD')], []);
});

function changesIn(...command: string[]): string[] {
  const { stdout } = git(...command, '--name-only', '--diff-filter=MDR', '--', 'server/migrations/*.sql');
  return stdout.split('\n').filter((line) => line !== '');
}

function git(...args: string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' });
}
