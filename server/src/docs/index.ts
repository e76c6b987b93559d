import { extname } from 'node:path';
import { routes } from '@aisle/contract/index';
import { openapiDocument } from '@aisle/contract/openapi/document';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Asset, createAsset, sendAsset } from '../kernel/http/asset.ts';
import { lazy } from '../kernel/values/lazy.ts';
import { assetPath, cacheControlFor, createScalarAsset, ownAssets, readOwnAsset } from './assets.ts';
import { apiPage, documentPage, notFoundPage } from './layout.ts';
import { llmsText } from './llms.ts';
import { type Document, renderPage } from './markdown.ts';
import { apiPages, files, findPath, markdownPages, markdownPath, readSource } from './pages.ts';
import { searchIndex } from './search-index.ts';

/**
 * Serves the documentation: the guides and generated pages in docs/ as HTML and as Markdown, the reference for both
 * APIs, and the OpenAPI documents. Pages are rendered on the first request, and nothing is loaded from other hosts.
 */
export function serveDocs(http: FastifyInstance, version: string): void {
  for (const api of ['partner', 'platform'] as const) {
    const document = lazy(() => asset('.json', JSON.stringify(openapiDocument(api, routes, version))));
    http.get(`/openapi/${api}.json`, async (request, reply) => sendAsset(request, reply, document()));
  }
  const collection = lazy(() => asset('.json', readSource(collectionFile)));
  http.get(`/${collectionFile}`, async (request, reply) => sendAsset(request, reply, collection()));
  const assets = lazy(readAssets);
  const scalar = lazy(() => createScalarAsset(typeOf('.js')));
  const notFound = lazy(() => asset('.html', notFoundPage()));
  http.get('/docs/', async (_request, reply) => reply.redirect('/docs', 301));
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', query] = request.url.split('?');
    const found = path === assetPath('scalar.js') ? await scalar() : assets().get(path);
    const isForBrowser = request.headers.accept?.includes('text/html') ?? false;
    if (!found && !isForBrowser) return reply.callNotFound();
    reply.code(found ? 200 : 404).header('content-security-policy', policy(path));
    return sendAsset(request, reply, found ?? notFound(), cacheControlFor(path, query));
  };
  for (const path of ['/docs', '/docs/*', '/llms.txt']) http.get(path, send);
}

const collectionFile = 'openapi/aisle.postman_collection.json';

/** Scripts must come from this server. Only the API reference can use inline styles, which it creates at run time. */
function policy(path: string): string {
  const styles = apiPages.some((page) => page.path === path) ? "'self' 'unsafe-inline'" : "'self'";
  return `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

/** Every page and file in the documentation, by URL, except the script for the API reference. */
function readAssets(): Map<string, Asset> {
  const documents = markdownPages.map(renderPage);
  return new Map([
    ...documents.flatMap(documentAssets),
    ...apiPages.map((page) => [page.path, asset('.html', apiPage(page))] as const),
    ...ownAssets.map((name) => [assetPath(name), asset(extname(name), readOwnAsset(name))] as const),
    ['/docs/assets/favicon.svg', asset('.svg', readSource('portal/dist/favicon.svg'))],
    ...files.map((file) => [findPath(file) ?? '', asset(extname(file), readSource(file))] as const),
    ['/docs/search.json', asset('.json', JSON.stringify(searchIndex(documents)))],
    ['/llms.txt', asset('.txt', llmsText())],
  ]);
}

function documentAssets(document: Document): [string, Asset][] {
  return [
    [document.page.path, asset('.html', documentPage(document))],
    [markdownPath(document.page), asset('.md', document.markdown)],
  ];
}

function asset(extension: string, content: string | Buffer): Asset {
  return createAsset(typeOf(extension), Buffer.from(content));
}

function typeOf(extension: string): string {
  return types[extension] ?? 'application/octet-stream';
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.mjs': 'text/plain; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.java': 'text/plain; charset=utf-8',
  '.cs': 'text/plain; charset=utf-8',
  '.php': 'text/plain; charset=utf-8',
  '.go': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
};
