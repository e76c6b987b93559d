import { Failure } from '../failures/failure.ts';

/** Limits on the shape of a JSON document. */
export type BodyShape = {
  /** The maximum number of arrays and objects. */
  maxParts: number;
  /** The maximum number of different names. Repeated names cost little, but each new one is added to a table. */
  maxNames: number;
  /** The maximum number of values in arrays and objects. */
  maxValues?: number;
  maxDepth?: number;
  list?: {
    /** The names of the nested fields that lead to the list, across the elements of any array in between. */
    path: readonly string[];
    /** The maximum number of elements. If there are several lists with this path, their elements are added up. */
    max: number;
    tooLong(): Failure;
  };
};

/** A document that is nested deeper than this was not sent on purpose. */
export const maxDepth = 50;

/** The limits for a body that is parsed on the event loop. The time to parse it depends on the number of values. */
export function jsonShape(maxBytes: number): BodyShape {
  const maxValues = Math.ceil(maxBytes / 32);
  return { maxParts: maxValues, maxNames: 1000, maxValues, maxDepth };
}

/**
 * Rejects a document before it is parsed, because parsing allocates memory for every value, and takes minutes if
 * millions of arrays are nested or millions of names are different. The scan stops at the first limit that is exceeded.
 * It does not validate the document, and a field whose name is written with escapes is not recognized, so the limits are
 * checked again after parsing.
 */
export function checkShape(bytes: Uint8Array, shape: BodyShape): void {
  const { maxParts, maxNames, maxValues = Infinity, maxDepth: deepest = Infinity, list = noList } = shape;
  // Every value and every array, object and name takes at least two bytes.
  if (bytes.length < 2 * Math.min(maxParts, maxNames, maxValues, deepest, list.max)) return;
  const { countName, countPart, countValue, countElement } = createCounts({ ...shape, maxValues, list });
  // A name takes at least four bytes.
  const hasManyNames = bytes.length >= 4 * maxNames;
  const names = list.path.map((name) => Buffer.from(`"${name}"`));
  /** The open containers on the path. All others are deeper. */
  const track: Level[] = [];
  let depth = 0;
  const open = (isArray: boolean) => {
    countPart();
    const parent = track.at(-1);
    const isTracked = depth === track.length && (parent ? leadsTo(parent, isArray, names.length) : !isArray);
    depth += 1;
    if (depth > deepest) throw tooDeep();
    if (!isTracked) return;
    const matched = parent ? parent.matched + (parent.isArray ? 0 : 1) : 0;
    track.push({ isArray, matched, expectsName: !isArray, isNamed: false });
    if (isArray && matched === names.length) countElement();
  };
  const close = () => {
    depth = Math.max(0, depth - 1);
    if (track.length > depth) track.pop();
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      const start = at;
      at = stringEnd(bytes, start);
      const level = depth === track.length ? track[depth - 1] : undefined;
      if (level?.expectsName) {
        level.isNamed = isSame(bytes, start, at, names[level.matched]);
        level.expectsName = false;
      }
      if (hasManyNames && isName(bytes, at)) countName(bytes, start, at);
    } else if (byte === comma) {
      countValue();
      const level = depth === track.length ? track[depth - 1] : undefined;
      if (level?.isArray && level.matched === names.length) countElement();
      else if (level) level.expectsName = !level.isArray;
    } else if (byte === openArray || byte === openObject) open(byte === openArray);
    else if (byte === closeArray || byte === closeObject) close();
  }
}

type Counted = { maxParts: number; maxNames: number; maxValues: number; list: NonNullable<BodyShape['list']> };

function createCounts({ maxParts, maxNames, maxValues, list }: Counted) {
  /** One bit per hash. Two names with the same hash count as one, which only makes the limit less strict. */
  const seen = new Uint8Array(hashes / 8);
  let parts = 0;
  let names = 0;
  let values = 0;
  let elements = 0;
  return {
    countPart() {
      parts += 1;
      if (parts > maxParts) throw tooMany(maxParts, 'arrays and objects');
    },
    countValue() {
      values += 1;
      if (values > maxValues) throw tooMany(maxValues, 'values');
    },
    countElement() {
      elements += 1;
      if (elements > list.max) throw list.tooLong();
    },
    countName(bytes: Uint8Array, start: number, end: number) {
      const hash = hashOf(bytes, start, end);
      const [at, bit] = [hash >>> 3, 1 << (hash & 7)];
      if (((seen[at] ?? 0) & bit) !== 0) return;
      seen[at] = (seen[at] ?? 0) | bit;
      names += 1;
      if (names > maxNames) throw tooMany(maxNames, 'different field names');
    },
  };
}

const noList = { path: [], max: Infinity, tooLong: () => new Failure('invalid_request') };

/** `matched` counts the path's names that led here. `isNamed`: the object's last key is the path's next name. */
type Level = { isArray: boolean; matched: number; expectsName: boolean; isNamed: boolean };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function tooMany(max: number, what: string): Failure {
  return new Failure('invalid_request', `The body contains more than ${max} ${what}.`);
}

function tooDeep(): Failure {
  const message = `must not be nested deeper than ${maxDepth} levels`;
  return new Failure('invalid_request', `The body ${message}.`, {
    errors: [{ pointer: '', code: 'too_deep', message }],
  });
}

function leadsTo(parent: Level, isArray: boolean, length: number): boolean {
  return parent.matched < length ? (parent.isArray ? !isArray : parent.isNamed) : false;
}

/** The index of the closing quote. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return bytes.length;
}

/** Whether the string that ends here is followed by a colon. */
function isName(bytes: Uint8Array, end: number): boolean {
  let at = end + 1;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return bytes[at] === colon;
}

const colon = 0x3a;
const hashes = 1 << 16;

/** FNV-1a, folded to 16 bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 16)) & (hashes - 1);
}

function isSame(bytes: Uint8Array, start: number, end: number, name: Buffer | undefined): boolean {
  return name !== undefined && name.length === end + 1 - start && name.every((byte, at) => byte === bytes[start + at]);
}
