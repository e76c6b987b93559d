import { useMemo } from 'react';
import {
  createTranslate,
  isLanguage,
  type Language,
  languages,
  localeOf,
  type Translate,
} from '../messages/catalogue.ts';
import { readDevice, writeDevice } from './device.ts';
import { createStore, useStore } from './store.ts';

export type Wording = {
  language: Language;
  text: Translate;
  money(value: number, currency: string): string;
  kilograms(value: number): string;
  /** A number without a unit, as people type it. */
  number(value: number): string;
  minutes(count: number): string;
  time(date: Date): string;
  list(names: readonly string[]): string;
};

const chosen = createStore<Language>(initialLanguage());

/** The texts and formats in the chosen language. */
export function useWording(): Wording {
  const language = useStore(chosen);
  return useMemo(() => createWording(language), [language]);
}

export function chooseLanguage(language: Language): void {
  writeDevice('language', language);
  chosen.set(language);
  applyLanguage();
}

/** Tells the browser the language and the direction of the page. */
export function applyLanguage(): void {
  document.documentElement.lang = chosen.get();
  document.documentElement.dir = languages[chosen.get()].direction;
}

export function createWording(language: Language, preferred: readonly string[] = navigator.languages): Wording {
  const locale = localeOf(language, preferred);
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
  const weight = format({ style: 'unit', unit: 'kilogram', maximumFractionDigits: 3 });
  const plain = format({ maximumFractionDigits: 3, useGrouping: false });
  const unit = (name: string) => format({ style: 'unit', unit: name, unitDisplay: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const names = new Intl.ListFormat(locale, { type: 'conjunction', style: 'short' });
  return {
    language,
    text: createTranslate(language, locale),
    money: (value, currency) => format({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(value),
    kilograms: (value) => weight.format(value),
    number: (value) => plain.format(value),
    minutes: (count) => {
      if (count < 100) return unit('minute').format(count);
      if (count < 48 * 60) return unit('hour').format(Math.floor(count / 60));
      return unit('day').format(Math.floor(count / 60 / 24));
    },
    time: (date) => clock.format(date),
    list: (all) => names.format(all),
  };
}

function initialLanguage(): Language {
  const stored = readDevice('language') as string | undefined;
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((locale) => locale.split('-')[0]).find(isLanguage) ?? 'en';
}
