import type { InputError } from '@aisle/contract/common';
import { type Decimal, decimal, decimalNumber, roundDecimal, integerDecimal } from '../../kernel/values/decimal.ts';
import { isFractional } from '../../kernel/values/number.ts';
import type { Entry } from './cart-entries.ts';
import { type Amount, type Line, nameOf } from './line.ts';
import { amountAt, amountFor, checkPrices, type SentPrices } from './pricing.ts';

type Original = Extract<Entry, { kind: 'original' }>;

/** Returns the ordered line with the request applied, or the errors in the request. */
export function applyToOriginal(entry: Original, digits: number): Line | InputError[] {
  const { line, item, at } = entry;
  const pricing = item.pricing ?? {};
  if (pricing.pricing_type !== line.pricingType) {
    const message = `must be ${line.pricingType} for ${nameOf(line)}, as in the order`;
    return [{ pointer: `${at}/pricing/pricing_type`, code: 'wrong_pricing_type', message }];
  }
  const status = item.status ?? 'IN_CART';
  if (status === 'NOT_FOUND' || status === 'REPLACED') return { ...line, status, picked: line.ordered };
  if (status === 'NOT_PROCESSED') return { ...line, status, picked: line.ordered };
  const picked = line.pricingType === 'KG' ? pickWeight(entry, digits) : pickUnits(entry, digits);
  return Array.isArray(picked) ? picked : { ...line, status, picked };
}

function pickUnits({ line, item, at }: Original, digits: number): Amount | InputError[] {
  const { quantity = line.ordered.quantity, unit_price: unit, total_price: total } = item.pricing ?? {};
  const errors = checkPrices(at, item.pricing ?? {}, nameOf(line), digits);
  if (!Number.isInteger(quantity)) {
    const message = `must be a whole number ${boundsOf(line)} for ${nameOf(line)}`;
    errors.push({ pointer: `${at}/pricing/quantity`, code: 'not_whole', message });
  } else if (!isWithin(integerDecimal(quantity), line)) {
    errors.push(outOfBounds(`${at}/pricing/quantity`, line, 'quantity'));
  }
  if (errors.length > 0) return errors;
  if (total !== undefined) return amountFor(roundDecimal(decimal(total), digits), quantity, null, digits);
  return amountAt(unit === undefined ? line.ordered.unitPrice : decimal(unit), quantity, null, digits);
}

function pickWeight({ line, item, at }: Original, digits: number): Amount | InputError[] {
  const { quantity = 1, weight } = item.pricing ?? {};
  const kilograms = weight === undefined ? line.ordered.weight : decimal(weight);
  const errors = checkWeightPrices(at, item.pricing ?? {}, line, digits);
  if (quantity !== 1) {
    const message = `must be 1 or absent for ${nameOf(line)}, which is sold by weight; change weight instead`;
    const code = isFractional(quantity) ? 'not_whole' : 'not_allowed';
    errors.push({ pointer: `${at}/pricing/quantity`, code, message });
  }
  if (kilograms === null || !isWithin(kilograms, line)) {
    errors.push(outOfBounds(`${at}/pricing/weight`, line, 'weight'));
  }
  return errors.length > 0 ? errors : amountAt(line.ordered.unitPrice, 1, kilograms, digits);
}

/** The price of an item sold by weight depends on its weight, so a price in the request must match the order. */
function checkWeightPrices(at: string, pricing: SentPrices, line: Line, digits: number): InputError[] {
  const { unitPrice, total } = line.ordered;
  const differs = (sent: number | undefined, own: Decimal) => sent !== undefined && decimal(sent) !== own;
  const isUnitChanged = differs(pricing.unit_price, unitPrice);
  if (!isUnitChanged && !differs(pricing.total_price, total)) return checkPrices(at, pricing, nameOf(line), digits);
  const field = isUnitChanged ? 'unit_price' : 'total_price';
  const message = `cannot be changed for ${nameOf(line)}, which costs ${decimalNumber(unitPrice)} per kg; leave it out`;
  return [{ pointer: `${at}/pricing/${field}`, code: 'price_not_allowed', message }];
}

function isWithin(value: Decimal, line: Line): boolean {
  return value >= line.min && value <= line.max;
}

function outOfBounds(pointer: string, line: Line, measure: 'quantity' | 'weight'): InputError {
  const unit = measure === 'weight' ? ' kg' : '';
  return { pointer, code: 'out_of_bounds', message: `${measure} of ${nameOf(line)} must be ${boundsOf(line)}${unit}` };
}

function boundsOf({ min, max }: Line): string {
  return `between ${decimalNumber(min)} and ${decimalNumber(max)}`;
}
