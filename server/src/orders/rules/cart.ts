import type { InputError } from '@aisle/contract/common';
import { type Entry, listed, readEntries } from './cart-entries.ts';
import { isBillable, isOriginal, type Line, nameOf, type NewLine } from './line.ts';
import { decideAddition, decideReplacement, type Offer, type Warning } from './new-lines.ts';
import { decideOriginal } from './original-lines.ts';
import { judgeSum } from './pricing.ts';
import type { Item } from './read-put.ts';
import { judgeReplacements } from './replacements.ts';

export type CartSetting = { digits: number; weightedReplacement: boolean };
export type Cart =
  | { kind: 'refused'; code: 'invalid_cart_update' | 'item_not_found'; errors: InputError[] }
  | { kind: 'accepted'; lines: (Line | NewLine)[]; warnings: Warning[] };

/**
 * What the items of a strict request make of the lines of an order. A fulfilment must name every original item and
 * leave none unprocessed; a validation (UPDATE_CART) may leave items out.
 */
export function decideCart(
  kind: 'fulfilment' | 'validation',
  items: Item[],
  lines: Line[],
  offers: Map<string, Offer>,
  setting: CartSetting,
): Cart {
  const originals = lines.filter(isOriginal);
  const { entries, errors } = readEntries(items, originals);
  errors.push(...judgeReplacements(entries));
  if (kind === 'fulfilment') errors.push(...judgeWhole(entries, originals));
  const hasErrors = errors.length > 0;
  const decided = entries.map((entry) => decideEntry(entry, offers, setting));
  // Where the form of an item is wrong already, a second sentence about it would only confuse.
  const spoken = new Set(errors.map(({ pointer }) => pointer.split('/').slice(0, 3).join('/')));
  const more = decided.flatMap((one) => (Array.isArray(one) ? one : []));
  errors.push(...more.filter(({ pointer }) => !hasErrors || !spoken.has(pointer.split('/').slice(0, 3).join('/'))));
  if (errors.length > 0) return refuse(errors);
  const accepted = decided.filter((one): one is Outcome => !Array.isArray(one));
  const next = mergeLines(originals, accepted);
  if (kind === 'fulfilment' && !next.some(isBillable)) return refuse([nothingPicked()]);
  const tooMuch = judgeSum(next);
  if (tooMuch.length > 0) return refuse(tooMuch);
  return { kind: 'accepted', lines: next, warnings: accepted.flatMap((one) => one.warnings) };
}

/** SKUs of the catalog that the request needs. */
export function skusOf(items: Item[]): string[] {
  const isNew = (item: Item) => item.replaced_id !== undefined || item.status === 'ADDITION';
  return [...new Set(items.flatMap((item) => (isNew(item) && item.sku !== undefined ? [item.sku] : [])))];
}

type Outcome = { line: Line | NewLine; warnings: Warning[] };

function decideEntry(entry: Entry, offers: Map<string, Offer>, setting: CartSetting): Outcome | InputError[] {
  if (entry.kind === 'original') {
    const line = decideOriginal(entry, setting.digits);
    return Array.isArray(line) ? line : { line, warnings: [] };
  }
  const offer = findOffer(entry, offers);
  if ('message' in offer) return [offer];
  if (entry.kind === 'addition') return decideAddition(entry, offer, setting.digits);
  return decideReplacement(entry, offer, setting);
}

function findOffer(entry: Entry, offers: Map<string, Offer>): Offer | InputError {
  const { at, item } = entry;
  if (item.sku === undefined) {
    const replaced =
      entry.kind === 'replacement' && entry.replaced ? `what replaces ${nameOf(entry.replaced)}` : 'an addition';
    return {
      pointer: `${at}/sku`,
      code: 'missing',
      message: `is required for ${replaced}: a SKU of the store's catalog`,
    };
  }
  const message = `the store has no product with the SKU ${item.sku}; use one of its catalog, active or not`;
  return offers.get(item.sku) ?? { pointer: `${at}/sku`, code: 'unknown_sku', message };
}

function judgeWhole(entries: Entry[], originals: Line[]): InputError[] {
  const named = new Set(entries.flatMap((entry) => (entry.kind === 'original' ? [entry.line.id] : [])));
  const missing = originals.filter((line) => !named.has(line.id));
  const errors: InputError[] = [];
  if (missing.length > 0) {
    const message = `every item of the order must be named, as IN_CART, NOT_FOUND or REPLACED; missing: ${listed(missing)}`;
    errors.push({ pointer: '/items', code: 'missing_items', message });
  }
  for (const entry of entries) {
    if (entry.kind !== 'original' || entry.item.status !== 'NOT_PROCESSED') continue;
    const message = `${nameOf(entry.line)} is NOT_PROCESSED; a fulfilment says IN_CART, NOT_FOUND or REPLACED`;
    errors.push({ pointer: `${entry.at}/status`, code: 'not_processed', message });
  }
  return errors;
}

function nothingPicked(): InputError {
  const message = 'nothing was picked; cancel the order with the reason ITEM_UNAVAILABLE instead';
  return { pointer: '/items', code: 'nothing_picked', message };
}

/** An unknown SKU alone has a code of its own; beside other mistakes it is one of them. */
function refuse(errors: InputError[]): Cart {
  const code = errors.every((error) => error.code === 'unknown_sku') ? 'item_not_found' : 'invalid_cart_update';
  return { kind: 'refused', code, errors };
}

/** Original lines in their order, each followed by its replacement; additions at the end. */
function mergeLines(originals: Line[], decided: Outcome[]): (Line | NewLine)[] {
  const lines = decided.map(({ line }) => line);
  const byId = new Map(lines.flatMap((line) => ('id' in line ? [[line.id, line]] : [])));
  const replacements = new Map(lines.flatMap((line) => (line.replacedId === null ? [] : [[line.replacedId, line]])));
  const kept = originals.flatMap((line) => [byId.get(line.id) ?? line, replacements.get(line.id) ?? []].flat());
  return [...kept, ...lines.filter((line) => line.status === 'ADDITION')];
}
