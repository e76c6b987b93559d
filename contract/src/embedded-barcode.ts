/**
 * Barcodes that a store's scale prints: an EAN-13 that contains the item code and the weight or the price of the pack.
 * The digits are: prefix (2), item code (`code_digits`), digits that are ignored (for example a price check digit), value
 * (`value_digits`), check digit (1). The layout is configured for each prefix, because GS1 leaves it to each country.
 */
export type EmbeddedBarcodeRule = {
  prefix: string;
  kind: 'WEIGHT' | 'PRICE';
  code_digits: number;
  value_digits: number;
  /** The number of digits of the value that are decimal places; 3 for a weight in grams. */
  decimals: number;
};

export type EmbeddedBarcode = {
  kind: 'WEIGHT' | 'PRICE';
  prefix: string;
  item_code: string;
  /** The weight in KG, or the price of the whole pack. */
  value: number;
};

/** The digits of an EAN-13 that are neither prefix nor check digit. */
export const maxEmbeddedDigits = 10;

export const embeddedPrefixes = ['02', '20', '21', '22', '23', '24', '25', '26', '27', '28', '29'] as const;

/** Undefined if the code has a wrong check digit, or if there is no rule for its prefix. */
export function parseEmbeddedBarcode(code: string, rules: readonly EmbeddedBarcodeRule[]): EmbeddedBarcode | undefined {
  const digits = toEan13(code);
  const rule = rules.find(({ prefix }) => digits?.startsWith(prefix));
  if (!digits || !rule || !hasValidCheckDigit(digits)) return undefined;
  const { kind, prefix, code_digits, value_digits, decimals } = rule;
  const value = Number(digits.slice(12 - value_digits, 12)) / 10 ** decimals;
  return { kind, prefix, item_code: digits.slice(2, 2 + code_digits), value };
}

/**
 * Whether the product has this item code: as its SKU, with or without leading zeros, as one of its barcodes, or as the
 * digits after the prefix in one of its barcodes, such as the code of a pack with the value 0.
 */
export function hasItemCode(
  { prefix, item_code: itemCode }: Pick<EmbeddedBarcode, 'prefix' | 'item_code'>,
  product: { sku: string; barcodes: readonly string[] },
): boolean {
  if (/^\d+$/.test(product.sku) && withoutZeros(product.sku) === withoutZeros(itemCode)) return true;
  const start = `${prefix}${itemCode}`;
  // Without its leading zero, a start is also that of an EAN-13 with another prefix.
  const isUpcA = (code: string) => start.startsWith('0') && code.length < 13 && code.startsWith(start.slice(1));
  const begins = (code: string) => code.startsWith(start) || isUpcA(code);
  return product.barcodes.some((code) => code === itemCode || begins(toEan13(code) ?? code));
}

/** The digits as they are at the beginning of an EAN-13, and of its other forms. */
export function startForms(digits: string): string[] {
  return digits.startsWith('0') ? [digits, `0${digits}`, digits.slice(1)] : [digits, `0${digits}`];
}

/** The same barcode as EAN-8, UPC-A, EAN-13 and GTIN-14, which differ only in leading zeros; the given form is first. */
export function barcodeForms(code: string): string[] {
  if (!/^(\d{8}|\d{12,14})$/.test(code)) return [code];
  const digits = code.padStart(14, '0');
  const forms = [8, 12, 13, 14].map((length) => digits.slice(-length));
  return [code, ...forms.filter((form) => form !== code && form.padStart(14, '0') === digits)];
}

export function isSameBarcode(one: string, other: string): boolean {
  return barcodeForms(one).includes(other);
}

/** The check digit of an EAN-13 makes the weighted sum of all digits a multiple of 10. */
export function hasValidCheckDigit(ean13: string): boolean {
  const sum = [...ean13].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return /^\d{13}$/.test(ean13) && sum % 10 === 0;
}

export function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Some scanners send an EAN-13 that begins with 0 as a UPC-A, which has 12 digits. */
function toEan13(code: string): string | undefined {
  return code.length < 12 ? undefined : barcodeForms(code).find((form) => form.length === 13);
}
