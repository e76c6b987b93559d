import { formatKilograms, formatMoney, formatNumber } from '../kit/format.ts';
import type { Translate } from '../messages/catalogue.ts';
import type { Item, Order } from './order.ts';

/**
 * What picking changed in an item, in the language of the user. An order is picked once, so this does not change later.
 * Undefined if the order does not have the item, or if it has not been picked.
 */
export function describePicked(t: Translate, order: Order, itemId: string): string | undefined {
  const item = order.items.find(({ _id }) => _id === itemId);
  if (!item || item.status === 'NOT_PROCESSED') return undefined;
  if (item.status === 'NOT_FOUND') return t('picked.notFound');
  if (item.status === 'REPLACED') return t('picked.replaced');
  const { currency } = order.payment;
  const [amount, price] = [amountOf(item.pricing), formatMoney(item.pricing.unit_price, currency)];
  if (item.status === 'ADDITION') return t('picked.added', { amount, price });
  if (item.replaced_id !== undefined) {
    const replaced = order.items.find(({ _id }) => _id === item.replaced_id);
    return t('picked.replaces', { name: replaced?.name ?? item.replaced_id, amount, price });
  }
  const ordered = amountOf(item.original_pricing);
  const change = amount === ordered ? t('picked.asOrdered') : t('picked.instead', { amount, ordered });
  const before = item.original_pricing.unit_price;
  if (item.pricing.unit_price === before) return change;
  return t('picked.price', { change, price, before: formatMoney(before, currency) });
}

/** Kilograms or units. */
export function amountOf(pricing: Item['pricing']): string {
  return pricing.pricing_type === 'KG' ? formatKilograms(pricing.weight ?? 0) : formatNumber(pricing.quantity);
}
