import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { errors } from '@aisle/contract/errors';
import { routes } from '@aisle/contract/index';
import { signatureHeader } from '../../../src/deliveries/rules/signature.ts';
import { markdownPages, markdownPath, pages } from '../../../src/docs/pages.ts';
import { signingKey } from '../../../src/webhooks/secrets.ts';
import { useOwnAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({}, 'api');
const open = (path: string) => aisle.call('GET', path, { headers: { accept: 'text/html' } });

test('every page has a title and the whole navigation, with the current page marked', async () => {
  assert.ok(pages.length >= 14);
  for (const { path, title } of pages) {
    const { status, text, headers } = await open(path);
    assert.equal(status, 200, path);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.match(text, /<h1[ >]/);
    for (const other of pages) assert.ok(text.includes(`<a href="${other.path}"`), `${path} → ${other.path}`);
    assert.ok(text.includes(`<a href="${path}" aria-current="page">${title}</a>`), path);
  }
});

test('no page has a broken link or image', async () => {
  const broken: string[] = [];
  for (const { path } of pages) {
    const { text } = await open(path);
    for (const target of listTargets(text)) {
      if (!(await exists(new URL(target, `http://docs${path}`)))) broken.push(`${path} → ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('every link in the Markdown files leads to a page or file in the documentation', async () => {
  const broken: string[] = [];
  for (const page of markdownPages) {
    const { text } = await aisle.call('GET', markdownPath(page));
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|#)/.test(target)) continue;
      const isAbsolute = target.startsWith('/');
      const found = isAbsolute && (await exists(new URL(target.split('#')[0] ?? '', 'http://docs')));
      if (!found) broken.push(`${page.source} → ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test("the Markdown version of a page is its source, with links adjusted to the page's URL", async () => {
  const withoutTargets = (markdown: string) => markdown.replace(/\]\([^)\s]+\)/g, ']()');
  for (const page of markdownPages) {
    const { status, text, headers } = await aisle.call('GET', markdownPath(page));
    assert.equal(status, 200, page.path);
    assert.equal(headers['content-type'], 'text/markdown; charset=utf-8');
    const source = readFileSync(new URL(`../../../../${page.source}`, import.meta.url), 'utf8');
    assert.equal(withoutTargets(text), withoutTargets(source), page.source);
  }
});

test('llms.txt lists every page, and its links work', async () => {
  const { text, headers } = await aisle.call('GET', '/llms.txt');
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(text, /^# Aisle\n\n> /);
  const targets = Array.from(text.matchAll(/^- \[.+?\]\((.+?)\): .+$/gm), ([, target = '']) => target);
  assert.equal(targets.length, pages.length);
  for (const target of targets) assert.equal((await aisle.call('GET', target)).status, 200, target);
});

test("an error's type URL leads to the row for its code", async () => {
  const { text } = await open('/docs/errors');
  for (const code of Object.keys(errors)) assert.ok(text.includes(`<tr id="${code}">`), code);
  assert.equal(new Set(listIds(text)).size, listIds(text).length);
});

test('the search index contains guides, error codes and every route', async () => {
  const { body } = await aisle.call('GET', '/docs/search.json');
  const entries = body as { heading: string; text: string; url: string }[];
  const urlsWith = (term: string) => entries.filter(({ text }) => text.includes(term)).map(({ url }) => url);
  assert.ok(urlsWith('webhook-signature').includes('/docs/events#verifying-signatures'));
  assert.ok(urlsWith('idempotency_key_reused').includes('/docs/errors'));
  assert.ok(
    urlsWith('PUT /v2/chains/{chain_id}/orders/{order_id} putOrder').includes('/docs/reference#tag/orders/putOrder'),
  );
  for (const operation of Object.keys(routes)) assert.equal(urlsWith(operation).length > 0, true, operation);
});

test('a path in a text wraps after its slashes only, and the search still finds it as a whole', async () => {
  const { text } = await open('/docs/catalog');
  assert.match(
    text,
    /<code>PUT \/v2\/<wbr>chains\/<wbr>\{chain_id\}\/<wbr>vendors\/<wbr>\{vendor_id\}\/<wbr>catalog<\/code>/,
  );
  const { body } = await aisle.call('GET', '/docs/search.json');
  const entry = body.find(({ url }: { url: string }) => url === '/docs/catalog#updating-the-catalog');
  assert.match(entry.text, /PUT \/v2\/chains\/\{chain_id\}\/vendors\/\{vendor_id\}\/catalog/);
});

test('an unknown page returns a 404, as HTML for browsers and as a problem document for other clients', async () => {
  const page = await open('/docs/unknown');
  assert.equal(page.status, 404);
  assert.match(page.text, /<h1>Page not found<\/h1>/);
  assertProblem(await aisle.call('GET', '/docs/unknown.md'), 'route_not_found');
  assertProblem(await aisle.call('GET', '/docs/../package.json'), 'route_not_found');
});

test('no page allows inline scripts or other hosts, and only the API reference allows inline styles', async () => {
  for (const page of pages) {
    const { headers, text } = await open(page.path);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    assert.equal(policy.includes('unsafe'), 'api' in page, page.path);
    assert.equal(/https?:/.test(policy), false);
    assert.doesNotMatch(text, /<script(?![^>]* src="\/docs\/assets\/)|\son\w+=|\sstyle="/);
  }
});

test('a page is compressed, and a conditional request for an unchanged page returns 304', async () => {
  const first = await aisle.aisle.http.inject({ url: '/docs/partners', headers: { 'accept-encoding': 'gzip' } });
  assert.equal(first.headers['content-encoding'], 'gzip');
  assert.match(gunzipSync(first.rawPayload).toString(), /Partner guide/);
  const second = await aisle.call('GET', '/docs/partners', {
    headers: { 'if-none-match': String(first.headers.etag) },
  });
  assert.equal(second.status, 304);
  assert.equal(second.text, '');
});

test('every page, script, style and OpenAPI document is compressed and has an etag that saves sending it again', async () => {
  const { text: page } = await open('/docs/reference');
  const linked = listTargets(page).filter((target) => !target.startsWith('#') && !target.startsWith('/portal'));
  const paths = [...linked, '/openapi/partner.json', '/openapi/platform.json', '/docs/search.json'];
  assert.ok(
    ['docs.css', 'docs.js', 'theme.js', 'reference.js', 'scalar.js'].every((name) => page.includes(`/${name}?v=`)),
  );
  for (const url of paths) {
    const { headers } = await aisle.aisle.http.inject({
      url,
      headers: { 'accept-encoding': 'gzip', accept: 'text/html' },
    });
    assert.equal(headers['content-encoding'], 'gzip', url);
    const unchanged = { 'if-none-match': String(headers.etag), accept: 'text/html' };
    assert.equal((await aisle.aisle.http.inject({ url, headers: unchanged })).statusCode, 304, url);
  }
});

test('scripts and styles with their current version in the URL are cached without asking again', async () => {
  const { text: page, headers } = await open('/docs/reference');
  assert.equal(headers['cache-control'], 'no-cache');
  const assets = listTargets(page).filter((target) => target.includes('?v='));
  assert.equal(assets.length, 5);
  for (const asset of assets) {
    const cacheControl = async (url: string) => (await aisle.call('GET', url)).headers['cache-control'];
    assert.equal(await cacheControl(asset), 'public, max-age=31536000, immutable', asset);
    assert.equal(await cacheControl(`${asset}x`), 'no-cache');
    assert.equal(await cacheControl(asset.split('?')[0] ?? ''), 'no-cache');
  }
});

test('browsers that accept Brotli get the script for the reference in a quarter of its size', async () => {
  const url = '/docs/assets/scalar.js';
  const plain = await aisle.aisle.http.inject({ url });
  const compressed = await aisle.aisle.http.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } });
  assert.equal(compressed.headers['content-encoding'], 'br');
  assert.ok(compressed.rawPayload.length < plain.rawPayload.length * 0.26, String(compressed.rawPayload.length));
  assert.ok(brotliDecompressSync(compressed.rawPayload).equals(plain.rawPayload));
});

test('the example signature in the webhook guide is the one that Aisle would send', async () => {
  const { text } = await aisle.call('GET', '/docs/events.md');
  const cell = (name: string) =>
    new RegExp(`^\\| ${name} +\\| \`(.+?)\` +\\|$`, 'm').exec(text)?.[1] ?? assert.fail(`no row ${name}`);
  const [id, timestamp, body] = [cell('`webhook-id`'), cell('`webhook-timestamp`'), cell('body')];
  assert.equal(cell('signed string'), `${id}.${timestamp}.${body}`);
  const key = signingKey(cell('signing secret'));
  assert.equal(key.export().toString('hex'), cell('key in hex'));
  assert.equal(cell('`webhook-signature`'), signatureHeader([key], id, Number(timestamp), body));
});

function listTargets(html: string): string[] {
  const found = Array.from(html.matchAll(/\s(?:href|src)="([^"]+)"/g), ([, target = '']) => target);
  return [...new Set(found)].filter((target) => !/^https?:/.test(target));
}

function listIds(html: string): string[] {
  return Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id);
}

const idsByPath = new Map<string, string[] | undefined>();

/** Returns whether the page exists and, if the URL has an anchor, contains it. */
async function exists({ pathname, hash }: URL): Promise<boolean> {
  if (!idsByPath.has(pathname)) {
    const { status, text } = await open(pathname);
    idsByPath.set(pathname, status === 200 ? listIds(text) : undefined);
  }
  const ids = idsByPath.get(pathname);
  return ids !== undefined && (hash === '' || ids.includes(decodeURIComponent(hash.slice(1))));
}
