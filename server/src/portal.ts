import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Asset, createAsset, sendAsset } from './kernel/http/asset.ts';
import { lazy } from './kernel/values/lazy.ts';

/**
 * Serves the portal under /portal, the picking app under /pick and the console under /console, from prebuilt files held in memory. Every other path
 * under them returns their HTML page, whose script does the routing. The content security policy allows only scripts and
 * styles from this server. The component library creates a few style elements at run time, which carry the nonce from the
 * response.
 */
export function servePortal(http: FastifyInstance): void {
  const files = builtFiles();
  http.get('/', async (_request, reply) => reply.redirect('/portal'));
  serveApp(http, { path: '/portal', page: readPage('index.html'), files, isWasmAllowed: false });
  // The app's scripts and styles are under /portal/assets, because it shares them with the portal.
  const own = new Map([...files].flatMap(([path, file]) => (path.startsWith('pick/') ? [[path.slice(5), file]] : [])));
  serveApp(http, { path: '/console', page: readPage('console.html'), files: new Map(), isWasmAllowed: false });
  serveApp(http, { path: '/pick', page: readPage('pick.html'), files: own, isWasmAllowed: true });
}

const built = fileURLToPath(new URL('../../portal/dist', import.meta.url));

type App = { path: string; page: string | undefined; files: Map<string, Asset>; isWasmAllowed: boolean };

function serveApp(http: FastifyInstance, { path, page, files, isWasmAllowed }: App): void {
  http.get(path, async (_request, reply) => sendPage(reply, page, isWasmAllowed));
  http.get<{ Params: { '*': string } }>(`${path}/*`, async (request, reply) => {
    const name = request.params['*'];
    const file = files.get(name);
    if (name === 'service-worker.js') reply.headers(workerHeaders(path));
    if (file) return sendAsset(request, reply, file, name.startsWith('assets/') ? forever : undefined);
    return isFileName(name) ? reply.callNotFound() : sendPage(reply, page, isWasmAllowed);
  });
}

/** The path of a page can contain a dot too, such as that of a product, whose SKU is in it. */
function isFileName(name: string): boolean {
  return name.startsWith('assets/') || (!name.includes('/') && extname(name) !== '');
}

/** The worker is in the folder, but controls its whole path, including the one without a slash, and loads the files. */
function workerHeaders(path: string): Record<string, string> {
  return { 'service-worker-allowed': path, 'content-security-policy': "default-src 'none'; connect-src 'self'" };
}

function readPage(name: string): string | undefined {
  return existsSync(join(built, name)) ? readFileSync(join(built, name), 'utf8') : undefined;
}

/** Files with a content hash in their name never change. */
const forever = 'public, max-age=31536000, immutable';

/** Several servers in one process, as in tests, share the files. */
const builtFiles = lazy(() => {
  const paths = new Set(existsSync(built) ? readdirSync(built, { recursive: true, encoding: 'utf8' }) : []);
  return new Map(
    [...paths].flatMap((path) => {
      const type = types[extname(path)];
      return type === undefined ? [] : [[path.replaceAll('\\', '/'), readFile(path, type, paths)]];
    }),
  );
});

function readFile(path: string, type: string, paths: ReadonlySet<string>): Asset {
  const read = (name: string) => readFileSync(join(built, name));
  const compressed = (['br', 'gzip'] as const).flatMap((encoding) => {
    const file = `${path}.${encoding === 'br' ? 'br' : 'gz'}`;
    return paths.has(file) ? [{ encoding, body: read(file) }] : [];
  });
  return createAsset(type, read(path), compressed);
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

function sendPage(reply: FastifyReply, page: string | undefined, isWasmAllowed: boolean): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const isBuilt = page !== undefined;
  return reply
    .code(isBuilt ? 200 : 503)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce, isWasmAllowed),
    })
    .send(isBuilt ? page.replaceAll('__NONCE__', nonce) : notBuilt);
}

/**
 * Chains host their own product images, on any https host. Nothing else is loaded from other hosts. WebAssembly reads
 * barcodes in browsers that cannot.
 */
function policy(nonce: string, isWasmAllowed: boolean): string {
  return [
    "default-src 'none'",
    isWasmAllowed ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(isWasmAllowed ? ["worker-src 'self'", "manifest-src 'self'"] : []),
  ].join('; ');
}

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Aisle</title>
<h1>The portal is not built</h1><p>Start the server with <code>npm start</code>, or run <code>node tools/ensure-portal.mjs</code> and restart it.</p></html>`;
