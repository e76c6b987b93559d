/** The text in the locale, otherwise in the same language for any country, otherwise in any language. */
export function localText(texts: Record<string, string> | undefined, locale: string): string | undefined {
  if (!texts) return undefined;
  const language = locale.split('_')[0] ?? '';
  const [, near] = Object.entries(texts).find(([one]) => one.split('_')[0] === language) ?? [];
  return texts[locale] ?? near ?? Object.values(texts)[0];
}
