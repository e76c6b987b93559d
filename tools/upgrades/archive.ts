import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporaryFolder, removeTemporaryFolder } from '../temporary-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The version that runs alongside this one during a rolling upgrade. Update this when a version is released. */
export const previousVersion = 'bf5c27da9e4c876a9349075487a9529108c588a3';

/**
 * Extracts an older version of Aisle from the git history into a temporary folder, where it can be started. It uses the
 * packages that are installed here, but its own workspaces. `program` is its entry point.
 */
export function extractCommit(commit: string): { folder: string; program: string; remove(): void } {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status !== 0) {
    throw new Error(
      `The commit ${commit} is not in the git history here; use a full clone (git fetch --unshallow) to test with it.`,
    );
  }
  const folder = makeTemporaryFolder('commit');
  const tar = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: tar });
  linkPackages(folder);
  const entries = ['server/src/main.js', 'server/src/main.ts'].map((path) => join(folder, path));
  const program = entries.find(existsSync) ?? '';
  return { folder, program, remove: () => removeTemporaryFolder(folder) };
}

function linkPackages(folder: string): void {
  const installed = join(root, 'node_modules');
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@aisle'), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== '@aisle') symlinkSync(join(installed, name), join(packages, name));
  }
  for (const name of ['contract', 'demo', 'server', 'portal']) {
    if (existsSync(join(folder, name))) symlinkSync(join(folder, name), join(packages, '@aisle', name));
  }
}
