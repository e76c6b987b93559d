// Runs before `npm start` and `npm test`. Builds the portal if its sources, the contract, the SDK or the packages have changed
// since the last build. Plain JavaScript that runs on Node 20 and later. The build runs on the installed Node 24.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ensureBuilt, filesIn, root, runNode } from './ensure-built.mjs';

const pages = ['portal/index.html', 'portal/pick.html', 'portal/console.html'];
const own = ['portal/src', 'portal/public', ...pages, 'portal/vite.config.ts', 'portal/package.json'];

ensureBuilt({
  name: 'the portal',
  built: join(root, 'portal', 'dist'),
  sources: [...own, 'contract/src', 'sdk/src', 'package-lock.json'],
  build(folder) {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    runNode(vite, 'build', join(root, 'portal'), '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn');
    compress(folder);
    const [portal, pick] = ['index.html', 'pick.html'].map((page) => Math.ceil(firstLoad(folder, page) / 1000));
    console.log(`The first load of /portal is ${portal} kB, of /pick ${pick} kB.`);
  },
});

function compress(folder) {
  for (const file of filesIn(folder).filter((name) => /\.(js|css|svg|wasm)$/.test(name))) {
    const bytes = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
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
