import type { InputError } from '@aisle/contract/common';
import { discountSubtypes } from '@aisle/contract/promotions';
import { maxInteger, maxMoney, skuLength } from '@aisle/contract/sizes';
import { cutDecimal } from '../../kernel/values/decimal.ts';
import { isLongerThan, isStorable } from '../../kernel/values/text.ts';
import type { DiscountSubtype } from './terms.ts';

/** What one entry says about its SKUs; null terms take them out. */
export type EntryTerms = { subtype: DiscountSubtype; value: string; maxQuantity: number | null } | null;
export type Entry = { sku: string; terms: EntryTerms };

/** Every SKU of the request once, with what is to become of it; or what is wrong, place by place. */
export function validateEntries(discount: unknown, isActive: boolean): { entries: Entry[]; errors: InputError[] } {
  const found: Findings = { entries: [], errors: [], seen: new Set() };
  const list = discount ?? [];
  if (!Array.isArray(list)) add(found, '/discount', 'wrong_type', 'must be a list');
  else if (isActive && list.length === 0) add(found, '/discount', 'missing', 'is required for an active promotion');
  else for (const [index, entry] of list.entries()) checkEntry(found, `/discount/${index}`, entry);
  return found;
}

type Findings = { entries: Entry[]; errors: InputError[]; seen: Set<string> };
type RawEntry = Record<string, unknown>;

const maxErrors = 50;

function add(found: Findings, pointer: string, code: string, message: string): void {
  if (found.errors.length < maxErrors) found.errors.push({ pointer, code, message });
}

function checkEntry(found: Findings, at: string, raw: unknown): void {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    add(found, at, 'wrong_type', 'must be an object');
    return;
  }
  const entry = raw as RawEntry;
  const active = entry['active'] ?? true;
  if (typeof active !== 'boolean') add(found, `${at}/active`, 'wrong_type', 'must be true or false');
  const terms = active === false ? null : checkTerms(found, at, entry);
  const skus = entry['sku'] ?? undefined;
  if (skus === undefined) add(found, `${at}/sku`, 'missing', 'is required');
  else if (!Array.isArray(skus)) add(found, `${at}/sku`, 'wrong_type', 'must be a list');
  else if (skus.length === 0) add(found, `${at}/sku`, 'too_short', 'must have at least 1 entry');
  else addSkus(found, `${at}/sku`, skus, terms);
}

function addSkus(found: Findings, at: string, skus: unknown[], terms: EntryTerms): void {
  for (let index = 0; index < skus.length; index++) {
    const sku = skus[index];
    const fault = typeof sku === 'string' ? skuFault(sku, found.seen) : wrongSku;
    if (fault) {
      add(found, `${at}/${index}`, ...fault);
      continue;
    }
    found.seen.add(sku as string);
    found.entries.push({ sku: sku as string, terms });
  }
}

type Fault = [code: string, message: string];
const wrongSku: Fault = ['wrong_type', 'must be a text'];

function skuFault(sku: string, seen: Set<string>): Fault | undefined {
  if (sku === '' || isLongerThan(sku, skuLength))
    return ['bad_length', `must be a text of 1 to ${skuLength} characters`];
  if (!isStorable(sku)) return ['bad_character', 'must not contain U+0000 or half of a surrogate pair'];
  return seen.has(sku) ? ['repeated', 'is given twice'] : undefined;
}

function checkTerms(found: Findings, at: string, entry: RawEntry): EntryTerms {
  const subtype = entry['discount_subtype'] ?? undefined;
  const isKnown = discountSubtypes.includes(subtype as DiscountSubtype);
  if (subtype === undefined) add(found, `${at}/discount_subtype`, 'missing', 'is required');
  else if (!isKnown)
    add(found, `${at}/discount_subtype`, 'not_allowed', `must be one of ${discountSubtypes.join(', ')}`);
  const value = checkValue(found, `${at}/discount_value`, entry['discount_value'] ?? undefined, subtype);
  const maxQuantity = entry['max_quantity'] ?? null;
  if (maxQuantity !== null && !isCount(maxQuantity)) {
    add(found, `${at}/max_quantity`, 'out_of_range', `must be a whole number from 1 to ${maxInteger}`);
  }
  return { subtype: subtype as DiscountSubtype, value, maxQuantity: maxQuantity as number | null };
}

/** Three decimals are kept, and what is kept must be in range. */
function checkValue(found: Findings, at: string, value: unknown, subtype: unknown): string {
  if (value === undefined) add(found, at, 'missing', 'is required');
  else if (typeof value !== 'number' || !Number.isFinite(value)) add(found, at, 'wrong_type', 'must be a number');
  else {
    const text = value >= 0 && value < 10_000_000 ? cutDecimal(value) : '';
    const min = subtype === 'FINAL_PRICE' ? 0 : 0.001;
    const max = subtype === 'PERCENTAGE' ? 100 : maxMoney;
    if (text !== '' && Number(text) >= min && Number(text) <= max) return text;
    add(found, at, 'out_of_range', `must be a number from ${min} to ${max}`);
  }
  return '0';
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxInteger;
}
