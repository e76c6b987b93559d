import type { Product } from '@aisle/contract/product';
import type { Static } from 'typebox';
import { chooseText } from '../catalog/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import type { Db } from '../kernel/database/db.ts';
import { decimal, decimalNumber } from '../kernel/values/decimal.ts';
import { chooseRunning } from './rules/running.ts';
import type { PricePair, PromotionLimits, PromotionTerms } from './rules/terms.ts';
import { listRunning, type RunningRow } from './running-queries.ts';

/** A catalog price as a decimal string. */
export type SkuPrice = { sku: string; price: string };

/** The terms of the promotion that currently applies to each SKU, if that promotion lowers the price. */
export function runningTerms(
  running: readonly RunningRow[],
  prices: readonly SkuPrice[],
  locale: string,
): Map<string, PromotionTerms> {
  return new Map(choose(running, prices).map(({ winner }) => [winner.sku, termsOf(winner, locale)]));
}

export type ShownPromotion = Pick<Static<typeof Product>, 'promotional_price' | 'promotion'>;

/**
 * Finds the promotions that run for these SKUs. Returns a function that chooses, for given prices, the promotion fields
 * that the catalog shows. A bundle has no promotional price.
 */
export async function findShownPromotions(
  db: Db,
  chainId: string,
  vendorId: string,
  skus: readonly string[],
  now: Date,
): Promise<(prices: readonly SkuPrice[]) => Map<string, ShownPromotion>> {
  const running = skus.length === 0 ? [] : await listRunning(db, chainId, vendorId, skus, now);
  return (prices) =>
    new Map(
      choose(running, prices).map(({ winner, promotional }) => [
        winner.sku,
        shownOf(winner, decimalNumber(promotional)),
      ]),
    );
}

type Running = PricePair & { winner: RunningRow };

function choose(running: readonly RunningRow[], prices: readonly SkuPrice[]): Running[] {
  const bySku = Map.groupBy(running, (row) => row.sku);
  return prices.flatMap(({ sku, price }) => {
    const candidates = bySku.get(sku) ?? [];
    const digits = minorDigits(candidates[0]?.currency ?? '');
    return chooseRunning(candidates, decimal(price), digits) ?? [];
  });
}

function termsOf(row: RunningRow, locale: string): PromotionTerms {
  return {
    promotion_id: row.promotion_id,
    name: chooseText(row.display_name, locale, locale) ?? '',
    type: row.type,
    discount_subtype: row.discount_subtype,
    discount_value: row.discount_value,
    ...(row.type === 'SAME_ITEM_BUNDLE' && {
      purchased_quantity: row.purchased_quantity ?? 1,
      discounted_quantity: row.discounted_quantity ?? 1,
    }),
    ...(row.max_quantity !== null && { max_quantity: row.max_quantity }),
    limits: limitsOf(row),
  };
}

function limitsOf(row: RunningRow): PromotionLimits {
  return {
    ...(row.max_discount_per_order !== null && { max_discount_per_order: row.max_discount_per_order }),
    ...(row.max_items_per_order !== null && { max_items_per_order: row.max_items_per_order }),
    ...(row.global_limit !== null && { global_limit: row.global_limit }),
  };
}

function shownOf(row: RunningRow, price: number): ShownPromotion {
  const { promotion_id, type, display_name, end_time } = row;
  return {
    ...(type === 'STRIKETHROUGH' && { promotional_price: price }),
    promotion: { promotion_id, type, display_name, end_time: end_time.toISOString() },
  };
}
