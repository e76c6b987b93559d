import { createHash, createPublicKey } from 'node:crypto';
import { describeValue } from '@aisle/contract/value-faults';

export type PublicKey = { type: string; key: Buffer; fingerprint: string; comment: string };

/** A public key, or the reason why the text was rejected. */
export type ParsedKey = { key: PublicKey } | { problem: string };

export const minRsaBits = 3072;
/** Checking a signature with a longer key takes many milliseconds, in which the process does nothing else. */
const maxRsaBits = 8192;
/** All key generators use 65537 or less. With a large exponent, checking a signature takes 40 ms. */
const maxExponentBits = 17;

const curves: Record<string, { crv: string; bytes: number }> = {
  nistp256: { crv: 'P-256', bytes: 32 },
  nistp384: { crv: 'P-384', bytes: 48 },
  nistp521: { crv: 'P-521', bytes: 66 },
};
const allowed = 'ssh-ed25519, ecdsa-sha2-nistp256, ecdsa-sha2-nistp384, ecdsa-sha2-nistp521 and ssh-rsa';

/** Parses a line in the format of `authorized_keys`, without options: type, base64 and comment. */
export function parsePublicKey(text: string): ParsedKey {
  if (text.includes('PRIVATE KEY')) {
    return { problem: describeValue('private_key') };
  }
  const [type = '', encoded = '', ...words] = text.trim().split(/\s+/);
  if (text.trim().includes('\n') || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    return { problem: describeValue('public_key') };
  }
  const key = Buffer.from(encoded, 'base64');
  const problem = checkKey(type, key);
  if (problem !== undefined) return { problem };
  return { key: { type, key, fingerprint: fingerprintOf(key), comment: cleanComment(words.join(' ')) } };
}

/** The fingerprint as OpenSSH shows it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Returns the reason why the key cannot be used. */
export function checkKey(type: string, key: Buffer): string | undefined {
  const [first, ...fields] = readFields(key) ?? [];
  if (first?.toString('latin1') !== type) return describeValue('incomplete_key', { type: type.slice(0, 50) });
  if (type === 'ssh-ed25519') return checkEd25519(fields);
  if (type === 'ssh-rsa') return checkRsa(fields);
  if (type.startsWith('ecdsa-sha2-')) return checkEcdsa(type.slice('ecdsa-sha2-'.length), fields);
  return describeValue('key_type', { type: type.slice(0, 50), allowed });
}

/** The strings that the key consists of, each preceded by its length, or undefined if the lengths are wrong. */
function readFields(key: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (at < key.length) {
    if (at + 4 > key.length) return undefined;
    const end = at + 4 + key.readUInt32BE(at);
    if (end > key.length) return undefined;
    fields.push(key.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function checkEd25519([point, ...rest]: Buffer[]): string | undefined {
  const isValid = point?.length === 32 && rest.length === 0;
  return isValid && isKey({ kty: 'OKP', crv: 'Ed25519', x: encode(point) }) ? undefined : damaged;
}

function checkRsa([exponent, modulus, ...rest]: Buffer[]): string | undefined {
  if (!exponent || !modulus || rest.length > 0) return damaged;
  const bits = bitsOf(modulus);
  if (bits < minRsaBits) return describeValue('short_rsa_key', { bits, min: minRsaBits });
  if (bits > maxRsaBits) return describeValue('long_rsa_key', { bits, max: maxRsaBits });
  if (bitsOf(exponent) > maxExponentBits) return describeValue('large_rsa_exponent');
  return isKey({ kty: 'RSA', e: encode(exponent), n: encode(withoutSign(modulus)) }) ? undefined : damaged;
}

function checkEcdsa(name: string, [curve, point, ...rest]: Buffer[]): string | undefined {
  const found = curves[name];
  if (!found) return describeValue('key_type', { type: `ecdsa-sha2-${name.slice(0, 50)}`, allowed });
  const isWhole = curve?.toString('latin1') === name && point?.[0] === 4 && point.length === 1 + 2 * found.bytes;
  if (!isWhole || rest.length > 0) return damaged;
  const x = encode(point.subarray(1, 1 + found.bytes));
  const y = encode(point.subarray(1 + found.bytes));
  return isKey({ kty: 'EC', crv: found.crv, x, y }) ? undefined : damaged;
}

const damaged = describeValue('damaged_key');

function bitsOf(number: Buffer): number {
  const digits = withoutSign(number);
  return digits.length === 0 ? 0 : digits.length * 8 - Math.clz32(digits[0] as number) + 24;
}

/** Positive numbers whose first bit is set are preceded by a zero byte. */
function withoutSign(number: Buffer): Buffer {
  const first = number.findIndex((byte) => byte !== 0);
  return first === -1 ? Buffer.alloc(0) : number.subarray(first);
}

function isKey(key: Record<string, string>): boolean {
  try {
    createPublicKey({ key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64url');
}

/** Control characters would garble terminals and logs. */
function cleanComment(text: string): string {
  return text.replace(/\p{C}/gu, '').slice(0, 200).toWellFormed();
}
