import type { Translate } from './catalogue.ts';
import { useLanguage } from './language.ts';

/** Returns the function for texts in the current language: `const t = useMessages(); t('orders.title')`. */
export function useMessages(): Translate {
  return useLanguage().t;
}
