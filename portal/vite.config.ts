import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { routes } from '../contract/src/index.ts';
import { requiredRole, type Route } from '../contract/src/route.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [react(), contractTable()],
  // The server puts a fresh nonce in its place whenever it gives out the page.
  html: { cspNonce: '__NONCE__' },
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/v2': 'http://127.0.0.1:8080', '/demo': 'http://127.0.0.1:8080' } },
});

/** Of the contract the browser needs where each operation is and who may call it; the types cost nothing. */
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
    partner.map(([id, route]) => [id, { method: route.method, path: route.path, role: requiredRole(route) }]),
  );
}
