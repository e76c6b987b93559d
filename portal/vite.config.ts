import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [react(), contractLists(), precache()],
  // The server replaces this with a fresh nonce in every response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The portal and the picking app share code, but each loads only what it needs.
      input: {
        index: pathOf('index.html'),
        pick: pathOf('pick.html'),
        console: pathOf('console.html'),
        'service-worker': pathOf('src/pick/service-worker.ts'),
      },
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? 'pick/[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: {
    proxy: { '/v2': 'http://127.0.0.1:8080', '/platform': 'http://127.0.0.1:8080', '/demo': 'http://127.0.0.1:8080' },
  },
});

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** Tells the service worker of the picking app which files to store: all that the app can load, except WebAssembly. */
function precache(): Plugin {
  return {
    name: 'precache',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const found = new Set<string>();
      const visit = (fileName: string) => {
        const chunk = chunks.find((one) => one.fileName === fileName);
        if (!chunk || found.has(fileName)) return;
        found.add(fileName);
        for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
        for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
      };
      for (const { name, isEntry, fileName } of chunks) if (isEntry && name === 'pick') visit(fileName);
      const files = [...found, 'color-scheme.js', 'load-again.js'].map((file) => `/portal/${file}`);
      const list = JSON.stringify([...files, '/pick/icon.svg', '/pick/manifest.webmanifest'].toSorted());
      for (const chunk of chunks) {
        if (chunk.name === 'service-worker') chunk.code = chunk.code.replaceAll('__PRECACHED__', list);
      }
    },
  };
}

/** Keeps only the lists of values in contract modules that define schemas, so that TypeBox is not bundled. */
function contractLists(): Plugin {
  const contract = fileURLToPath(new URL('../contract/src/', import.meta.url)).replaceAll('\\', '/');
  return {
    name: 'contract-lists',
    async load(id) {
      if (!id.startsWith(contract) || !/^import Type\b/m.test(await readFile(id, 'utf8'))) return undefined;
      const exported = Object.entries((await import(id)) as Record<string, unknown>);
      const lists = exported.filter(([, value]) => Array.isArray(value));
      return lists.map(([name, list]) => `export const ${name} = ${JSON.stringify(list)};`).join('\n');
    },
  };
}
