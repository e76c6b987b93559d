import { createHash, randomFillSync, randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';

export function randomBase62(length: number): string {
  return randomText(base62, length);
}

export function randomBase36(length: number): string {
  return randomText(base36, length);
}

/** An integer in base 62, padded with zeros to this length. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
}

/** A version 7 UUID. Its first 48 bits are the time, so that new rows are close together in an index. */
export function newId(now = Date.now()): string {
  const bytes = takeRandom(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidText(bytes);
}

/**
 * A version 7 UUID that tells which chains it can belong to: the first four digits of its last group are the last four
 * digits of the chain's id. So a row of a distributed database can be found by its id without asking every node.
 */
export function newIdIn(chainId: string, now = Date.now()): string {
  const id = newId(now);
  return `${id.slice(0, 24)}${chainId.slice(-4)}${id.slice(28)}`;
}

/** The last four digits of the id of the chain for which `newIdIn` created this id. */
export function chainEndIn(id: string): string {
  return id.slice(24, 28).toLowerCase();
}

/** A version 8 UUID from a SHA-256 hash of the names. The same names always produce the same UUID. */
export function derivedId(...names: string[]): string {
  const bytes = createHash('sha256').update(names.join('\0')).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidText(bytes);
}

/**
 * A random positive bigint, as a number of a row that only has to be unique. On a distributed database, a node plans an
 * INSERT with a number from a sequence every time.
 */
export function newNumber(): string {
  return String(takeRandom(8).readBigUInt64BE() >> 1n);
}

export const nilId = '00000000-0000-0000-0000-000000000000';

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Generated in advance, because the cost is per call. Each byte is used once. */
const random = Buffer.alloc(4096);
let used = random.length;

/** The bytes are valid until the next call. */
function takeRandom(count: number): Buffer {
  if (used + count > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += count;
  return random.subarray(used - count, used);
}

function randomText(alphabet: string, length: number): string {
  let text = '';
  while (text.length < length) text += alphabet[randomInt(alphabet.length)];
  return text;
}
