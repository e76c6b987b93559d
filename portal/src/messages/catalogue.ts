import type { Message, Translation } from './message.ts';

/**
 * The texts that people see, by language. English defines the keys and placeholders; a key or an area that is missing
 * in another language is a compile error. Texts are loaded in bundles, so that a page loads only what it shows, in one
 * language: `pick` (the picking app), `start` (the sign-in page and the frame of the portal), `pages` (the rest of the
 * portal) and `console` (the operator console). Some languages have only the
 * picking app.
 */
type EnglishBundles = {
  pick: typeof import('./bundles/en/pick.ts');
  start: typeof import('./bundles/en/start.ts');
  pages: typeof import('./bundles/en/pages.ts');
  console: typeof import('./bundles/en/console.ts');
};
export type Bundle = keyof EnglishBundles;

export const bundleNames: readonly Bundle[] = ['pick', 'start', 'pages', 'console'];

type Loaders = { [Name in Bundle]: Loader<Name> };
type LanguageEntry = { name: string; direction: 'ltr' | 'rtl'; bundles: Loaders | Pick<Loaders, 'pick'> };

export const languages = {
  en: {
    name: 'English',
    direction: 'ltr',
    bundles: {
      pick: () => import('./bundles/en/pick.ts'),
      start: () => import('./bundles/en/start.ts'),
      pages: () => import('./bundles/en/pages.ts'),
      console: () => import('./bundles/en/console.ts'),
    },
  },
  ar: {
    name: 'العربية',
    direction: 'rtl',
    bundles: {
      pick: () => import('./bundles/ar/pick.ts'),
      start: () => import('./bundles/ar/start.ts'),
      pages: () => import('./bundles/ar/pages.ts'),
      console: () => import('./bundles/ar/console.ts'),
    },
  },
  es: { name: 'Español', direction: 'ltr', bundles: { pick: () => import('./bundles/es/pick.ts') } },
  tr: { name: 'Türkçe', direction: 'ltr', bundles: { pick: () => import('./bundles/tr/pick.ts') } },
  el: { name: 'Ελληνικά', direction: 'ltr', bundles: { pick: () => import('./bundles/el/pick.ts') } },
} as const satisfies Record<string, LanguageEntry>;
export type Language = keyof typeof languages;

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(languages, text);
}

export function hasBundle(language: Language, bundle: Bundle): boolean {
  return bundle in languages[language].bundles;
}

/** The languages that have a bundle, with their names in the language itself. */
export function languagesWith(bundle: Bundle): { language: Language; name: string }[] {
  return (Object.keys(languages) as Language[])
    .filter((language) => hasBundle(language, bundle))
    .map((language) => ({ language, name: languages[language].name }));
}

/** The areas of a bundle. */
export async function importAreas(language: Language, bundle: Bundle): Promise<Record<string, Translation<string>>> {
  const { bundles }: { bundles: Partial<Loaders> } = languages[language];
  const load = bundles[bundle];
  if (!load) throw new Error(`The language ${language} has no bundle ${bundle}.`);
  return load();
}

/** The texts of a bundle, of all its areas. */
export async function importBundle(language: Language, bundle: Bundle): Promise<Record<string, Message>> {
  return Object.assign({}, ...Object.values(await importAreas(language, bundle))) as Record<string, Message>;
}

type Area = { [Name in Bundle]: EnglishBundles[Name][keyof EnglishBundles[Name]] }[Bundle];
export type MessageKey = Area extends infer One ? (One extends unknown ? keyof One & string : never) : never;

/** The values for the placeholders of a message; required exactly if it has placeholders. */
export type Values<Key extends MessageKey, Value = string | number> = [PlaceholdersOf<Key>] extends [never]
  ? []
  : [values: { [Name in PlaceholdersOf<Key>]: Value }];

/** Returns texts in one language. Numbers are formatted for the locale, also a number in the text, as in `{14} days`. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: Values<Key>) => string;

/** The messages can be extended later, when another bundle is loaded. */
export function createTranslate(
  language: Language,
  locale: string,
  messages: Readonly<Record<string, Message>>,
): Translate {
  const { direction } = languages[language];
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(locale);
  return (key, ...[values]) => {
    const given: Record<string, string | number> = values ?? {};
    const message = messages[key];
    if (message === undefined) throw new Error(`The text ${key} is not loaded: its area is in another bundle.`);
    const text =
      typeof message === 'string' ? message : (message[plural.select(Number(given['count']))] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = /^\d+$/.test(name) ? Number(name) : given[name];
      return typeof value === 'number' ? number.format(value) : isolated(value ?? '', direction);
    });
  };
}

/** In a text from right to left, invisible marks keep the parts of a name or an id like `A-12/3` in their order. */
export function isolated(value: string, direction: 'ltr' | 'rtl'): string {
  return direction === 'rtl' && /[A-Za-z\d]/.test(value) ? `\u2068${value}\u2069` : value;
}

/** The locale for numbers and times: the language with the region of the device, as in `ar-EG`. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const exact = preferred.find((locale) => locale.split('-')[0] === language);
  if (exact) return exact;
  const region = preferred.map((locale) => new Intl.Locale(locale).region).find((one) => one !== undefined);
  return region === undefined ? language : `${language}-${region}`;
}

type Loader<Name extends Bundle> = () => Promise<{
  readonly [AreaName in keyof EnglishBundles[Name]]: Translation<keyof EnglishBundles[Name][AreaName] & string>;
}>;
type EnglishText<Key extends MessageKey> = Area extends infer One
  ? One extends { readonly [K in Key]: infer Text }
    ? Text
    : never
  : never;
type PlaceholdersOf<Key extends MessageKey> = PlaceholdersIn<EnglishText<Key>>;
type PlaceholdersIn<Value> = Value extends string ? NamesIn<Value> : NamesIn<Value[keyof Value] & string>;
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, `${number}`> | NamesIn<Rest>
  : never;
