import type { InputError } from '@aisle/contract/common';
import { maxOrderName } from '@aisle/contract/sizes';
import { chooseText, isAvailable, type OfferRow } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import { newId } from '../kernel/values/ids.ts';
import { shorten } from '../kernel/values/text.ts';
import { runningTerms } from '../promotions/index.ts';
import type { Basket, Loaded } from './load-placement.ts';
import type { FindTerms } from './price-lines.ts';
import type { Line } from './rules/line.ts';
import type { Offer } from './rules/new-lines.ts';
import { checkItems, type NewItem, type Picking, placeLine, type Sellable } from './rules/placement.ts';
import { checkSum } from './rules/pricing.ts';
import { checkTexts } from './rules/check-texts.ts';

/** The lines of an order before promotions, without those whose items have errors. */
export type DecidedLines = { lines: Line[]; errors: InputError[]; findTerms: FindTerms };

/**
 * Checks the items of an order and builds its lines. Placing an order and quoting a basket both use this function, so
 * that a quote contains what the order would.
 */
export function decideLines(
  vendor: VendorRow,
  items: readonly NewItem[],
  { offers: rows, suggestions, running }: Basket & Pick<Loaded, 'suggestions'>,
  rules: 'all' | 'existence',
): DecidedLines {
  const offers = new Map(rows.map((row) => [row.sku, sellable(row, vendor)]));
  const found = checkItems(items, offers, rules);
  const picking: Picking = {
    digits: minorDigits(vendor.currency),
    unitOverpick: vendor.unit_overpick,
    weightTolerance: vendor.weight_tolerance,
  };
  const suggested = suggestionNames(suggestions);
  const findTerms: FindTerms = (without) =>
    runningTerms(
      running.filter(({ promotion_id }) => !without.has(promotion_id)),
      rows,
      vendor.locale,
    );
  const terms = findTerms(new Set());
  const lines = items
    .filter((_, index) => found[index]?.length === 0)
    .map((item): Line => {
      const offer = offers.get(item.sku) as Offer;
      return { id: newId(), ...placeLine(item, offer, terms.get(item.sku) ?? null, suggested, picking) };
    });
  return { lines, errors: [...found.flat(), ...checkSum(lines), ...checkTexts(lines)], findTerms };
}

/** Converts a row to the form that orders use, with the product's name in the store's language. */
export function offerOf(row: OfferRow, locale: string): Offer {
  return {
    sku: row.sku,
    name: shorten(chooseText(row.titles, locale, locale) || row.sku, maxOrderName),
    barcodes: row.barcodes,
    image: row.image,
    price: row.price,
    isWeighted: row.is_sold_by_weight,
  };
}

function sellable(row: OfferRow, vendor: VendorRow): Sellable {
  return {
    ...offerOf(row, vendor.locale),
    active: row.active,
    isAvailable: isAvailable(row, vendor.sales_buffer),
    maximum: row.maximum_sales_quantity,
  };
}

/**
 * Returns a function that maps the SKU of a suggested replacement to its name, or to the SKU itself if the store does
 * not have that product.
 */
function suggestionNames(rows: Loaded['suggestions']): (sku: string) => string {
  const names = new Map(rows.map(({ sku, name }) => [sku, shorten(name || sku, maxOrderName)]));
  return (sku: string) => names.get(sku) ?? sku;
}
