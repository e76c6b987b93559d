import type { ResponseBody } from '../api/operations.ts';
import { formatMoney, formatPercent } from '../kit/format.ts';
import { localText } from '../kit/localized.ts';

export type Promotion = ResponseBody<'listPromotions'>['promotions'][number];
export type Entry = ResponseBody<'getPromotion'>['discount'][number];

export const typeLabels: Record<Promotion['type'], string> = {
  STRIKETHROUGH: 'Price reduction',
  SAME_ITEM_BUNDLE: 'Same-item bundle',
};

/** The code of the state as people see it: a promotion is cancelled by stopping it. */
export function shownState(state: Promotion['state']): string {
  return state === 'CANCELLED' ? 'STOPPED' : state;
}

export function subtypeLabels(currency: string): Record<NonNullable<Entry['discount_subtype']>, string> {
  return { PERCENTAGE: 'Percent off', ABSOLUTE: `${currency} off`, FINAL_PRICE: 'Final price' };
}

/** The name in the store's locale, or in another one. */
export function nameOf({ display_name }: Pick<Promotion, 'display_name'>, locale: string): string {
  return localText(display_name, locale) ?? '–';
}

export function discountLabel(
  { discount_subtype, discount_value }: Pick<Entry, 'discount_subtype' | 'discount_value'>,
  currency: string,
): string {
  const value = discount_value ?? 0;
  if (discount_subtype === 'PERCENTAGE') return `${formatPercent(value, 100)} off`;
  return discount_subtype === 'ABSOLUTE'
    ? `${formatMoney(value, currency)} off`
    : `for ${formatMoney(value, currency)}`;
}

/** The position of a promotion's bar on an axis from `from` to `to`, in percent. */
export function barOf(start: number, end: number, from: number, to: number): { left: number; width: number } {
  const place = (time: number) => (100 * (Math.min(Math.max(time, from), to) - from)) / (to - from);
  const left = place(start);
  return { left, width: Math.max(place(end) - left, 0.6) };
}
