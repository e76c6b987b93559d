import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './program.ts';

export type Packages = {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  /** Versions of indirect dependencies, where the newest ones do not fit together. */
  overrides: Record<string, string>;
};

/**
 * Installs a program outside of the project and returns the folder. The folder is kept for the next run; its name has
 * the version, and a file that is written last says that it is complete.
 */
export async function install({ name, version, dependencies, overrides }: Packages): Promise<string> {
  const title = `${name} ${version}`;
  const folder = join(cacheFolder(), `${name.toLowerCase()}-${version}-node-${process.versions.node}`);
  const manifest = JSON.stringify({ name: 'peer', private: true, dependencies, overrides }, null, 2);
  const complete = join(folder, 'complete');
  if (existsSync(complete) && readFileSync(join(folder, 'package.json'), 'utf8') === manifest) {
    console.log(`  ${title} is already installed in ${folder}. Delete the folder to install it again.`);
    return folder;
  }
  console.log(`  installing ${title} in ${folder} (takes minutes; the next run uses it again) …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  const started = performance.now();
  await runCommand({
    title: `npm install of ${title}`,
    command: 'npm',
    args: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    folder,
    log: join(folder, 'install.log'),
  });
  writeFileSync(complete, '');
  console.log(`  installed ${title} in ${Math.round((performance.now() - started) / 1000)} s.`);
  return folder;
}

/** Private to this user, because programs are started from it: others must not be able to create or change them. */
function cacheFolder(): string {
  const folder = join(tmpdir(), `aisle-bench-peers-${process.getuid?.() ?? 'user'}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (process.getuid && uid !== process.getuid()) throw new Error(`${folder} belongs to another user. Delete it.`);
  return folder;
}
