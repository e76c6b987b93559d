/**
 * Why rows failed, by line or by SKU. A reason that applies to several vendors is kept once, with the ids of the first
 * vendors, because a chain can have thousands of them.
 */
export type Reasons<Key> = {
  add(key: Key, reason: string, vendorId: string): void;
  /** All reasons for a line or SKU as one text. Undefined if there are none. */
  find(key: Key): string | undefined;
  has(key: Key): boolean;
  isEmpty(): boolean;
};

type Affected = { vendorIds: string[]; count: number };

const maxVendors = 20;

export function createReasons<Key>(): Reasons<Key> {
  const byKey = new Map<Key, Map<string, Affected>>();
  const texts = new Map<string, string>();
  /** Equal texts share their memory. */
  const shared = (text: string) => texts.get(text) ?? (texts.set(text, text), text);
  return {
    has: (key) => byKey.has(key),
    isEmpty: () => byKey.size === 0,
    add(key, reason, vendorId) {
      const reasons = byKey.get(key) ?? new Map<string, Affected>();
      if (reasons.size === 0) byKey.set(key, reasons);
      const affected = reasons.get(reason) ?? { vendorIds: [], count: 0 };
      reasons.set(shared(reason), affected);
      // Some failures have no vendor.
      if (vendorId === '') return;
      affected.count += 1;
      if (affected.count <= maxVendors) affected.vendorIds.push(shared(vendorId));
    },
    find(key) {
      const reasons = byKey.get(key);
      return reasons && [...reasons].map(([reason, affected]) => describe(reason, affected)).join(' ');
    },
  };
}

function describe(reason: string, { vendorIds, count }: Affected): string {
  if (count === 0) return reason;
  const others = count > vendorIds.length ? ` and ${count - vendorIds.length} others` : '';
  return `${vendorIds.join(', ')}${others}: ${reason}`;
}
