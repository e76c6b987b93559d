import type { ResponseBody } from '../api/operations.ts';
import { formatMoney, formatPercent } from '../kit/format.ts';
import { localText } from '../kit/localized.ts';
import type { Translate } from '../messages/catalogue.ts';

export type Promotion = ResponseBody<'listPromotions'>['promotions'][number];
export type Entry = ResponseBody<'getPromotion'>['discount'][number];

/** The code of the state as people see it: a promotion is cancelled by stopping it. */
export function shownState(state: Promotion['state']): string {
  return state === 'CANCELLED' ? 'STOPPED' : state;
}

export function subtypeLabels(t: Translate, currency: string): Record<NonNullable<Entry['discount_subtype']>, string> {
  return {
    PERCENTAGE: t('promotions.percentOff'),
    ABSOLUTE: t('promotions.off', { amount: currency }),
    FINAL_PRICE: t('promotions.finalPrice'),
  };
}

/** The name in the language of the portal, otherwise in the store's locale, or in another one. */
export function nameOf({ display_name }: Pick<Promotion, 'display_name'>, locale: string): string {
  return localText(display_name, locale) ?? '–';
}

export function discountLabel(
  t: Translate,
  { discount_subtype, discount_value }: Pick<Entry, 'discount_subtype' | 'discount_value'>,
  currency: string,
): string {
  const value = discount_value ?? 0;
  if (discount_subtype === 'PERCENTAGE') return t('promotions.off', { amount: formatPercent(value, 100) });
  return discount_subtype === 'ABSOLUTE'
    ? t('promotions.off', { amount: formatMoney(value, currency) })
    : t('promotions.forPrice', { price: formatMoney(value, currency) });
}

/** The position of a promotion's bar on an axis from `from` to `to`, in percent from the start of the axis. */
export function barOf(start: number, end: number, from: number, to: number): { offset: number; width: number } {
  const place = (time: number) => (100 * (Math.min(Math.max(time, from), to) - from)) / (to - from);
  const offset = place(start);
  return { offset, width: Math.max(place(end) - offset, 0.6) };
}
