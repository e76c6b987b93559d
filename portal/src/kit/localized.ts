import { currentLanguage } from '../messages/language.ts';

/** The text in the language of the portal, otherwise in the locale, in its language for any country, or in any language. */
export function localText(texts: Record<string, string> | undefined, locale: string): string | undefined {
  if (!texts) return undefined;
  const own = localeLanguage(locale);
  const { language } = currentLanguage();
  const inStore = texts[locale] ?? textIn(texts, own);
  return (own === language ? inStore : textIn(texts, language)) ?? inStore ?? Object.values(texts)[0];
}

/** The title of a product in the language of the portal, otherwise in the store's, or its SKU. */
export function productName({ sku, title, translations }: Titled): string {
  return textIn(translations, currentLanguage().language) ?? title ?? sku;
}

type Titled = { sku: string; title?: string | null | undefined; translations: Record<string, string> };

/** The text in the language, for any country. */
export function textIn(texts: Record<string, string>, language: string): string | undefined {
  return Object.entries(texts).find(([locale]) => localeLanguage(locale) === language)?.[1];
}

function localeLanguage(locale: string): string {
  return locale.split('_')[0] ?? '';
}
