import type { InputError } from '@aisle/contract/common';
import { type Decimal, decimal, decimalNumber, integerDecimal } from '../../kernel/values/decimal.ts';
import { isFractional } from '../../kernel/values/number.ts';
import type { Entry } from './cart-entries.ts';
import { type Amount, type LineWarning, nameOf, type NewLine, type PricingType } from './line.ts';
import { amountAt, amountFor, checkPrices, maxLineQuantity } from './pricing.ts';

/** A product in the vendor's catalog. */
export type Offer = {
  sku: string;
  name: string;
  barcodes: string[];
  image: string | null;
  price: string;
  isWeighted: boolean;
};

type Replacement = Extract<Entry, { kind: 'replacement' }>;
type Addition = Extract<Entry, { kind: 'addition' }>;
type Setting = { digits: number; weightedReplacement: boolean };

const zero = 0n as Decimal;

/** A replacement costs the catalog price, capped at the discounted price of the line it replaces (as ordered). */
export function buildReplacement(entry: Replacement, offer: Offer, setting: Setting): NewLine | InputError[] {
  const { at, item, replaced } = entry;
  const errors = checkReplacement(entry, offer, setting);
  const read = readQuantity(at, item, offer);
  if (Array.isArray(read) || errors.length > 0 || !replaced) return [...errors, ...(Array.isArray(read) ? read : [])];
  const warnings: LineWarning[] = [];
  if (item.pricing?.unit_price !== undefined || item.pricing?.total_price !== undefined) {
    const message = `the price of ${nameOf(offer)} is ignored: a replacement costs the catalog price, but not more than ${nameOf(replaced)}`;
    warnings.push({ pointer: '/pricing', code: 'replacement_price_ignored', message });
  }
  const catalog = amountAt(decimal(offer.price), read.quantity, read.weight, setting.digits);
  const cap = (replaced.ordered.total - replaced.orderedDiscount) as Decimal;
  if (catalog.total <= cap) return replacementLine(offer, catalog, replaced.id, warnings);
  const message = `${nameOf(offer)} costs ${decimalNumber(catalog.total)}; capped at ${decimalNumber(cap)}, the price of ${nameOf(replaced)}`;
  warnings.push({ pointer: '/pricing', code: 'replacement_price_capped', message });
  const capped = amountFor(cap, read.quantity, read.weight, setting.digits);
  return replacementLine(offer, capped, replaced.id, warnings);
}

/** An addition is always a new line. A unit price in the request takes precedence over the catalog price. */
export function buildAddition({ at, item }: Addition, offer: Offer, digits: number): NewLine | InputError[] {
  const read = readQuantity(at, item, offer);
  const errors = checkAdditionPrice(at, item, offer, digits);
  if (Array.isArray(read) || errors.length > 0) return [...errors, ...(Array.isArray(read) ? read : [])];
  const unitPrice = item.pricing?.unit_price ?? offer.price;
  const amount = amountAt(decimal(unitPrice), read.quantity, read.weight, digits);
  return newLine(offer, 'ADDITION', amount, null);
}

function replacementLine(offer: Offer, amount: Amount, replacedId: string, warnings: LineWarning[]): NewLine {
  return { ...newLine(offer, 'IN_CART', amount, replacedId), ...(warnings.length > 0 && { warnings }) };
}

function checkAdditionPrice(at: string, item: Entry['item'], offer: Offer, digits: number): InputError[] {
  if (item.pricing?.total_price === undefined) return checkPrices(at, item.pricing ?? {}, nameOf(offer), digits);
  const message = `must be absent for the addition ${nameOf(offer)}; send unit_price, or no price to use the catalog price`;
  return [{ pointer: `${at}/pricing/total_price`, code: 'price_not_allowed', message }];
}

