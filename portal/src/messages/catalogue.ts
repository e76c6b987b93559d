import { pick as arabicPick } from './ar/pick.ts';
import { pick as englishPick } from './en/pick.ts';
import type { Translation } from './message.ts';

/**
 * The texts that people see, by language. English defines the keys and placeholders; a missing key in another language
 * is a compile error. To move another part of the portal here, add a file for it to every language.
 */
const english = { ...englishPick };

export type MessageKey = keyof typeof english;

export const languages = {
  en: { name: 'English', direction: 'ltr', messages: english as Translation<MessageKey> },
  ar: { name: 'العربية', direction: 'rtl', messages: { ...arabicPick } as Translation<MessageKey> },
} as const;
export type Language = keyof typeof languages;

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(languages, text);
}

/** The values for the placeholders of a message; required exactly if it has placeholders. */
export type Values<Key extends MessageKey> = [PlaceholdersOf<Key>] extends [never]
  ? []
  : [values: { [Name in PlaceholdersOf<Key>]: string | number }];

/** Returns texts in one language. Numbers are formatted for the locale. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: Values<Key>) => string;

export function createTranslate(language: Language, locale: string): Translate {
  const { messages } = languages[language];
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(locale);
  return (key, ...[values]) => {
    const given: Record<string, string | number> = values ?? {};
    const message = messages[key];
    const text =
      typeof message === 'string' ? message : (message[plural.select(Number(given['count']))] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = given[name];
      return typeof value === 'number' ? number.format(value) : (value ?? '');
    });
  };
}

/** The locale for numbers and times: the language with the region of the device, as in `ar-EG`. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const exact = preferred.find((locale) => locale.split('-')[0] === language);
  if (exact) return exact;
  const region = preferred.map((locale) => new Intl.Locale(locale).region).find((one) => one !== undefined);
  return region === undefined ? language : `${language}-${region}`;
}

type PlaceholdersOf<Key extends MessageKey> = PlaceholdersIn<(typeof english)[Key]>;
type PlaceholdersIn<Value> = Value extends string ? NamesIn<Value> : NamesIn<Value[keyof Value] & string>;
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
