import { formatKilograms, formatNumber } from '../kit/format.ts';
import { currentLanguage } from '../messages/language.ts';

/** The stock of a product: units, or kilograms if it is sold by weight. */
export function formatStock(quantity: number | null, isSoldByWeight: boolean): string {
  if (quantity === null) return currentLanguage().t('productPage.notTracked');
  return isSoldByWeight ? formatKilograms(quantity) : formatNumber(quantity);
}
