import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { routes } from '../contract/src/index.ts';
import { isRoleAllowed, roles, type Route } from '../contract/src/route.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [react(), contractTable(), contractLists()],
  // The server replaces this with a fresh nonce in every response.
  html: { cspNonce: '__NONCE__' },
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/v2': 'http://127.0.0.1:8080', '/demo': 'http://127.0.0.1:8080' } },
});

/** Gives the browser only the method, path and allowed roles of each operation. Types are erased at build time. */
function contractTable(): Plugin {
  const name = 'virtual:contract-table';
  return {
    name: 'contract-table',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const table = ${JSON.stringify(readTable())};` : undefined),
  };
}

function readTable() {
  const partner = (Object.entries(routes) as [string, Route][]).filter(([, route]) => route.api === 'partner');
  return Object.fromEntries(
    partner.map(([id, route]) => [
      id,
      { method: route.method, path: route.path, roles: roles.filter((role) => isRoleAllowed(role, route)) },
    ]),
  );
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
