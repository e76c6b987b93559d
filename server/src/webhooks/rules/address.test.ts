import assert from 'node:assert/strict';
import test from 'node:test';
import { addressOf, checkAddresses } from './address.ts';

const all = {
  environment: 'production' as const,
  staging_url: 'https://s.example/',
  production_url: 'https://p.example/',
  staging_catalog_url: 'https://sc.example/',
  production_catalog_url: null,
};

test('the environment and topic determine the URL; catalog events fall back to the order URL', () => {
  assert.equal(addressOf(all, 'orders'), 'https://p.example/');
  assert.equal(addressOf(all, 'catalog'), 'https://p.example/');
  assert.equal(addressOf({ ...all, environment: 'staging' }, 'orders'), 'https://s.example/');
  assert.equal(addressOf({ ...all, environment: 'staging' }, 'catalog'), 'https://sc.example/');
});

test('the active environment needs a URL, and every URL is checked', () => {
  const pointers = (addresses: typeof all, checkUrl: (url: string) => string | undefined) =>
    checkAddresses(addresses, checkUrl).map(({ pointer, code }) => `${pointer} ${code}`);
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
