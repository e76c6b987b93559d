import assert from 'node:assert/strict';
import test from 'node:test';
import { createGuard, loopback, parseNetwork } from './addresses.ts';
import { checkUrl } from './outbound.ts';

const closed = createGuard([]);

/** Different ways to write, or disguise, an address that a webhook must not reach. */
const hostile = [
  'http://127.0.0.1/',
  'http://127.0.0.1:6379/',
  'https://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://0X7F.0x0.0x0.0x1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0177.1/',
  'http://127.0.0.1./',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[::a00:1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[2001:db8::1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[5f00::1]/',
  'http://10.0.0.1/',
  'http://10.1/',
  'http://167772161/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.257/',
  'http://0xc0a80001/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.7/',
  'http://203.0.113.9/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://hooks.example.com@127.0.0.1/',
  'http://user:password@hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://hooks.example.com:70/_x',
  'javascript:alert(1)',
  'data:text/plain,x',
  'hooks.example.com/aisle',
  '//hooks.example.com/',
  'http://',
  'http://[::1',
  'http://256.256.256.256/',
];
for (const url of hostile) {
  test(`${url} is rejected when it is configured`, () => {
    assert.notEqual(checkUrl(url, closed), undefined);
  });
}

for (const url of [
  'https://hooks.example.com/aisle?store=1',
  'http://hooks.example.com:8080/',
  'https://8.8.8.8/',
  'https://172.32.0.1/',
  'https://100.128.0.1/',
  'https://[2606:4700::1111]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::808:808]/',
  'https://xn--mgbh0fb.example/',
]) {
  test(`${url} is accepted`, () => {
    assert.equal(checkUrl(url, closed), undefined);
  });
}

test('only the internal networks listed by the operator are allowed', () => {
  const guard = createGuard([...loopback, ...(parseNetwork('10.1.0.0/16') ?? []), ...(parseNetwork('fd00::/8') ?? [])]);
  const open = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', 'fd12::1', '8.8.8.8'];
  const refused = ['10.2.0.1', '169.254.169.254', 'fe80::1', '192.168.0.1', '0.0.0.0', '::'];
  assert.deepEqual(
    [open.filter((one) => !guard.isAllowed(one)), refused.filter((one) => guard.isAllowed(one))],
    [[], []],
  );
});

test('text that is not an address is rejected', () => {
  for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', '::g', 'fe80::1%eth0'])
    assert.equal(closed.isAllowed(text), false);
});

test('a network is an address with a valid prefix length', () => {
  assert.deepEqual(parseNetwork('192.168.1.7'), [{ address: '192.168.1.7', prefix: 32 }]);
  assert.deepEqual(parseNetwork('fd00::/8'), [{ address: 'fd00::', prefix: 8 }]);
  for (const text of ['', 'private', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/8/8']) {
    assert.equal(parseNetwork(text), undefined, text);
  }
});
