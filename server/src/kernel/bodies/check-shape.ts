import { Failure } from '../failures/failure.ts';

/** Limits on the shape of a JSON document. */
export type BodyShape = {
  /** The maximum number of arrays and objects. */
  maxParts: number;
  list: {
    /** The names of the nested fields that lead to the list, across the elements of any array in between. */
    path: readonly string[];
    /** The maximum number of elements. If there are several lists with this path, their elements are added up. */
    max: number;
    tooLong(): Failure;
  };
};

/**
 * Rejects a document before it is parsed, because parsing allocates memory for every value, and takes minutes if
 * millions of arrays are nested. The scan stops at the first limit that is exceeded. It does not validate the document,
 * and a field whose name is written with escapes is not recognized, so the limits are checked again after parsing.
 */
export function checkShape(bytes: Uint8Array, { maxParts, list }: BodyShape): void {
  // Every element, array and object takes at least two bytes.
  if (bytes.length < 2 * Math.min(maxParts, list.max)) return;
  const names = list.path.map((name) => Buffer.from(`"${name}"`));
  /** The open containers on the path. All others are deeper. */
  const track: Level[] = [];
  let depth = 0;
  let parts = 0;
  let elements = 0;
  const countElement = () => {
    elements += 1;
    if (elements > list.max) throw list.tooLong();
  };
  const open = (isArray: boolean) => {
    parts += 1;
    if (parts > maxParts) throw tooManyParts(maxParts);
    const parent = track.at(-1);
    const isTracked = depth === track.length && (parent ? leadsTo(parent, isArray, names.length) : !isArray);
    depth += 1;
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
    } else if (byte === comma) {
      const level = depth === track.length ? track[depth - 1] : undefined;
      if (level?.isArray && level.matched === names.length) countElement();
      else if (level) level.expectsName = !level.isArray;
    } else if (byte === openArray || byte === openObject) open(byte === openArray);
    else if (byte === closeArray || byte === closeObject) close();
  }
}

/** `matched` counts the path's names that led here. `isNamed`: the object's last key is the path's next name. */
type Level = { isArray: boolean; matched: number; expectsName: boolean; isNamed: boolean };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function tooManyParts(max: number): Failure {
  return new Failure('invalid_request', `The body contains more than ${max} arrays and objects.`);
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

function isSame(bytes: Uint8Array, start: number, end: number, name: Buffer | undefined): boolean {
  return name !== undefined && name.length === end + 1 - start && name.every((byte, at) => byte === bytes[start + at]);
}
