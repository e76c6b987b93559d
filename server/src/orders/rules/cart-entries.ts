import type { InputError } from '@aisle/contract/common';
import { isOriginal, type Line, nameOf } from './line.ts';
import type { Item } from './read-put.ts';

/** An item in a request: an item from the order, a replacement for one, or an addition. */
export type Entry = { at: string; item: Item } & (
  | { kind: 'original'; line: Line }
  | { kind: 'replacement'; replaced: Line | undefined }
  | { kind: 'addition' }
);

/** Classifies the items in a strict request. An item that cannot be classified is reported as an error. */
export function readEntries(items: Item[], lines: Line[]): { entries: Entry[]; errors: InputError[] } {
  const originals = indexOriginals(lines);
  const entries: Entry[] = [];
  const errors: InputError[] = [];
  const seen = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const at = `/items/${index}`;
    const entry = readEntry(at, item, originals);
    if ('message' in entry) {
      errors.push(entry);
      continue;
    }
    if (entry.kind === 'original') {
      const before = seen.get(entry.line.id);
      if (before !== undefined) errors.push(repeatedItem(at, entry.line, before));
      seen.set(entry.line.id, at);
      if (item.sku !== undefined && item.sku !== entry.line.sku) errors.push(otherSku(at, item.sku, entry.line));
    }
    errors.push(...checkRequired(entry));
    entries.push(entry);
  }
  return { entries, errors };
}

/** The items that the customer ordered. Both an order and a request can have hundreds, so none is searched for in a list. */
export type Originals = {
  byId: ReadonlyMap<string, Line>;
  /** Undefined if several items have the SKU. */
  bySku: ReadonlyMap<string, Line | undefined>;
  /** The items for use in a message. */
  description: string;
};

export function indexOriginals(lines: Line[]): Originals {
  const originals = lines.filter(isOriginal);
  const bySku = new Map<string, Line | undefined>();
  for (const line of originals) bySku.set(line.sku, bySku.has(line.sku) ? undefined : line);
  return { byId: new Map(originals.map((line) => [line.id, line])), bySku, description: describeItems(originals) };
}

/** Finds the order's item with this `_id` or, if the request has no `_id`, the order's only item with this SKU. */
export function findOriginal({ _id: id, sku }: Item, { byId, bySku }: Originals): Line | undefined {
  if (id !== undefined) return byId.get(id);
  return sku === undefined ? undefined : bySku.get(sku);
}

function readEntry(at: string, item: Item, originals: Originals): Entry | InputError {
  if (item.replaced_id !== undefined) {
    return { at, item, kind: 'replacement', replaced: originals.byId.get(item.replaced_id) };
  }
  if (item.status === 'ADDITION') return { at, item, kind: 'addition' };
  if (item._id === undefined && item.sku === undefined) {
    return { pointer: at, code: 'missing', message: 'must have an _id or a sku that identifies an item in the order' };
  }
  const line = findOriginal(item, originals);
  return line ? { at, item, kind: 'original', line } : unknownItem(at, item, originals);
}

function unknownItem(at: string, item: Item, { description }: Originals): InputError {
  const name = item._id !== undefined ? `_id ${item._id}` : `SKU ${item.sku}`;
  return {
    pointer: item._id !== undefined ? `${at}/_id` : `${at}/sku`,
    code: 'unknown_item',
    message: `the order has no item with ${name}; it has ${description}. Send a new item as ADDITION`,
  };
}

const maxDescribed = 10;

/** Lists the items' names and ids for use in a message. */
export function describeItems(lines: Line[]): string {
  const names = lines.slice(0, maxDescribed).map((line) => `${nameOf(line)} with _id ${line.id}`);
  return `${names.join(', ')}${lines.length > maxDescribed ? ` and ${lines.length - maxDescribed} more` : ''}`;
}

function repeatedItem(at: string, line: Line, before: string): InputError {
  return {
    pointer: at,
    code: 'named_twice',
    message: `${nameOf(line)} is already at ${before}; send each item in the order once`,
  };
}

function otherSku(at: string, sku: string, line: Line): InputError {
  const message = `the item with _id ${line.id} is ${nameOf(line)}, not ${sku}; send the item's SKU, or omit it. To pick another product, send the item as REPLACED with its replacement`;
  return { pointer: `${at}/sku`, code: 'sku_mismatch', message };
}

/** Checks the fields that the strict profile requires for every item. */
function checkRequired(entry: Entry): InputError[] {
  const { at, item } = entry;
  const name = entry.kind === 'original' ? nameOf(entry.line) : (item.sku ?? 'the new item');
  const errors: InputError[] = [];
  if (item.status === undefined) {
    const message = `is required for ${name}: ${entry.kind === 'original' ? 'IN_CART, NOT_FOUND or REPLACED' : 'IN_CART'}`;
    errors.push({ pointer: `${at}/status`, code: 'missing', message });
  }
  if (item.pricing?.pricing_type === undefined) {
    const expected = entry.kind === 'original' ? entry.line.pricingType : 'UNIT, or KG for a product sold by weight';
    const pointer = item.pricing === undefined ? `${at}/pricing` : `${at}/pricing/pricing_type`;
    errors.push({ pointer, code: 'missing', message: `is required for ${name}; pricing_type must be ${expected}` });
  }
  return errors;
}
