import type { Translated } from './categories.ts';

/** A demo promotion. Days are relative to the day the demo was created. `families` are SKU prefixes. */
export type DemoPromotion = {
  name: Translated;
  type: 'STRIKETHROUGH' | 'SAME_ITEM_BUNDLE';
  reason: string;
  fromDay: number;
  untilDay: number;
  isCancelled: boolean;
  /** Vendor ids, or `*` for all stores. */
  vendors: string[] | '*';
  percent: number;
  families: string[];
  limits?: { max_discount_per_order?: number; max_items_per_order?: number; global_limit?: number };
};

const defaults = { type: 'STRIKETHROUGH', isCancelled: false, vendors: '*' } as const;

/** One promotion in each state, and a bundle. Discounts are percentages because the stores use two currencies. */
export const demoPromotions: readonly DemoPromotion[] = [
  {
    ...defaults,
    name: { en_AE: 'Breakfast week', ar_AE: 'أسبوع الفطور' },
    reason: 'COMPETITIVENESS',
    fromDay: -2,
    untilDay: 5,
    percent: 20,
    families: ['CER', 'JAM', 'HNY', 'OAT'],
    limits: { max_items_per_order: 12 },
  },
  {
    ...defaults,
    type: 'SAME_ITEM_BUNDLE',
    name: { en_AE: 'Three juices for two', ar_AE: 'ثلاث علب عصير بسعر اثنتين' },
    reason: 'TRADING',
    fromDay: -1,
    untilDay: 13,
    percent: 100,
    families: ['JUC'],
    limits: { global_limit: 5000 },
  },
  {
    ...defaults,
    name: { en_AE: 'Weekend grill', ar_AE: 'شواء نهاية الأسبوع' },
    reason: 'TRADING',
    fromDay: 7,
    untilDay: 10,
    percent: 15,
    families: ['BFP', 'SSG', 'BUN', 'SAU'],
  },
  {
    ...defaults,
    name: { en_AE: 'Baker’s days', ar_AE: 'أيام الخبّاز' },
    reason: 'OVERSTOCK',
    fromDay: -14,
    untilDay: -7,
    percent: 25,
    families: ['BRD', 'ARB', 'CRO'],
  },
  {
    ...defaults,
    name: { en_AE: 'Crisp clearance', ar_AE: 'تصفية رقائق البطاطس' },
    reason: 'DELISTING',
    fromDay: -3,
    untilDay: 11,
    isCancelled: true,
    vendors: ['s8ym', 'k3qd'],
    percent: 40,
    families: ['CRI'],
  },
];
