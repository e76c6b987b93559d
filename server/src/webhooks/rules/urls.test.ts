import assert from 'node:assert/strict';
import test from 'node:test';
import { urlFor, checkUrls } from './urls.ts';

const all = {
  environment: 'production' as const,
  staging_url: 'https://s.example/',
  production_url: 'https://p.example/',
  staging_catalog_url: 'https://sc.example/',
  production_catalog_url: null,
};

test('the environment and the topic determine the URL, and catalog events fall back to the URL for orders', () => {
  assert.equal(urlFor(all, 'orders'), 'https://p.example/');
  assert.equal(urlFor(all, 'catalog'), 'https://p.example/');
  assert.equal(urlFor({ ...all, environment: 'staging' }, 'orders'), 'https://s.example/');
  assert.equal(urlFor({ ...all, environment: 'staging' }, 'catalog'), 'https://sc.example/');
});

test('the active environment must have a URL, and every URL is checked', () => {
  const pointers = (urls: typeof all, checkUrl: (url: string) => string | undefined) =>
    checkUrls(urls, checkUrl).map(({ pointer, code }) => `${pointer} ${code}`);
  assert.deepEqual(
    pointers(all, () => undefined),
    [],
  );
  assert.deepEqual(
    pointers({ ...all, production_url: null as never }, () => undefined),
    ['/production_url missing'],
  );
  assert.deepEqual(
    pointers(all, (url) => (url.includes('sc') ? 'no' : undefined)),
    ['/staging_catalog_url bad_address'],
  );
});
