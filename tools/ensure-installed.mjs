// Runs before every npm script, on any Node from version 20: installs the packages of the lock file if they
// are missing, and reports the reason if it cannot. Plain JavaScript without dependencies. An argument names a folder
// with packages of its own: `tools/openapi`, which only checks, tests and generated files need.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , folder] = process.argv;
const root = join(dirname(dirname(fileURLToPath(import.meta.url))), folder ?? '.');
const stamp = join(root, 'node_modules', '.aisle-installed');
const lock = join(root, '.aisle-installing');

function expectedStamp() {
  const lockFile = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lockFile).digest('hex')} ${process.platform} ${process.arch}`;
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === expectedStamp();
}

let isLockHeld = false;

function releaseLock() {
  if (isLockHeld) rmSync(lock, { recursive: true, force: true });
  isLockHeld = false;
}

function fail(sentence) {
  releaseLock();
  console.error(`\n${sentence}\n`);
  process.exit(1);
}

function checkMachine() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) fail(`Aisle needs Node 20 or later to install itself; this is Node ${process.versions.node}.`);
}

// Two scripts must not install at the same time; a lock older than ten minutes is stale.
async function takeLock() {
  for (let waited = 0; ; waited++) {
    try {
      mkdirSync(lock);
      isLockHeld = true;
      return;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') {
        fail(`Aisle cannot write to its own folder ${root}, so it cannot install its packages.`);
      }
      if (error.code !== 'EEXIST') throw error;
    }
    if (waited === 0) console.log('Another Aisle command is installing; waiting for it …');
    const age = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0;
    if (age > 600_000) rmSync(lock, { recursive: true, force: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (isInstalled()) return;
  }
}

function install() {
  console.log(
    folder
      ? `Installing the packages of ${folder} (about a minute) …`
      : 'First start: installing the packages (about a minute) …',
  );
  const npm = process.env.npm_execpath;
  // The portal is built with development packages, so they are always installed.
  const flags = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = npm
    ? spawnSync(process.execPath, [npm, ...flags], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', flags, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error) fail(`npm could not be started (${result.error.message}): install Node with npm and try again.`);
  if (result.status !== 0) {
    fail(
      'The installation failed; see the npm output above. Aisle needs the npm registry once: check the network or proxy and try again.',
    );
  }
}

function checkRuntime() {
  const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const command = existsSync(node) ? node : process.execPath;
  const result = spawnSync(command, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  const major = Number(/^v(\d+)\./.exec(result.stdout ?? '')?.[1] ?? 0);
  if (major < 24) {
    fail(
      `Aisle needs Node 24, and there is no prebuilt Node 24 for this machine (${process.platform} ${process.arch}): install Node 24 and try again.`,
    );
  }
}

process.on('SIGINT', () => fail('The installation was interrupted; run the command again to finish it.'));

if (!isInstalled()) {
  checkMachine();
  await takeLock();
  try {
    if (!isInstalled()) {
      install();
      if (!folder) checkRuntime();
      writeFileSync(stamp, expectedStamp());
      console.log('Installed.');
    }
  } finally {
    releaseLock();
  }
}
