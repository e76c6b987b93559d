import { useSyncExternalStore } from 'react';
import {
  type Bundle,
  createTranslate,
  hasBundle,
  importBundle,
  isLanguage,
  type Language,
  languages,
  localeOf,
  type Translate,
} from './catalogue.ts';
import type { Message } from './message.ts';

/** The language that the portal and the picking app are shown in, its locale for numbers and times, and its texts. */
export type CurrentLanguage = {
  language: Language;
  locale: string;
  direction: 'ltr' | 'rtl';
  t: Translate;
  /** For keys that come from the API. Undefined if there is no such text, or if it depends on a number. */
  find(key: string, values?: Record<string, string>): string | undefined;
};

/** Loads the texts of a bundle in the current language. Has to be done before a component that uses them is shown. */
export async function loadMessages(bundle: Bundle): Promise<void> {
  needed.add(bundle);
  // A language that has only the picking app can have been chosen there.
  if (!hasBundle(current.language, bundle)) current = createCurrent(initialLanguage(bundle));
  await loadBundle(current.language, bundle);
}

/** Changes the language as soon as its texts are loaded. It is stored in the browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  await Promise.all([...needed].map((bundle) => loadBundle(language, bundle)));
  store(language);
  current = createCurrent(language);
  applyLanguage();
  for (const notify of listeners) notify();
}

/** Tells the browser the language and the direction of the page. */
export function applyLanguage(): void {
  document.documentElement.lang = current.language;
  document.documentElement.dir = current.direction;
}

export function useLanguage(): CurrentLanguage {
  return useSyncExternalStore(listen, currentLanguage);
}

/** For functions that are not part of a component. Components use `useLanguage` or `useMessages`. */
export function currentLanguage(): CurrentLanguage {
  return current;
}

const storageKey = 'aisle-language';
const messages = Object.fromEntries(Object.keys(languages).map((language) => [language, {}])) as {
  [One in Language]: Record<string, Message>;
};
const loading = new Map<string, Promise<void>>();
const needed = new Set<Bundle>();
const listeners = new Set<() => void>();
let current = createCurrent(initialLanguage('pick'));

async function loadBundle(language: Language, bundle: Bundle): Promise<void> {
  const key = `${language}/${bundle}`;
  const load = async () => void Object.assign(messages[language], await importBundle(language, bundle));
  const found = loading.get(key) ?? load();
  loading.set(key, found);
  // A failed load is repeated the next time.
  await found.catch((error: unknown) => {
    loading.delete(key);
    throw error;
  });
}

function createCurrent(language: Language): CurrentLanguage {
  const locale = localeOf(language, navigator.languages);
  const { direction } = languages[language];
  const t = createTranslate(language, locale, messages[language]);
  const find = (key: string, values: Record<string, string> = {}) =>
    typeof messages[language][key] === 'string'
      ? (t as (key: string, values: Record<string, string>) => string)(key, values)
      : undefined;
  return { language, locale, direction, t, find };
}

/** The chosen language, or else the first one of the browser's, that has the bundle. */
function initialLanguage(bundle: Bundle): Language {
  const preferred = [readStored(), ...navigator.languages.map((locale) => locale.split('-')[0])];
  return preferred.filter(isLanguage).find((language) => hasBundle(language, bundle)) ?? 'en';
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Without storage, the language is chosen again after a reload.
  }
}

function listen(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
