import type { Product } from '@aisle/contract/product';
import type { Static } from 'typebox';
import { minorDigits } from '../../kernel/values/currency.ts';
import { decimal, decimalNumber, roundDecimal } from '../../kernel/values/decimal.ts';

type Shown = Static<typeof Product> & { vendor_id: string };

/** Adds the price that an order placed now would have for one unit, before bundles. */
export function withEffectivePrice<One extends Shown>(product: One): One & { effective_price: number } {
  const rounded = roundDecimal(decimal(product.price), minorDigits(product.currency));
  return { ...product, effective_price: product.promotional_price ?? decimalNumber(rounded) };
}
