// Runs before `npm start` and `npm test`. Builds the portal if its sources, the contract, the SDK or the packages have changed
// since the last build. Plain JavaScript that runs on Node 20 and later. The build runs on the installed Node 24.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'portal', 'dist');
const stamp = join(built, '.stamp');

const pages = ['portal/index.html', 'portal/pick.html'];
const sources = ['portal/src', 'portal/public', ...pages, 'portal/vite.config.ts', 'portal/package.json'];
const others = ['contract/src', 'sdk/src', 'package-lock.json'];

const expectedStamp = hashOf([...sources, ...others]);
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== expectedStamp) {
  console.log('Building the portal (a few seconds) …');
  build();
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const file of parts.flatMap((part) => filesIn(join(root, part)))) {
    hash.update(`${file.slice(root.length).replaceAll('\\', '/')}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).toSorted();
  return names.flatMap((name) => filesIn(join(path, name)));
}

// Builds in a separate folder and moves it into place, because another command might be building at the same time and a
// server might be reading the files.
function build() {
  const fresh = `${built}-${process.pid}`;
  const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', join(root, 'portal'), '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
  const command = existsSync(node) ? node : process.execPath;
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error || status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error('\nThe portal could not be built; see the output above.\n');
    process.exit(1);
  }
  compress(fresh);
  console.log(`The first load of /pick is ${Math.ceil(firstLoad(fresh, 'pick.html') / 1000)} kB.`);
  writeFileSync(join(fresh, '.stamp'), expectedStamp);
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
}

function compress(folder) {
  for (const file of filesIn(folder).filter((name) => /\.(js|css|svg|wasm)$/.test(name))) {
    const bytes = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

// The compressed size of a page with the scripts and styles that it loads at once.
function firstLoad(folder, page) {
  const html = readFileSync(join(folder, page));
  const files = [...html.toString().matchAll(/(?:src|href)="\/portal\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  const sizes = files.map((file) => statSync(join(folder, `${file}.br`)).size);
  return sizes.reduce((sum, size) => sum + size, gzipSync(html).length);
}
