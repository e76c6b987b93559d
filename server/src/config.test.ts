import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import test from 'node:test';
import { readConfig } from './config.ts';

test('the configuration is deeply frozen', () => {
  const config = readConfig({ AISLE_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64') });
  assert.deepEqual(findMutable(config), []);
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  assert.throws(() => Object.assign(config.limits, { jobDays: 1 }), TypeError);
  assert.throws(() => (config.secretKeys as Buffer[]).push(Buffer.alloc(32)), TypeError);
});

test('links contain the port that was actually bound', () => {
  const { port, links } = readConfig({ PORT: '0' }, { port: 4711 });
  assert.deepEqual([port, links.api, links.portal], [4711, 'http://127.0.0.1:4711/v2', 'http://127.0.0.1:4711/portal']);
});

test('a configured public URL is kept, whatever port was bound', () => {
  const { links } = readConfig({ PORT: '0', AISLE_PUBLIC_URL: 'https://aisle.example/shop/' }, { port: 4711 });
  assert.equal(links.publicUrl, 'https://aisle.example/shop');
  assert.equal(links.origin, 'https://aisle.example');
  assert.equal(links.catalogDownload('c', 'j'), 'https://aisle.example/shop/v2/chains/c/catalog/jobs/j/download');
  assert.equal(links.image('/demo/1.svg'), 'https://aisle.example/shop/demo/1.svg');
  assert.equal(links.image('https://cdn.example/1.svg'), 'https://cdn.example/1.svg');
});

test('a host or public URL from which no links can be made is rejected', () => {
  for (const value of ['[::1]', 'http://example.com', 'example.com:80', 'two words']) {
    const message = `HOST must be an address such as 0.0.0.0 or ::, or a host name, not "${value}".`;
    assert.throws(() => readConfig({ HOST: value }), { message });
  }
  const message =
    'AISLE_PUBLIC_URL must be a URL that starts with http:// or https://, without a user name, query or fragment.';
  for (const value of [
    'a.example',
    'ftp://a.example',
    'https://a.example/?',
    'https://a.example#b',
    'https://b@a.example',
  ]) {
    assert.throws(() => readConfig({ AISLE_PUBLIC_URL: value }), { message });
  }
  assert.equal(
    readConfig({ AISLE_PUBLIC_URL: 'HTTPS://A.example:443/my shop' }).links.publicUrl,
    'https://a.example/my%20shop',
  );
});

test('a rate limit that is set twice is rejected', () => {
  const message = 'AISLE_RATE_LIMITS contains read more than once.';
  assert.throws(() => readConfig({ AISLE_RATE_LIMITS: 'read=1200,token=5,read=600' }), { message });
});

test('ports that are the same are rejected', () => {
  const ports = { PORT: '81', AISLE_METRICS_PORT: '82', AISLE_SFTP_PORT: '82' };
  assert.throws(() => readConfig(ports), { message: 'AISLE_METRICS_PORT must differ from AISLE_SFTP_PORT.' });
  for (const name of ['AISLE_METRICS_PORT', 'AISLE_SFTP_PORT']) {
    assert.throws(() => readConfig({ PORT: '81', [name]: '81' }), { message: `${name} must differ from PORT.` });
  }
});

test('AISLE_PROCESSES is a number, or auto for one process per core', () => {
  const read = (value?: string) => readConfig(value === undefined ? {} : { AISLE_PROCESSES: value }).processes;
  assert.deepEqual([read(), read('1'), read('3'), read('auto')], [1, 1, 3, availableParallelism()]);
  for (const value of ['0', '-1', '2.5', 'all', '129']) {
    const message = `AISLE_PROCESSES must be auto or an integer from 1 to 128, not "${value}".`;
    assert.throws(() => read(value), { message });
  }
});

test('loopback webhooks are allowed by AISLE_WEBHOOK_ALLOW, or by default if everything is local', () => {
  const canReach = (environment: Record<string, string>) => readConfig(environment).webhooks.allowedNetworks.length > 0;
  assert.equal(canReach({}), true);
  assert.equal(canReach({ HOST: '::1' }), true);
  assert.equal(canReach({ HOST: '0.0.0.0' }), false);
  assert.equal(canReach({ HOST: '0.0.0.0', AISLE_WEBHOOK_ALLOW: 'loopback' }), true);
  assert.equal(canReach({ AISLE_WEBHOOK_ALLOW: 'none' }), false);
  assert.equal(canReach({ DATABASE_URL: 'postgres://db.example/aisle' }), false);
  assert.equal(canReach({ AISLE_PUBLIC_URL: 'http://[::1]:8080' }), true);
  for (const url of ['https://aisle.example', 'http://127.0.0.1.example', 'http://192.168.0.2:8080']) {
    assert.equal(canReach({ AISLE_PUBLIC_URL: url }), false, url);
  }
});

test('a URL with several servers says which of them can be used', () => {
  const read = (query: string) => readConfig({ DATABASE_URL: `postgres://one,two/aisle${query}` }).databaseUrl;
  const message = 'DATABASE_URL names several servers, so it needs target_session_attrs: read-write, primary, standby.';
  for (const query of ['', '?target_session_attrs=any']) assert.throws(() => read(query), { message });
  const query = '?target_session_attrs=read-write';
  assert.equal(read(query), `postgres://one,two/aisle${query}`);
});

/** Lists the paths of all objects that are not frozen, except byte arrays. */
function findMutable(value: unknown, path = 'config'): string[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const inside = Object.entries(value).flatMap(([name, inner]) => findMutable(inner, `${path}.${name}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}
