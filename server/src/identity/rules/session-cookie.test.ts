import assert from 'node:assert/strict';
import test from 'node:test';
import { isSameOrigin, needsSecureCookie, readSessionCookie, sessionCookie } from './session-cookie.ts';

const here = 'http://127.0.0.1:8080';

test('the session is found among other cookies', () => {
  assert.equal(readSessionCookie('a=1; aisle_session=x; b=2', false, 'portal'), 'x');
  assert.equal(readSessionCookie('aisle_session=x;__Host-aisle_session=y', true, 'portal'), 'y');
  for (const header of [undefined, '', 'a=1', 'xaisle_session=1', 'aisle_session']) {
    assert.equal(readSessionCookie(header, false, 'portal'), undefined, header);
  }
});

test('a site that requires TLS does not accept a cookie without the protection of the prefix __Host-', () => {
  assert.equal(readSessionCookie('aisle_session=x', true, 'portal'), undefined);
});

test('a site with TLS does not accept requests from its own host without TLS', () => {
  const host = 'aisle.example';
  assert.ok(!isSameOrigin({ host, origin: 'http://aisle.example' }, 'https://aisle.example'));
  assert.ok(isSameOrigin({ host, origin: 'https://aisle.example' }, 'https://aisle.example'));
});

test('the cookie is inaccessible to scripts and other sites, and requires TLS except on this machine', () => {
  assert.equal(
    sessionCookie('x', 60, true, 'portal'),
    '__Host-aisle_session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  );
  assert.equal(
    sessionCookie('x', 60, false, 'portal'),
    'aisle_session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
  );
  for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:8080']) assert.equal(needsSecureCookie(here, host), false);
  for (const host of ['192.168.1.4:8080', 'aisle.example', '127.0.0.1.example', undefined, 'a b']) {
    assert.equal(needsSecureCookie(here, host), true, host);
  }
  assert.equal(needsSecureCookie('https://aisle.example', '127.0.0.1:8080'), true);
});

test('a request is same-origin if it has an origin header and all of its origin headers match', () => {
  const host = '127.0.0.1:8080';
  const own = [
    { host, origin: here, 'sec-fetch-site': 'same-origin' },
    { host, origin: here },
    { host, 'sec-fetch-site': 'same-origin' },
    { host: 'aisle.example', origin: 'https://aisle.example' },
    { host: 'inner:8080', origin: here },
  ];
  for (const headers of own) assert.ok(isSameOrigin(headers, here), JSON.stringify(headers));
  const foreign = [
    { host },
    { host, origin: 'null' },
    { host, origin: 'http://127.0.0.1:3000' },
    { host, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    { host, origin: here, 'sec-fetch-site': 'same-site' },
    { host, origin: 'https://elsewhere.example', 'sec-fetch-site': 'same-origin' },
    { host, 'sec-fetch-site': 'none' },
  ];
  for (const headers of foreign) assert.ok(!isSameOrigin(headers, here), JSON.stringify(headers));
});
