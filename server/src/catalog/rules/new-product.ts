import { maxMoney } from '@aisle/contract/sizes';
import { cutDecimal } from '../../kernel/values/decimal.ts';
import { isStorable } from '../../kernel/values/text.ts';
import {
  booleanFault,
  barcodeFault,
  type Fault,
  isBarcode,
  isGiven,
  isMoney,
  isWholeOrNull,
  checkSku,
  priceFault,
  wholeFault,
} from './update-item.ts';

/** A product to create, validated: what the chain will own, and what each vendor will. */
export type NewProduct = {
  sku: string;
  titles: Record<string, string>;
  descriptions: Record<string, string>;
  barcodes: string[];
  categories: string[];
  images: string[];
  isSoldByWeight: boolean;
  weightSpecifications: Record<string, number> | null;
  price: string;
  quantity: number | null;
  active: boolean;
  maximum: number | null;
};

/** A title given as a plain text is stored under this key until the vendor's locale is known. */
export const vendorLocaleKey = '';

export function validateNewProduct(raw: Record<string, unknown>): { product: NewProduct } | { faults: Fault[] } {
  const faults: Fault[] = [];
  const maximum =
    raw['maximum_sales_quantity'] === undefined ? raw['max_sales_quantity'] : raw['maximum_sales_quantity'];
  const product: NewProduct = {
    sku: checkSku(raw['sku'], faults),
    titles: checkTexts('title', raw['title'], faults),
    descriptions: isGiven(raw['description']) ? checkTexts('description', raw['description'], faults) : {},
    barcodes: checkBarcodes(raw, faults),
    categories: checkList('categories', raw['categories'], isCategory, 'a list of at most 50 category ids', faults),
    images: checkList('images', raw['images'], isImage, 'a list of at most 50 https addresses', faults),
    isSoldByWeight: checkBoolean('is_sold_by_weight', raw['is_sold_by_weight'], false, faults),
    weightSpecifications: checkWeights(raw['weight_specifications'], faults),
    price: checkPrice(raw['price'], faults),
    quantity: checkWhole('quantity', raw['quantity'], faults),
    active: checkBoolean('active', raw['active'], true, faults),
    maximum: checkWhole('maximum_sales_quantity', maximum, faults),
  };
  return faults.length > 0 ? { faults } : { product };
}

const maxText = 10_000;

function checkTexts(field: string, value: unknown, faults: Fault[]): Record<string, string> {
  const texts = typeof value === 'string' ? { [vendorLocaleKey]: value } : value;
  const isObject = typeof texts === 'object' && texts !== null && !Array.isArray(texts);
  const given = isObject ? Object.entries(texts).filter(([, text]) => text !== null) : [];
  const isRight =
    isObject &&
    (field !== 'title' || given.length > 0) &&
    given.every(
      ([locale, text]) =>
        (typeof value === 'string' || /^[a-z]{2,3}_[A-Z]{2}$/.test(locale)) &&
        typeof text === 'string' &&
        (field !== 'title' || text.trim() !== '') &&
        text.length <= maxText &&
        isStorable(text),
    );
  if (isRight) return Object.fromEntries(given);
  faults.push({
    field,
    code: isGiven(value) ? 'bad_format' : 'missing',
    message: `${field} must be a text per locale such as {"en_SG": "…"}, or a text, of at most ${maxText} characters`,
    rejected: value,
  });
  return {};
}

function checkBarcodes(raw: Record<string, unknown>, faults: Fault[]): string[] {
  const given = isGiven(raw['barcodes']) ? raw['barcodes'] : isGiven(raw['barcode']) ? [raw['barcode']] : [];
  if (Array.isArray(given) && given.length <= 50 && given.every(isBarcode)) return [...new Set(given as string[])];
  faults.push(barcodeFault(given));
  return [];
}

function checkList(
  field: string,
  value: unknown,
  isRight: (entry: unknown) => boolean,
  allowed: string,
  faults: Fault[],
): string[] {
  if (!isGiven(value)) return [];
  if (Array.isArray(value) && value.length <= 50 && value.every(isRight)) return [...new Set(value as string[])];
  faults.push({ field, code: 'bad_format', message: `${field} must be ${allowed}`, rejected: value });
  return [];
}

function isCategory(entry: unknown): boolean {
  return typeof entry === 'string' && entry !== '' && entry.length <= 64 && isStorable(entry);
}

function isImage(entry: unknown): boolean {
  return (
    typeof entry === 'string' &&
    entry.length <= 2000 &&
    entry.startsWith('https://') &&
    URL.canParse(entry) &&
    isStorable(entry)
  );
}

function checkPrice(value: unknown, faults: Fault[]): string {
  if (isMoney(value)) return cutDecimal(value as number);
  faults.push(isGiven(value) ? priceFault(value) : { ...priceFault(value), code: 'missing' });
  return '0';
}

function checkWhole(field: string, value: unknown, faults: Fault[]): number | null {
  if (value === undefined || isWholeOrNull(value)) return (value ?? null) as number | null;
  faults.push(wholeFault(field, value));
  return null;
}

function checkBoolean(field: string, value: unknown, fallback: boolean, faults: Fault[]): boolean {
  if (!isGiven(value)) return fallback;
  if (typeof value !== 'boolean') faults.push(booleanFault(field, value));
  return value as boolean;
}

const weightFields = ['base_weight', 'average_weight_per_piece', 'minimum_starting_weight'] as const;

function checkWeights(value: unknown, faults: Fault[]): Record<string, number> | null {
  if (!isGiven(value)) return null;
  const given = value as Record<string, unknown>;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  const present = isObject ? weightFields.filter((field) => isGiven(given[field])) : [];
  if (isObject && present.every((field) => isMoney(given[field]))) {
    return Object.fromEntries(present.map((field) => [field, Number(cutDecimal(given[field] as number))]));
  }
  const message = `weight_specifications must hold ${weightFields.join(', ')}, each a number from 0 to ${maxMoney} (KG)`;
  faults.push({ field: 'weight_specifications', code: 'bad_format', message, rejected: value });
  return null;
}