function checkReplacement({ at, item, replaced }: Replacement, offer: Offer, setting: Setting): InputError[] {
  if (item.status !== 'IN_CART') {
    const message = `must be IN_CART for the replacement ${nameOf(offer)}`;
    return [{ pointer: `${at}/status`, code: 'not_allowed', message }];
  }
  // If a product could replace itself, a request could exceed the order's quantity limits for that product.
  if (replaced?.sku === offer.sku) {
    const message = `${nameOf(offer)} cannot replace itself; send it once, as IN_CART with the picked quantity or weight`;
    return [{ pointer: `${at}/sku`, code: 'replacement_same_sku', message }];
  }
  if (replaced?.pricingType === 'KG' && offer.isWeighted && !setting.weightedReplacement) {
    const message = `${nameOf(offer)} is sold by weight and cannot replace ${nameOf(replaced)}: replacements sold by weight are disabled for this store; use an item sold by unit`;
    return [{ pointer: at, code: 'weighted_replacement_off', message }];
  }
  return [];
}

/** Reads the quantity of a new product: a number of units, or 1 with a weight. */
function readQuantity(
  at: string,
  item: Entry['item'],
  offer: Offer,
): { quantity: number; weight: Decimal | null } | InputError[] {
  const { pricing_type: type, quantity, weight } = item.pricing ?? {};
  const expected = pricingTypeOf(offer);
  if (type !== expected) {
    const message = `must be ${expected} for ${nameOf(offer)}`;
    return [{ pointer: `${at}/pricing/pricing_type`, code: 'wrong_pricing_type', message }];
  }
  if (expected === 'KG') return readKilograms(at, offer, quantity, weight);
  if (quantity === undefined) {
    const message = `is required for ${nameOf(offer)}: the number of units`;
    return [{ pointer: `${at}/pricing/quantity`, code: 'missing', message }];
  }
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= maxLineQuantity) return { quantity, weight: null };
  const message = `must be a whole number between 1 and ${maxLineQuantity} for ${nameOf(offer)}`;
  const code = isFractional(quantity) ? 'not_whole' : 'out_of_range';
  return [{ pointer: `${at}/pricing/quantity`, code, message }];
}

function readKilograms(at: string, offer: Offer, quantity: number | undefined, weight: number | undefined) {
  const errors: InputError[] = [];
  if (quantity !== undefined && quantity !== 1) {
    const message = `must be 1 or absent for ${nameOf(offer)}, which is sold by weight`;
    const code = isFractional(quantity) ? 'not_whole' : 'not_allowed';
    errors.push({ pointer: `${at}/pricing/quantity`, code, message });
  }
  const kilograms = weight === undefined ? zero : decimal(weight);
  if (kilograms <= 0n || kilograms > integerDecimal(maxLineQuantity)) {
    const range = `between 0.001 and ${maxLineQuantity}`;
    const message =
      weight === undefined
        ? `is required for ${nameOf(offer)}: the weight in kg, ${range}`
        : `must be ${range} (kg) for ${nameOf(offer)}`;
    errors.push({ pointer: `${at}/pricing/weight`, code: weight === undefined ? 'missing' : 'out_of_range', message });
  }
  return errors.length > 0 ? errors : { quantity: 1, weight: kilograms };
}

export function pricingTypeOf(offer: { isWeighted: boolean }): PricingType {
  return offer.isWeighted ? 'KG' : 'UNIT';
}

function newLine(offer: Offer, status: 'IN_CART' | 'ADDITION', amount: Amount, replacedId: string | null): NewLine {
  const bound = amount.weight ?? integerDecimal(amount.quantity);
  return {
    sku: offer.sku,
    name: offer.name,
    barcodes: offer.barcodes,
    image: offer.image,
    instructions: null,
    status,
    pricingType: pricingTypeOf(offer),
    min: bound,
    max: bound,
    ordered: amount,
    orderedDiscount: zero,
    picked: amount,
    discount: zero,
    terms: null,
    replacedId,
    wish: null,
    taken: null,
  };
}
