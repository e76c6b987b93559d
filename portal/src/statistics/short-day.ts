import { isolated } from '../messages/catalogue.ts';
import { currentLanguage } from '../messages/language.ts';

/** Formats `2026-05-04` as `4 May`, regardless of the browser's time zone. */
export function shortDay(day: string): string {
  const { locale, direction } = currentLanguage();
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  // Charts are laid out from left to right in every language.
  return isolated(format.format(new Date(`${day}T12:00:00Z`)), direction);
}
