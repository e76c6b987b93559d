// Runs before every npm script, on whatever Node the machine has (20 or later): installs what the lock file names if
// it is not there yet, says so, and says plainly what is missing when it cannot. Plain JavaScript, no dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.aisle-installed');
const lock = join(root, '.aisle-installing');

function wanted() {
  const lockFile = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lockFile).digest('hex')} ${process.platform} ${process.arch}`;
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();
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

// Two scripts started at once must not install into each other; a lock older than ten minutes is a leftover.
async function takeLock() {
  for (let waited = 0; ; waited++) {
    try {
      mkdirSync(lock);
      isLockHeld = true;
      return;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') {
        fail(`Aisle cannot write into its own folder ${root}, so it cannot install what it needs.`);
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
  console.log('First start: installing what package-lock.json names (about a minute) …');
  const npm = process.env.npm_execpath;
  // Development packages build the portal, so they are wanted wherever it runs.
  const flags = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = npm
    ? spawnSync(process.execPath, [npm, ...flags], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', flags, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error) fail(`npm could not be started (${result.error.message}): install Node with npm and try again.`);
  if (result.status !== 0) {
    fail(
      'The installation failed; npm says why above. Aisle needs the npm registry once: check the network or proxy and try again.',
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
      `Aisle runs on Node 24, and no ready-made Node 24 fits this machine (${process.platform} ${process.arch}): install Node 24 yourself and try again.`,
    );
  }
}

process.on('SIGINT', () => fail('The installation was interrupted; start again to finish it.'));

if (!isInstalled()) {
  checkMachine();
  await takeLock();
  try {
    if (!isInstalled()) {
      install();
      checkRuntime();
      writeFileSync(stamp, wanted());
      console.log('Installed.');
    }
  } finally {
    releaseLock();
  }
}
