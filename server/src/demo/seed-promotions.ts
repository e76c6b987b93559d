import type { Tx } from '../kernel/database/db.ts';
import { derivedId } from '../kernel/values/ids.ts';
import { applyPromotionNow } from '../promotions/index.ts';
import { demoProducts } from '@aisle/demo/products';
import { type DemoPromotion, demoPromotions } from '@aisle/demo/promotions';

const dayMs = 24 * 60 * 60 * 1000;

/** Creates the demo promotions, one in each state. Their dates are relative to the current day. */
export async function seedPromotions(tx: Tx, chainId: string, now: Date): Promise<void> {
  const skus = demoProducts().map((product) => product.sku);
  for (const promotion of demoPromotions) {
    const id = derivedId('aisle', 'demo promotion', promotion.name.en_AE);
    const body = requestOf(promotion, skus, now);
    // Applied as if the request had been sent on the day the promotion starts.
    const sentAt = new Date(Math.min(now.getTime(), Date.parse(body.conditions.start_time)));
    await applyPromotionNow(tx, chainId, id, body, sentAt);
    if (promotion.isCancelled) await applyPromotionNow(tx, chainId, id, { ...body, active: false }, sentAt);
  }
}

function requestOf(promotion: DemoPromotion, skus: string[], now: Date) {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const day = (count: number) => new Date(midnight + count * dayMs).toISOString();
  const isBundle = promotion.type === 'SAME_ITEM_BUNDLE';
  return {
    vendors: promotion.vendors,
    type: promotion.type,
    active: true,
    reason: promotion.reason,
    display_name: promotion.name,
    conditions: {
      start_time: day(promotion.fromDay),
      end_time: day(promotion.untilDay),
      ...(isBundle && { purchased_quantity: 2, discounted_quantity: 1 }),
    },
    discount: [
      {
        discount_subtype: 'PERCENTAGE',
        discount_value: promotion.percent,
        sku: skus.filter((sku) => promotion.families.includes(sku.slice(0, 3))),
      },
    ],
    ...(promotion.limits && { limits: promotion.limits }),
  };
}
