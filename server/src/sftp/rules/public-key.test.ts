import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import test from 'node:test';
import { fingerprintOf, parsePublicKey } from './public-key.ts';

const ed25519 = 'AAAAC3NzaC1lZDI1NTE5AAAAIO2ESGccYBd+qZVvsSWP/KhPXNXCXf1iloPzFe/o5do8';

test('an Ed25519 key is parsed with its comment, and has the fingerprint that ssh-keygen shows', () => {
  const parsed = parsePublicKey(`ssh-ed25519 ${ed25519} backup@palm-grocer (2026)\n`);
  assert.ok('key' in parsed);
  assert.deepEqual(parsed.key, {
    type: 'ssh-ed25519',
    key: Buffer.from(ed25519, 'base64'),
    fingerprint: 'SHA256:3DrynrQuyzX15rz8wNxfAwLLgEJLZXcQ6H2n1tb9jLQ',
    comment: 'backup@palm-grocer (2026)',
  });
  assert.equal(fingerprintOf(parsed.key.key), parsed.key.fingerprint);
});

test('ECDSA keys on all three curves are accepted', () => {
  for (const [name, curve] of Object.entries({ nistp256: 'P-256', nistp384: 'P-384', nistp521: 'P-521' })) {
    assert.ok('key' in parsePublicKey(ecdsaKey(name, curve)), name);
  }
});

test('an RSA key needs at least 3072 bits', () => {
  assert.ok('key' in parsePublicKey(rsaKey(3072)));
  assert.deepEqual(parsePublicKey(rsaKey(2048)), {
    problem: 'is an RSA key with 2048 bits; at least 3072 are required',
  });
});

test('an RSA key whose signatures take long to check is rejected', () => {
  const long = [Buffer.from([1, 0, 1]), Buffer.concat([Buffer.from([0]), Buffer.alloc(1025, 0xff)])];
  assert.deepEqual(parsePublicKey(line('ssh-rsa', long)), {
    problem: 'is an RSA key with 8200 bits; at most 8192 are allowed',
  });
  for (const exponent of [Buffer.alloc(3, 0xff), Buffer.alloc(8, 0x7f), Buffer.alloc(384, 0x7f)]) {
    assert.deepEqual(parsePublicKey(line('ssh-rsa', [exponent, Buffer.alloc(385, 0xff).fill(0, 0, 1)])), {
      problem: 'is an RSA key with an unusual public exponent; generate a key with the exponent 65537',
    });
  }
});

const bad = {
  'a private key': ['-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n', /must be the public key/],
  'no base64': ['ssh-ed25519', /must be one line/],
  'two keys': [`ssh-ed25519 ${ed25519}\nssh-ed25519 ${ed25519}`, /must be one line/],
  'a truncated key': [`ssh-ed25519 ${ed25519.slice(0, 40)}`, /is damaged/],
  'a key with another type in front': [`ssh-rsa ${ed25519}`, /is damaged/],
  'a DSA key': [line('ssh-dss', [Buffer.from([1])]), /has the type "ssh-dss"; allowed are ssh-ed25519/],
  'a security key': [line('sk-ssh-ed25519@openssh.com', []), /has the type "sk-ssh-ed25519@openssh.com"/],
  'an Ed25519 key with 31 bytes': [line('ssh-ed25519', [Buffer.alloc(31)]), /does not match its type/],
  'a point that is not on the curve': [
    line('ecdsa-sha2-nistp256', [Buffer.from('nistp256'), Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)])]),
    /does not match its type/,
  ],
  'an unknown curve': [line('ecdsa-sha2-nistp192', [Buffer.from('nistp192')]), /ecdsa-sha2-nistp192/],
} as const;
for (const [name, [text, expected]] of Object.entries(bad)) {
  test(`${name} is rejected with a reason`, () => {
    const parsed = parsePublicKey(text);
    assert.ok('problem' in parsed);
    assert.match(parsed.problem, expected);
  });
}

function rsaKey(bits: number): string {
  const { e = '', n = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  const modulus = Buffer.concat([Buffer.from([0]), Buffer.from(n, 'base64url')]);
  return line('ssh-rsa', [Buffer.from(e, 'base64url'), modulus]);
}

function ecdsaKey(name: string, curve: string): string {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return line(`ecdsa-sha2-${name}`, [Buffer.from(name), Buffer.concat(point)]);
}

function line(type: string, fields: Buffer[]): string {
  const blob = [Buffer.from(type), ...fields].flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  return `${type} ${Buffer.concat(blob).toString('base64')}`;
}
