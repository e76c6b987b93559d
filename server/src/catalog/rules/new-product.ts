import { maxLocales, maxMoney, maxProductBytes } from '@aisle/contract/sizes';
import { describeValue, type ValueFault } from '@aisle/contract/value-faults';
import { truncateDecimal } from '../../kernel/values/decimal.ts';
import { isStorable, jsonBytes } from '../../kernel/values/text.ts';
import {
  booleanFault,
  barcodeFault,
  type Fault,
  isBarcode,
  isGiven,
  isMoney,
  isPrice,
  isIntegerOrNull,
  priceFault,
  skuFault,
  integerFault,
} from './update-item.ts';

/** A validated product to create: the data for the chain's product and for each vendor's offer. */
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

/** A title that is a plain string is stored under this key until the vendor's locale is known. */
export const vendorLocaleKey = '';

export function validateNewProduct(raw: Record<string, unknown>): { product: NewProduct } | { faults: Fault[] } {
  const maximum =
    raw['maximum_sales_quantity'] === undefined ? raw['max_sales_quantity'] : raw['maximum_sales_quantity'];
  const checked: { [Field in keyof NewProduct]: Checked<NewProduct[Field]> } = {
    sku: checkSku(raw['sku']),
    titles: checkTexts('title', raw['title']),
    descriptions: isGiven(raw['description']) ? checkTexts('description', raw['description']) : { value: {} },
    barcodes: checkBarcodes(raw),
    categories: checkList('categories', raw['categories'], isCategory, 'category_ids'),
    images: checkList('images', raw['images'], isImage, 'image_urls'),
    isSoldByWeight: checkBoolean('is_sold_by_weight', raw['is_sold_by_weight'], false),
    weightSpecifications: checkWeights(raw['weight_specifications']),
    price: checkPrice(raw['price']),
    quantity: checkInteger('quantity', raw['quantity']),
    active: checkBoolean('active', raw['active'], true),
    maximum: checkInteger('maximum_sales_quantity', maximum),
  };
  const fields = Object.entries(checked);
  const faults = fields.flatMap(([, field]) => ('fault' in field ? [field.fault] : []));
  if (faults.length > 0) return { faults };
  const values = fields.map(([name, field]) => [name, 'value' in field ? field.value : undefined]);
  const product = Object.fromEntries(values) as NewProduct;
  return textBytes(product) > maxProductBytes ? { faults: [tooLarge()] } : { product };
}

function textBytes({ titles, descriptions, images }: NewProduct): number {
  const texts = [...Object.values(titles), ...Object.values(descriptions), ...images];
  return texts.reduce((bytes, text) => bytes + jsonBytes(text), 0);
}

function tooLarge(): Fault {
  const message = describeValue('product_size', { max: maxProductBytes / 1024 });
  return { field: 'description', code: 'too_long', message, rejected: undefined };
}

type Checked<Value> = { value: Value } | { fault: Fault };

function checkSku(sku: unknown): Checked<string> {
  const fault = skuFault(sku);
  return fault ? { fault } : { value: sku as string };
}

const maxText = 10_000;

function checkTexts(field: string, value: unknown): Checked<Record<string, string>> {
  const texts = typeof value === 'string' ? { [vendorLocaleKey]: value } : value;
  const isObject = typeof texts === 'object' && texts !== null && !Array.isArray(texts);
  const given = isObject ? Object.entries(texts).filter(([, text]) => text !== null) : [];
  if (given.length > maxLocales) {
    const message = `${field} ${describeValue('max_locales', { max: maxLocales })}`;
    return { fault: { field, code: 'too_long', message, rejected: undefined } };
  }
  const isValid =
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
  if (isValid) return { value: Object.fromEntries(given) };
  const message = `${field} ${describeValue('localized_text', { max: maxText, example: '{"en_SG": "…"}' })}`;
  return { fault: { field, code: isGiven(value) ? 'bad_format' : 'missing', message, rejected: value } };
}

function checkBarcodes(raw: Record<string, unknown>): Checked<string[]> {
  const single = isGiven(raw['barcode']) ? [raw['barcode']] : [];
  const list = raw['barcodes'] ?? [];
  if (!Array.isArray(list)) return { fault: barcodeFault(list) };
  const barcodes = [...single, ...list];
  if (list.length <= 50 && barcodes.every(isBarcode)) return { value: [...new Set(barcodes as string[])] };
  return { fault: barcodeFault(barcodes) };
}

function checkList(
  field: string,
  value: unknown,
  isValid: (entry: unknown) => boolean,
  reason: ValueFault,
): Checked<string[]> {
  if (!isGiven(value)) return { value: [] };
  if (Array.isArray(value) && value.length <= 50 && value.every(isValid)) {
    return { value: [...new Set(value as string[])] };
  }
  return { fault: { field, code: 'bad_format', message: `${field} ${describeValue(reason)}`, rejected: value } };
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

function checkPrice(value: unknown): Checked<string> {
  if (isPrice(value)) return { value: truncateDecimal(value as number) };
  return { fault: isGiven(value) ? priceFault(value) : { ...priceFault(value), code: 'missing' } };
}

function checkInteger(field: string, value: unknown): Checked<number | null> {
  if (value === undefined || isIntegerOrNull(value)) return { value: (value ?? null) as number | null };
  return { fault: integerFault(field, value) };
}

function checkBoolean(field: string, value: unknown, fallback: boolean): Checked<boolean> {
  if (!isGiven(value)) return { value: fallback };
  return typeof value === 'boolean' ? { value } : { fault: booleanFault(field, value) };
}

const weightFields = ['base_weight', 'average_weight_per_piece', 'minimum_starting_weight'] as const;

function checkWeights(value: unknown): Checked<Record<string, number> | null> {
  if (!isGiven(value)) return { value: null };
  const given = value as Record<string, unknown>;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  const present = isObject ? weightFields.filter((field) => isGiven(given[field])) : [];
  if (isObject && present.every((field) => isMoney(given[field]))) {
    const weights = present.map((field) => [field, Number(truncateDecimal(given[field] as number))]);
    return { value: Object.fromEntries(weights) };
  }
  const message = `weight_specifications ${describeValue('weights', { fields: weightFields.join(', '), max: maxMoney })}`;
  return { fault: { field: 'weight_specifications', code: 'bad_format', message, rejected: value } };
}
