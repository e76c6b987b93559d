import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Asset, createAsset } from '../kernel/http/asset.ts';
import { lazy } from '../kernel/values/lazy.ts';
import { readSource } from './pages.ts';
import { readScalarScript } from './scalar.ts';

export const ownAssets = ['docs.css', 'docs.js', 'theme.js', 'reference.js'];

/** The URL of a script or style. It changes with the file, so browsers can cache the file for a long time. */
export function assetUrl(name: string): string {
  return `${assetPath(name)}?v=${versions().get(assetPath(name))}`;
}

export function assetPath(name: string): string {
  return `/docs/assets/${name}`;
}

/** How long to cache the file at this URL. A URL without the current version is revalidated on each use. */
export function cacheControlFor(path: string, query: string | undefined): string {
  const version = versions().get(path);
  return version !== undefined && query === `v=${version}` ? 'public, max-age=31536000, immutable' : 'no-cache';
}

export function readOwnAsset(name: string): Buffer {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url));
}

/** The script for the API reference. It has several megabytes, so threads compress it, when it is first requested. */
export async function createScalarAsset(type: string): Promise<Asset> {
  const body = Buffer.from(await readScalarScript());
  // A higher quality takes seconds, but makes the script only a little smaller.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [brotli, gzipped] = await Promise.all([promisify(brotliCompress)(body, { params }), promisify(gzip)(body)]);
  return createAsset(type, body, [
    { encoding: 'br', body: brotli },
    { encoding: 'gzip', body: gzipped },
  ]);
}

const versions = lazy(() => {
  const { dependencies } = JSON.parse(readSource('server/package.json').toString());
  return new Map([
    ...ownAssets.map((name) => [assetPath(name), hash(readOwnAsset(name))] as const),
    [assetPath('scalar.js'), dependencies['@scalar/fastify-api-reference'] as string],
  ]);
});

function hash(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 12);
}
