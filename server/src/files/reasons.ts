/**
 * Why rows failed, by line or by SKU. A reason that applies to several vendors is kept once, with the ids of the first
 * vendors, because a chain can have thousands of them. Rows that failed for the same reasons share their memory, because
 * there can be hundreds of thousands of them.
 */
export type Reasons<Key> = {
  add(key: Key, reason: string, vendorId: string): void;
  /** All reasons for a line or SKU as one text. Undefined if there are none. */
  find(key: Key): string | undefined;
  has(key: Key): boolean;
  isEmpty(): boolean;
};

/** The reasons of some rows, and the sets that result from adding one more reason. */
type ReasonSet = { affected: readonly Affected[]; next: Map<string, ReasonSet> };
type Affected = { reason: string; vendorIds: readonly string[]; count: number };

const maxVendors = 20;

export function createReasons<Key>(): Reasons<Key> {
  const none: ReasonSet = { affected: [], next: new Map() };
  const byKey = new Map<Key, ReasonSet>();
  return {
    has: (key) => byKey.has(key),
    isEmpty: () => byKey.size === 0,
    add(key, reason, vendorId) {
      const known = byKey.get(key);
      const set = withReason(known ?? none, reason, vendorId);
      byKey.set(known ? key : copyOf(key), set);
    },
    find: (key) => byKey.get(key)?.affected.map(describe).join(' '),
  };
}

function withReason(set: ReasonSet, reason: string, vendorId: string): ReasonSet {
  const step = `${vendorId} ${reason}`;
  const known = set.next.get(step);
  if (known) return known;
  const others = set.affected.filter((one) => one.reason !== reason);
  const before = set.affected.find((one) => one.reason === reason) ?? {
    reason: copyOf(reason),
    vendorIds: [],
    count: 0,
  };
  const added = { affected: [...others, withVendor(before, copyOf(vendorId))], next: new Map() };
  set.next.set(step, added);
  return added;
}

/** Some failures have no vendor. */
function withVendor({ reason, vendorIds, count }: Affected, vendorId: string): Affected {
  if (vendorId === '') return { reason, vendorIds, count };
  return { reason, vendorIds: count < maxVendors ? [...vendorIds, vendorId] : vendorIds, count: count + 1 };
}

function describe({ reason, vendorIds, count }: Affected): string {
  if (count === 0) return reason;
  const others = count > vendorIds.length ? ` and ${count - vendorIds.length} others` : '';
  return `${vendorIds.join(', ')}${others}: ${reason}`;
}

/** A part of a long text keeps the whole text in memory, so it is copied. */
export function copyOf<Value>(value: Value): Value {
  return typeof value === 'string' ? (Buffer.from(value, 'utf16le').toString('utf16le') as Value) : value;
}
