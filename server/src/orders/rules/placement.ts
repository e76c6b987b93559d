import type { InputError } from '@aisle/contract/common';
import type { NewOrder } from '@aisle/contract/platform-orders';
import type { Static } from 'typebox';
import { addDecimals, type Decimal, decimal, multiplyDecimals, integerDecimal } from '../../kernel/values/decimal.ts';
import type { PromotionTerms } from '../../promotions/index.ts';
import { type Amount, nameOf, type NewLine } from './line.ts';
import { type Offer, pricingTypeOf } from './new-lines.ts';
import { amountAt } from './pricing.ts';

export type NewItem = Static<typeof NewOrder>['items'][number];
/** An offer, whether it can be sold, and its maximum quantity per order. */
export type Sellable = Offer & { active: boolean; isAvailable: boolean; maximum: number | null };
export type Picking = { digits: number; unitOverpick: number; weightTolerance: string };

/** Returns the errors in each of a new order's items. With `all`, also checks that each item can be sold now. */
export function checkItems(
  items: readonly NewItem[],
  offers: Map<string, Sellable>,
  rules: 'all' | 'existence',
): InputError[][] {
  const seen = new Map<string, number>();
  return items.map((item, index) => {
    const at = `/items/${index}`;
    const first = seen.get(item.sku);
    seen.set(item.sku, first ?? index);
    if (first !== undefined) {
      const message = `${item.sku} is already in the order at /items/${first}; send each SKU once`;
      return [{ pointer: `${at}/sku`, code: 'named_twice', message }];
    }
    const offer = offers.get(item.sku);
    if (!offer) {
      const message = `the store has no product with SKU ${item.sku}; use a SKU from its catalog`;
      return [{ pointer: `${at}/sku`, code: 'unknown_sku', message }];
    }
    return [...checkMeasure(at, item, offer), ...(rules === 'all' ? checkSale(at, item, offer) : [])];
  });
}

function checkMeasure(at: string, item: NewItem, offer: Offer): InputError[] {
  const [expected, other] = offer.isWeighted ? (['weight', 'quantity'] as const) : (['quantity', 'weight'] as const);
  const how = offer.isWeighted ? 'sold by weight' : 'sold by unit';
  const errors: InputError[] = [];
  if (item[expected] === undefined) {
    errors.push({ pointer: `${at}/${expected}`, code: 'missing', message: `is required: ${nameOf(offer)} is ${how}` });
  }
  if (item[other] !== undefined && !(offer.isWeighted && item.quantity === 1)) {
    errors.push({
      pointer: `${at}/${other}`,
      code: 'not_allowed',
      message: `must be absent: ${nameOf(offer)} is ${how}`,
    });
  }
  return errors;
}

function checkSale(at: string, item: NewItem, offer: Sellable): InputError[] {
  if (!offer.active) return [{ pointer: `${at}/sku`, code: 'inactive', message: `${nameOf(offer)} is not active` }];
  if (!offer.isAvailable)
    return [{ pointer: `${at}/sku`, code: 'unavailable', message: `${nameOf(offer)} is sold out` }];
  const ordered = item.weight ?? item.quantity ?? 0;
  if (offer.maximum === null || ordered <= offer.maximum) return [];
  const message = `must be at most ${offer.maximum} for ${nameOf(offer)}`;
  return [{ pointer: `${at}/${offer.isWeighted ? 'weight' : 'quantity'}`, code: 'above_maximum', message }];
}

/** Builds the line for a checked item. Promotions and stock are applied later. */
export function placeLine(
  item: NewItem,
  offer: Offer,
  terms: PromotionTerms | null,
  suggested: (sku: string) => string,
  picking: Picking,
): NewLine {
  const weight = offer.isWeighted ? decimal(item.weight ?? 0) : null;
  const amount = amountAt(decimal(offer.price), item.quantity ?? 1, weight, picking.digits);
  return {
    sku: offer.sku,
    name: offer.name,
    barcodes: offer.barcodes,
    image: offer.image,
    instructions: item.instructions ?? null,
    status: 'NOT_PROCESSED',
    pricingType: pricingTypeOf(offer),
    ...boundsOf(amount, picking),
    ordered: amount,
    orderedDiscount: zero,
    picked: amount,
    discount: zero,
    terms,
    replacedId: null,
    wish: item.replacement ? wishOf(item.replacement, suggested) : null,
    taken: null,
  };
}

const zero = 0n as Decimal;
const one = integerDecimal(1);

function boundsOf({ quantity, weight }: Amount, { unitOverpick, weightTolerance }: Picking) {
  if (weight === null) return { min: integerDecimal(1), max: integerDecimal(quantity + unitOverpick) };
  const tolerance = decimal(weightTolerance);
  const min = multiplyDecimals(weight, (one - tolerance) as Decimal, 3);
  // The minimum must not be 0, however large the tolerance is.
  return {
    min: min > 0n ? min : decimal('0.001'),
    max: multiplyDecimals(weight, addDecimals(one, tolerance), 3),
  };
}

function wishOf(
  { preference, suggestions = [] }: NonNullable<NewItem['replacement']>,
  suggested: (sku: string) => string,
) {
  return { preference, suggestions: suggestions.map(({ sku }) => ({ sku, name: suggested(sku) })) };
}
