import type { InputError } from '@aisle/contract/common';
import type { Warning } from '@aisle/contract/put-order';
import { type Entry, describeItems, readEntries } from './cart-entries.ts';
import { isBillable, isOriginal, type Line, nameOf, type NewLine } from './line.ts';
import { buildAddition, buildReplacement, type Offer } from './new-lines.ts';
import { checkTexts } from './check-texts.ts';
import { applyToOriginal } from './original-lines.ts';
import { checkSum } from './pricing.ts';
import type { Item, Put } from './read-put.ts';
import { checkReplacements } from './replacements.ts';
import { warningsAt } from './warnings.ts';

export type CartSetting = { digits: number; weightedReplacement: boolean };
export type Cart =
  | { kind: 'rejected'; code: 'invalid_cart_update' | 'item_not_found'; errors: InputError[] }
  | { kind: 'accepted'; lines: (Line | NewLine)[]; warnings: Warning[] };

/**
 * Applies the items in a strict request to an order's lines. A fulfilment must contain every original item and leave
 * none unprocessed; a validation (UPDATE_CART) can omit items.
 */
export function applyCart(
  kind: 'fulfilment' | 'validation',
  items: Item[],
  lines: Line[],
  offers: Map<string, Offer>,
  setting: CartSetting,
): Cart {
  const originals = lines.filter(isOriginal);
  const read = readEntries(items, originals);
  const { entries } = read;
  const missingItems = kind === 'fulfilment' ? checkComplete(entries, originals) : [];
  const structureErrors = [...read.errors, ...checkReplacements(entries), ...missingItems];
  const decided = entries.map((entry) => applyEntry(entry, offers, setting));
  // For an item with structural errors, no other errors are reported, because structural errors can cause others.
  const reported = new Set(structureErrors.map(itemPointer));
  const valueErrors = decided.flatMap((result) => (Array.isArray(result) ? result : []));
  const errors = [...structureErrors, ...valueErrors.filter((error) => !reported.has(itemPointer(error)))];
  if (errors.length > 0) return reject(errors);
  const accepted = decided.filter((result): result is Outcome => !Array.isArray(result));
  const next = mergeLines(originals, accepted);
  if (kind === 'fulfilment' && !next.some(isBillable)) return reject([nothingPicked()]);
  // Only what is new, so that an order from before there was a limit can be fulfilled.
  const sumErrors = [...checkSum(next), ...checkTexts(next.filter((line) => !isOriginal(line)))];
  if (sumErrors.length > 0) return reject(sumErrors);
  return { kind: 'accepted', lines: next, warnings: accepted.flatMap(({ at, line }) => warningsAt(at, line)) };
}

/** `/items/3/pricing` → `/items/3` */
function itemPointer({ pointer }: InputError): string {
  return pointer.split('/').slice(0, 3).join('/');
}

/** The SKUs of new items, which are looked up in the catalog. */
export function skusOf(items: Item[]): string[] {
  const isNew = (item: Item) => item.replaced_id !== undefined || item.status === 'ADDITION';
  return [...new Set(items.flatMap((item) => (isNew(item) && item.sku !== undefined ? [item.sku] : [])))];
}

/**
 * The offers whose stock a change can affect: those of `skus`, and those of the order's lines, except `unchanged`.
 * Undefined if it affects none.
 */
export function movableStock(put: Put): { skus: string[]; unchanged: string[] } | undefined {
  if (put.status === 'CANCELLED') return { skus: [], unchanged: [] };
  if (put.status === 'ACCEPTED' || put.status === 'UPDATE_CART' || !put.items) return undefined;
  const isUnchanged = ({ status, pricing }: Item) => status === 'IN_CART' && pricing?.quantity === undefined;
  const unchanged = put.items.flatMap((item) => (item._id !== undefined && isUnchanged(item) ? [item._id] : []));
  return { skus: skusOf(put.items), unchanged };
}

/** A line, and the pointer to its item in the request. */
type Outcome = { at: string; line: Line | NewLine };

function applyEntry(entry: Entry, offers: Map<string, Offer>, setting: CartSetting): Outcome | InputError[] {
  const line =
    entry.kind === 'original' ? applyToOriginal(entry, setting.digits) : buildNewLine(entry, offers, setting);
  return Array.isArray(line) ? line : { at: entry.at, line };
}

function buildNewLine(
  entry: Exclude<Entry, { kind: 'original' }>,
  offers: Map<string, Offer>,
  setting: CartSetting,
): NewLine | InputError[] {
  const offer = readOffer(entry, offers);
  if ('message' in offer) return [offer];
  if (entry.kind === 'addition') return buildAddition(entry, offer, setting.digits);
  return buildReplacement(entry, offer, setting);
}

function readOffer(entry: Entry, offers: Map<string, Offer>): Offer | InputError {
  const { at, item } = entry;
  if (item.sku === undefined) {
    const role =
      entry.kind === 'replacement' && entry.replaced ? `the replacement for ${nameOf(entry.replaced)}` : 'an addition';
    return {
      pointer: `${at}/sku`,
      code: 'missing',
      message: `is required for ${role}: a SKU from the store's catalog (inactive products are allowed)`,
    };
  }
  const message = `the store has no product with SKU ${item.sku}; use a SKU from the store's catalog (inactive products are allowed)`;
  return offers.get(item.sku) ?? { pointer: `${at}/sku`, code: 'unknown_sku', message };
}

function checkComplete(entries: Entry[], originals: Line[]): InputError[] {
  const present = new Set(entries.flatMap((entry) => (entry.kind === 'original' ? [entry.line.id] : [])));
  const missing = originals.filter((line) => !present.has(line.id));
  const errors: InputError[] = [];
  if (missing.length > 0) {
    const message = `must contain every item in the order, as IN_CART, NOT_FOUND or REPLACED; missing: ${describeItems(missing)}`;
    errors.push({ pointer: '/items', code: 'missing_items', message });
  }
  for (const entry of entries) {
    if (entry.kind !== 'original' || entry.item.status !== 'NOT_PROCESSED') continue;
    const message = `must be IN_CART, NOT_FOUND or REPLACED for ${nameOf(entry.line)}, not NOT_PROCESSED`;
    errors.push({ pointer: `${entry.at}/status`, code: 'not_processed', message });
  }
  return errors;
}

function nothingPicked(): InputError {
  const message = 'must contain at least one picked item; otherwise cancel the order with reason ITEM_UNAVAILABLE';
  return { pointer: '/items', code: 'nothing_picked', message };
}

/** As many errors as the validation of a body reports. */
const maxErrors = 50;

/** If all errors are unknown SKUs, the response has a more specific code. */
function reject(errors: InputError[]): Cart {
  const code = errors.every((error) => error.code === 'unknown_sku') ? 'item_not_found' : 'invalid_cart_update';
  return { kind: 'rejected', code, errors: errors.slice(0, maxErrors) };
}

/** The original lines in order, each followed by its replacement, then the additions. */
function mergeLines(originals: Line[], decided: Outcome[]): (Line | NewLine)[] {
  const lines = decided.map(({ line }) => line);
  const byId = new Map(lines.flatMap((line) => ('id' in line ? [[line.id, line]] : [])));
  const replacements = new Map(lines.flatMap((line) => (line.replacedId === null ? [] : [[line.replacedId, line]])));
  const kept = originals.flatMap((line) => [byId.get(line.id) ?? line, replacements.get(line.id) ?? []].flat());
  return [...kept, ...lines.filter((line) => line.status === 'ADDITION')];
}
