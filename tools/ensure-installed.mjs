// Runs before every npm script. Installs the packages in the lock file if they are missing, and reports why if it
// cannot. Must run on Node 20 and later without any packages, so it is plain JavaScript. The optional argument is a
// folder with its own packages, such as `tools/openapi`, which is only needed for checks, tests and generated files.
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
  if (major < 20) fail(`Aisle needs Node 20 or later to install itself, but this is Node ${process.versions.node}.`);
}

// Only one script can install at a time. A lock older than ten minutes is stale.
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
    if (waited === 0) console.log('Another Aisle command is installing packages. Waiting for it to finish …');
    const age = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0;
    if (age > 600_000) rmSync(lock, { recursive: true, force: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (isInstalled()) return;
  }
}

function install() {
  console.log(
    folder
      ? `Installing the packages for ${folder} (about a minute) …`
      : 'First start: installing packages (about a minute) …',
  );
  const npm = process.env.npm_execpath;
  // The portal is built with development packages, so they are always installed.
  // No package needs its install script: `ssh2` would compile optional code, and the server sets up PostgreSQL itself.
  const flags = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = npm
    ? spawnSync(process.execPath, [npm, ...flags], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', flags, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error) fail(`npm could not be started (${result.error.message}). Install Node with npm and try again.`);
  if (result.status !== 0) {
    fail(
      'The installation failed; see the npm output above. It needs access to the npm registry. Check the network or proxy and try again.',
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
      `Aisle needs Node 24, and there is no prebuilt Node 24 for this machine (${process.platform} ${process.arch}). Install Node 24 and try again.`,
    );
  }
}

process.on('SIGINT', () => fail('The installation was interrupted. Run the command again to finish it.'));

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
