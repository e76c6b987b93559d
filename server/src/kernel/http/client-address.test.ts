import assert from 'node:assert/strict';
import test from 'node:test';
import { createMatcher, networkOf, siteOf } from '../outbound/addresses.ts';
import { clientAddress } from './client-address.ts';

const isTrusted = createMatcher([
  { address: '10.0.0.0', prefix: 8 },
  { address: 'fd00::', prefix: 8 },
]);

const proxy = '10.0.0.1';

function from(peer: string, list?: string, forwarded?: string): string {
  return clientAddress(peer, { ...(list !== undefined && { 'x-forwarded-for': list }), forwarded }, isTrusted);
}

test('headers from a sender that is not a trusted proxy are ignored', () => {
  assert.equal(from('203.0.113.9', '192.0.2.1'), '203.0.113.9');
  assert.equal(from('203.0.113.9', undefined, 'for=192.0.2.1'), '203.0.113.9');
});

test('the right-most address that is not a trusted proxy is the client', () => {
  assert.equal(from(proxy), proxy);
  assert.equal(from(proxy, '192.0.2.1'), '192.0.2.1');
  assert.equal(from(proxy, '8.8.8.8, 192.0.2.1, 10.9.9.9'), '192.0.2.1', 'what the client sent itself is ignored');
  assert.equal(from(proxy, '10.2.2.2, 10.3.3.3'), '10.2.2.2', 'a client inside the trusted network');
  assert.equal(from(proxy, undefined, 'for=8.8.8.8, for=192.0.2.1;proto=https;by=10.0.0.1'), '192.0.2.1');
  assert.equal(from(proxy, undefined, 'proto=https;FOR="[2001:db8::7]:4711"'), '2001:db8:0:0:0:0:0:7');
});

test('addresses with a port or brackets and IPv4-mapped addresses are accepted', () => {
  assert.equal(from(proxy, '192.0.2.1:4711'), '192.0.2.1');
  assert.equal(from(proxy, '[2001:db8::1]:4711'), '2001:db8:0:0:0:0:0:1');
  assert.equal(from(proxy, '2001:db8::1'), '2001:db8:0:0:0:0:0:1');
  assert.equal(from('::ffff:10.0.0.1', '::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(from('fd00::5', '192.0.2.1'), '192.0.2.1');
  assert.equal(from('fe80::1%eth0', '192.0.2.1'), 'fe80:0:0:0:0:0:0:1');
});

test('text that is not an address ends the search at the proxy that sent it', () => {
  for (const junk of ['unknown', '_hidden', '', ' ', '1.2.3', '<script>', '192.0.2.1, unknown']) {
    assert.equal(from(proxy, junk), proxy, junk);
  }
  assert.equal(from(proxy, '192.0.2.1, unknown, 10.4.4.4'), '10.4.4.4');
  assert.equal(from(proxy, undefined, 'for=unknown'), proxy);
  assert.equal(from(proxy, undefined, 'proto=https'), proxy);
});

test('if both headers are present and disagree, neither is used', () => {
  assert.equal(from(proxy, '192.0.2.1', 'for=192.0.2.1'), '192.0.2.1');
  assert.equal(from(proxy, '192.0.2.1', 'for=8.8.8.8'), proxy);
  assert.equal(from(proxy, '8.8.8.8', 'for="[2001:db8::1]"'), proxy);
});

test('IPv6 addresses are counted by their /64 network', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:0:7::1'), '2001:db8:0:7::/64');
  assert.equal(networkOf('2001:db8:0:7:ffff::2'), '2001:db8:0:7::/64');
  assert.equal(siteOf(networkOf('2001:db8:0:7:ffff::2')), '2001:db8:0::/48');
  assert.equal(siteOf(networkOf('192.0.2.1')), '192.0.2.1');
});
