import { maxInteger, maxMoney, skuLength } from '@aisle/contract/sizes';
import type { SubCode } from '@aisle/contract/sub-codes';
import { describeValue } from '@aisle/contract/value-faults';
import { truncateDecimal } from '../../kernel/values/decimal.ts';
import { isFractional } from '../../kernel/values/number.ts';
import { hasOuterSpace, isLongerThan, isStorable } from '../../kernel/values/text.ts';

/** A validated item in an update. Absent fields are not changed; null makes stock unknown or removes the maximum. */
export type UpdateItem = {
  sku: string;
  barcode?: string;
  price?: string;
  quantity?: number | null;
  active?: boolean;
  maximum?: number | null;
};

/** Why an item is rejected: the field, a stable code, a message, and the rejected value. */
export type Fault = { field: string; code: FaultCode; message: string; rejected: unknown };
/** Reported in the result file for an item in a job, and in `errors` for a single update. */
type FaultCode = SubCode<'item'> & SubCode<'error'>;

/** `isLimited`: the credential is restricted to certain vendors and therefore cannot change the chain's product. */
export function validateUpdate(
  raw: Record<string, unknown>,
  isLimited: boolean,
): { item: UpdateItem } | { faults: Fault[] } {
  const badSku = skuFault(raw['sku']);
  const faults = badSku ? [badSku] : [];
  const item: UpdateItem = { sku: raw['sku'] as string };
  const { barcode, price, quantity, active } = raw;
  const maximum =
    raw['maximum_sales_quantity'] === undefined ? raw['max_sales_quantity'] : raw['maximum_sales_quantity'];
  if (isGiven(barcode)) {
    if (isLimited) faults.push(limitedFault('barcode', barcode));
    else if (isBarcode(barcode)) item.barcode = barcode as string;
    else faults.push(barcodeFault(barcode));
  }
  if (isGiven(price)) {
    if (isPrice(price)) item.price = truncateDecimal(price as number);
    else faults.push(priceFault(price));
  }
  if (quantity !== undefined) {
    if (isIntegerOrNull(quantity)) item.quantity = quantity as number | null;
    else faults.push(integerFault('quantity', quantity));
  }
  if (isGiven(active)) {
    if (typeof active === 'boolean') item.active = active;
    else faults.push(booleanFault('active', active));
  }
  if (maximum !== undefined) {
    if (isIntegerOrNull(maximum)) item.maximum = maximum as number | null;
    else faults.push(integerFault('maximum_sales_quantity', maximum));
  }
  if (faults.length === 0 && isEmpty(item)) faults.push(nothingFault(raw));
  return faults.length > 0 ? { faults } : { item };
}

function isEmpty({ barcode, price, quantity, active, maximum }: UpdateItem): boolean {
  return (barcode ?? price ?? active) === undefined && quantity === undefined && maximum === undefined;
}

export function skuFault(sku: unknown): Fault | undefined {
  const code = skuFaultCode(sku);
  return code === undefined ? undefined : { field: 'sku', code, message: skuMessages[code], rejected: sku };
}

const skuText = `sku ${describeValue('text_length', { min: 1, max: skuLength })}`;
const skuMessages = {
  missing: skuText,
  wrong_type: skuText,
  bad_length: skuText,
  bad_character: `sku ${describeValue('bad_character')}`,
  bad_format: `sku ${describeValue('outer_space')}`,
};

export function isBarcode(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,14}$/.test(value);
}

export function isMoney(value: unknown): boolean {
  // Further digits are truncated, so 9,999,999.9999 is valid.
  return typeof value === 'number' && value >= 0 && value < 10_000_000;
}

/** A price must not become 0 when it is truncated, because that would make the product free. */
export function isPrice(value: unknown): boolean {
  return isMoney(value) && (value === 0 || (value as number) >= minPrice);
}

const minPrice = 0.001;

export function isIntegerOrNull(value: unknown): boolean {
  return value === null || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxInteger);
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const barcodeText = describeValue('digits', { min: 1, max: 14 });
const integerText = describeValue('whole_range', { min: 0, max: maxInteger });

export function barcodeFault(rejected: unknown): Fault {
  return { field: 'barcode', code: 'bad_format', message: `barcode ${barcodeText}`, rejected };
}

function limitedFault(field: string, rejected: unknown): Fault {
  const message = `${field} belongs to the product in all stores, so changing it requires a credential that is not limited to some vendors`;
  return { field, code: 'requires_all_vendors', message, rejected };
}

export function priceFault(rejected: unknown): Fault {
  const code = typeof rejected === 'number' ? 'out_of_range' : 'wrong_type';
  const message = isMoney(rejected)
    ? describeValue('small_price', { min: minPrice })
    : describeValue('number_range', { min: 0, max: maxMoney });
  return { field: 'price', code, message: `price ${message}`, rejected };
}

export function integerFault(field: string, rejected: unknown): Fault {
  const code = isFractional(rejected) ? 'not_whole' : typeof rejected === 'number' ? 'out_of_range' : 'wrong_type';
  return { field, code, message: `${field} ${integerText}`, rejected };
}

export function booleanFault(field: string, rejected: unknown): Fault {
  return { field, code: 'wrong_type', message: `${field} ${describeValue('true_or_false')}`, rejected };
}

function skuFaultCode(sku: unknown): keyof typeof skuMessages | undefined {
  if (typeof sku !== 'string') return isGiven(sku) ? 'wrong_type' : 'missing';
  if (sku === '' || isLongerThan(sku, skuLength)) return 'bad_length';
  if (!isStorable(sku)) return 'bad_character';
  return hasOuterSpace(sku) ? 'bad_format' : undefined;
}

function nothingFault(raw: Record<string, unknown>): Fault {
  const message = 'at least one of barcode, quantity, price, active, maximum_sales_quantity is required';
  return { field: '', code: 'nothing_to_update', message, rejected: raw['sku'] };
}
