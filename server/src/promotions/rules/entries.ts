import type { InputError } from '@aisle/contract/common';
import { type DiscountSubtype, discountSubtypes } from '@aisle/contract/promotion-types';
import { maxInteger, maxMoney, skuLength } from '@aisle/contract/sizes';
import type { SubCode } from '@aisle/contract/sub-codes';
import { describeValue } from '@aisle/contract/value-faults';
import { truncateDecimal } from '../../kernel/values/decimal.ts';
import { isFractional } from '../../kernel/values/number.ts';
import { hasOuterSpace, isLongerThan, isStorable } from '../../kernel/values/text.ts';

/** The discount in an entry; null removes its SKUs from the promotion. */
export type EntryTerms = { subtype: DiscountSubtype; value: string; maxQuantity: number | null } | null;
export type Entry = { sku: string; terms: EntryTerms };

/** Returns every SKU in the request with its terms, or the errors with their pointers. */
export function validateEntries(discount: unknown, isActive: boolean): { entries: Entry[]; errors: InputError[] } {
  const list = discount ?? [];
  if (!Array.isArray(list)) return { entries: [], errors: [inputError('/discount', 'wrong_type', 'must be an array')] };
  if (isActive && list.length === 0) {
    return { entries: [], errors: [inputError('/discount', 'missing', describeValue('active_required'))] };
  }
  const entries: Entry[] = [];
  const errors: InputError[] = [];
  const seen = new Set<string>();
  for (const [place, raw] of list.entries()) {
    if (errors.length >= maxErrors) break;
    const { skus, terms, errors: own } = checkEntry(`/discount/${place}`, raw);
    errors.push(...own);
    for (const [index, sku] of skus.entries()) {
      const fault = typeof sku === 'string' ? skuFault(sku, seen) : wrongSku;
      if (!fault) {
        seen.add(sku as string);
        entries.push({ sku: sku as string, terms });
      } else if (errors.length < maxErrors) errors.push(inputError(`/discount/${place}/sku/${index}`, ...fault));
    }
  }
  return { entries, errors: errors.slice(0, maxErrors) };
}

type RawEntry = Record<string, unknown>;

const maxErrors = 50;

function inputError(pointer: string, code: SubCode<'error'>, message: string): InputError {
  return { pointer, code, message };
}

/** The caller checks the SKUs, because they must be unique across all entries. */
function checkEntry(at: string, raw: unknown): { skus: unknown[]; terms: EntryTerms; errors: InputError[] } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { skus: [], terms: null, errors: [inputError(at, 'wrong_type', 'must be an object')] };
  }
  const entry = raw as RawEntry;
  const active = entry['active'] ?? true;
  const activeErrors =
    typeof active === 'boolean' ? [] : [inputError(`${at}/active`, 'wrong_type', describeValue('true_or_false'))];
  const { terms, errors } = active === false ? { terms: null, errors: [] } : checkTerms(at, entry);
  const skus = entry['sku'] ?? undefined;
  const skusFault = skuListFault(skus);
  const skuErrors = skusFault ? [inputError(`${at}/sku`, ...skusFault)] : [];
  return { skus: skusFault ? [] : (skus as unknown[]), terms, errors: [...activeErrors, ...errors, ...skuErrors] };
}

type Fault = [code: SubCode<'error'>, message: string];
const wrongSku: Fault = ['wrong_type', 'must be a string'];

function skuListFault(skus: unknown): Fault | undefined {
  if (skus === undefined) return ['missing', describeValue('required')];
  if (!Array.isArray(skus)) return ['wrong_type', 'must be an array'];
  return skus.length === 0 ? ['too_short', describeValue('one_item')] : undefined;
}

function skuFault(sku: string, seen: Set<string>): Fault | undefined {
  if (sku === '' || isLongerThan(sku, skuLength))
    return ['bad_length', describeValue('text_length', { min: 1, max: skuLength })];
  if (!isStorable(sku)) return ['bad_character', describeValue('bad_character')];
  if (hasOuterSpace(sku)) return ['bad_format', describeValue('outer_space')];
  return seen.has(sku) ? ['repeated', describeValue('repeated')] : undefined;
}

function checkTerms(at: string, entry: RawEntry): { terms: EntryTerms; errors: InputError[] } {
  const subtype = entry['discount_subtype'] ?? undefined;
  const isKnown = discountSubtypes.includes(subtype as DiscountSubtype);
  const value = entry['discount_value'] ?? undefined;
  const maxQuantity = entry['max_quantity'] ?? null;
  const faults: [field: string, fault: Fault | undefined][] = [
    ['discount_subtype', isKnown ? undefined : subtypeFault(subtype)],
    ['discount_value', valueFault(value, subtype)],
    ['max_quantity', maxQuantity === null || isCount(maxQuantity) ? undefined : countFault(maxQuantity)],
  ];
  const errors = faults.flatMap(([field, fault]) => (fault ? [inputError(`${at}/${field}`, ...fault)] : []));
  if (errors.length > 0) return { terms: null, errors };
  const terms = { subtype: subtype as DiscountSubtype, value: truncateDecimal(value as number) };
  return { terms: { ...terms, maxQuantity: maxQuantity as number | null }, errors };
}

function subtypeFault(subtype: unknown): Fault {
  if (subtype === undefined) return ['missing', describeValue('required')];
  return ['not_allowed', describeValue('one_of', { values: discountSubtypes.join(', ') })];
}

function countFault(value: unknown): Fault {
  return [
    isFractional(value) ? 'not_whole' : 'out_of_range',
    describeValue('whole_between', { min: 1, max: maxInteger }),
  ];
}

/** The value is truncated to three decimal places before its range is checked. */
function valueFault(value: unknown, subtype: unknown): Fault | undefined {
  if (value === undefined) return ['missing', describeValue('required')];
  if (typeof value !== 'number' || !Number.isFinite(value)) return ['wrong_type', describeValue('number')];
  if (subtype === 'FINAL_PRICE' && value > 0 && value < 0.001) {
    return ['out_of_range', describeValue('small_price', { min: 0.001 })];
  }
  const truncated = value >= 0 && value < 10_000_000 ? Number(truncateDecimal(value)) : Number.NaN;
  const min = subtype === 'FINAL_PRICE' ? 0 : 0.001;
  const max = subtype === 'PERCENTAGE' ? 100 : maxMoney;
  return truncated >= min && truncated <= max
    ? undefined
    : ['out_of_range', describeValue('number_range', { min, max })];
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxInteger;
}
