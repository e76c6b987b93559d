import { randomBytes } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Asset, createAsset, sendAsset } from './kernel/http/asset.ts';

/**
 * Serves the portal under /portal from prebuilt files held in memory. Every other path under /portal returns the
 * portal's HTML page, whose script does the routing. The content security policy allows only scripts and styles from
 * this server. The component library creates a few style elements at run time, which carry the nonce from the response.
 */
export function servePortal(http: FastifyInstance, folder = built): void {
  const files = readFiles(folder);
  const page = existsSync(join(folder, 'index.html')) ? readFileSync(join(folder, 'index.html'), 'utf8') : undefined;
  http.get('/', async (_request, reply) => reply.redirect('/portal'));
  http.get('/portal', async (_request, reply) => sendPage(reply, page));
  http.get<{ Params: { '*': string } }>('/portal/*', async (request, reply) => {
    const path = request.params['*'];
    const file = files.get(path);
    if (file) return sendAsset(request, reply, file, path.startsWith('assets/') ? forever : undefined);
    return extname(path) === '' ? sendPage(reply, page) : reply.callNotFound();
  });
}

const built = fileURLToPath(new URL('../../portal/dist', import.meta.url));

/** Files with a content hash in their name never change. */
const forever = 'public, max-age=31536000, immutable';

function readFiles(folder: string): Map<string, Asset> {
  const paths = globSync('**/*.{js,css,svg}', { cwd: folder });
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFile(join(folder, path))]));
}

function readFile(path: string): Asset {
  const body = readFileSync(path);
  const compressed = (['br', 'gzip'] as const).flatMap((encoding) => {
    const file = `${path}.${encoding === 'br' ? 'br' : 'gz'}`;
    return existsSync(file) ? [{ encoding, body: readFileSync(file) }] : [];
  });
  return createAsset(types[extname(path)] ?? 'application/octet-stream', body, compressed);
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function sendPage(reply: FastifyReply, page: string | undefined): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const isBuilt = page !== undefined;
  return reply
    .code(isBuilt ? 200 : 503)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
    })
    .send(isBuilt ? page.replaceAll('__NONCE__', nonce) : notBuilt);
}

/** Chains host their own product images, on any https host. Nothing else is loaded from other hosts. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Aisle</title>
<h1>The portal is not built</h1><p>Start the server with <code>npm start</code>, or run <code>node tools/ensure-portal.mjs</code> and restart it.</p></html>`;
