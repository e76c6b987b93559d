// Shared by ensure-portal.mjs and ensure-server.mjs. Plain JavaScript that runs on Node 20 and later.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Calls `build` with a new folder if the sources have changed since the last build, or if the folder `built` is missing.
 * The new files are then moved into place, because another command might be building at the same time. A server might
 * still need files of the previous build; with `keepsPrevious` they are only deleted by the next build.
 */
export function ensureBuilt({ name, built, sources, keepsPrevious = false, build }) {
  const stamp = join(built, '.stamp');
  const expected = hashOf(sources);
  const [last, ...previous] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : [];
  if (last === expected) return;
  console.log(`Building ${name} (a few seconds) …`);
  const fresh = `${built}-${process.pid}`;
  try {
    build(fresh);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    console.error(`\nBuilding ${name} failed: ${error.message}\n`);
    process.exit(1);
  }
  const files = readdirSync(fresh);
  const kept = keepsPrevious ? [...previous, '.stamp'] : [];
  mkdirSync(built, { recursive: true });
  for (const file of readdirSync(built)) {
    if (!kept.includes(file)) rmSync(join(built, file), { recursive: true, force: true });
  }
  for (const file of files) renameSync(join(fresh, file), join(built, file));
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(stamp, [expected, ...files].join('\n'));
}

/** Runs a script on the installed Node 24. */
export function runNode(...args) {
  const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const command = existsSync(node) ? node : process.execPath;
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw error;
  if (status !== 0) throw new Error('see the output above.');
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const file of parts.flatMap((part) => filesIn(join(root, part)))) {
    hash.update(`${file.slice(root.length).replaceAll('\\', '/')}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

export function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).toSorted();
  return names.flatMap((name) => filesIn(join(path, name)));
}
