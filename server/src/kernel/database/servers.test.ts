import assert from 'node:assert/strict';
import test from 'node:test';
import { createLocator, parseServers } from './servers.ts';

test('a URL with one server is used as it is', () => {
  const url = 'postgresql://aisle:a%40b@db.internal:5432/aisle?sslmode=disable&host=%2Ftmp%2Fx';
  assert.deepEqual(parseServers(url), { urls: [url], target: 'any' });
});

test('a URL can name several servers, with ports, IPv6 addresses and sockets', () => {
  const url =
    'postgres://aisle:secret@one,[fd00::2]:5433,%2Ftmp%2Fsocket:5434/aisle?a=b&target_session_attrs=read-write';
  assert.deepEqual(parseServers(url), {
    urls: [
      'postgres://aisle:secret@one/aisle?a=b',
      'postgres://aisle:secret@[fd00::2]:5433/aisle?a=b',
      'postgres://aisle:secret@%2Ftmp%2Fsocket:5434/aisle?a=b',
    ],
    target: 'read-write',
  });
});

test('other protocols, invalid ports and unknown targets are rejected', () => {
  for (const url of [
    'mysql://one/aisle',
    'postgres://one:port,two/aisle',
    'postgres://one:1,two:99999/aisle',
    'postgres://one,two/aisle?target_session_attrs=fastest',
    'one,two',
    '',
  ])
    assert.equal(parseServers(url), undefined, url);
});

test('a primary of an earlier timeline is refused once a later one was seen, but not one of another cluster', async () => {
  const locator = createLocator('postgres://one,two/aisle?target_session_attrs=read-write');
  const check = (cluster: string, timeline: number | null) => {
    const row = { is_standby: timeline === null, is_read_only: timeline === null, cluster, timeline };
    return locator.check({ query: async () => ({ rows: [row] }) } as unknown as Parameters<typeof locator.check>[0]);
  };
  await check('a', 1);
  await check('a', 2);
  await assert.rejects(check('a', 1), { code: '57P03', message: /^The server was the primary before another one/ });
  await assert.rejects(check('a', null), { code: '57P03', message: /accepting writes$/ });
  await check('a', 2);
  await check('b', 1);
});
