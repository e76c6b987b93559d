import type { Body } from '../api/operations.ts';
import type { Translate } from '../messages/catalogue.ts';

type Input = Body<'putPromotion'>;
type Entry = NonNullable<Input['discount']>[number];

/** The values of the promotion form. */
export type PromotionValues = {
  name: string;
  /** If empty, the promotion applies to all stores. */
  vendors: string[];
  type: Input['type'];
  reason: string;
  start: string | null;
  end: string | null;
  purchased: number;
  discounted: number;
  subtype: NonNullable<Entry['discount_subtype']>;
  value: number;
  skus: string[];
  maxPerOrder: number | '';
};

/** The checks of the promotion form. Each returns a message, or null if the value is valid. */
export function promotionChecks(t: Translate) {
  return {
    name: (text: string) => (text.trim() === '' ? t('promotions.nameMissing') : null),
    start: (time: string | null) => (time === null ? t('promotions.startMissing') : null),
    end: (time: string | null, { start }: PromotionValues) => checkEnd(t, time, start),
    value: (value: number, { subtype }: PromotionValues) => checkValue(t, value, subtype),
    skus: (skus: string[]) => (skus.length === 0 ? t('promotions.skusMissing') : null),
  };
}

export function bodyOf(values: PromotionValues, locale: string): Input {
  const { type, purchased, discounted, subtype, value, skus, maxPerOrder } = values;
  const bundle = type === 'SAME_ITEM_BUNDLE' && { purchased_quantity: purchased, discounted_quantity: discounted };
  return {
    vendors: values.vendors.length === 0 ? ['*'] : values.vendors,
    type,
    active: true,
    reason: values.reason,
    display_name: { [locale]: values.name.trim() },
    conditions: { start_time: instant(values.start), end_time: instant(values.end), ...bundle },
    discount: [
      {
        discount_subtype: subtype,
        discount_value: value,
        active: true,
        sku: skus,
        ...(maxPerOrder !== '' && { max_quantity: maxPerOrder }),
      },
    ],
  };
}

function checkEnd(t: Translate, end: string | null, start: string | null): string | null {
  if (end === null) return t('promotions.endMissing');
  return start !== null && new Date(end) <= new Date(start) ? t('promotions.endTooEarly') : null;
}

function checkValue(t: Translate, value: number, subtype: PromotionValues['subtype']): string | null {
  if (subtype === 'FINAL_PRICE') return value >= 0 ? null : t('promotions.valueMin');
  if (value <= 0) return t('promotions.valueAboveZero');
  return subtype === 'PERCENTAGE' && value > 100 ? t('promotions.valueMax') : null;
}

/** Splits the text at commas, semicolons and whitespace, and removes duplicate SKUs. */
export function splitSkus(typed: readonly string[]): string[] {
  return [...new Set(typed.flatMap((text) => text.split(/[\s,;]+/)).filter((sku) => sku !== ''))];
}

/** Formats a time for the time fields, as local time with minute precision. */
export function localTime(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return `${shifted.toISOString().slice(0, 16).replace('T', ' ')}:00`;
}

/** Converts the value of a time field from the browser's time zone to UTC. */
function instant(time: string | null): string {
  return new Date(time ?? 0).toISOString();
}
